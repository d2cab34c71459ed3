/** The feature over the real file and store, in a session of the product whose model is a script. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import type { Json } from "@/lib/events/content";
import type { ProjectId } from "@/lib/events/id";
import type { ElicitationView } from "@/lib/tools/elicitation";
import type { McpServerView, McpState } from "@/lib/tools/mcp";
import { pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import {
  callAnswer,
  makeTestHarness,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
} from "@/server/session/testing/test-harness";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import type { Clock } from "./call-limit";
import { mcpFeature } from "./mcp-feature";

const listServer = join(dirname(fileURLToPath(import.meta.url)), "__fixtures__/list-server.mjs");
export const echo = {
  name: "echo",
  description: "Repeats a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
export const close = {
  name: "close_issue",
  description: "Closes an issue.",
  inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
};

/** Services of a session whose project has one server, `My Server`, which offers `tools`. */
export async function makeMcpRig(tools: readonly Json[] = [echo, close], port = 7_311, clock?: Clock) {
  let feature: ReturnType<typeof mcpFeature> | null = null;
  const harness = await makeTestHarness({ catalogueSources: () => feature?.catalogueSources ?? [] });
  const { store, services } = harness;
  const list = join(harness.userHome, "tools.json");
  writeFileSync(list, JSON.stringify(tools));
  const pushes: string[] = [];
  const changedProjects: ProjectId[] = [];
  const stop = new AbortController();
  feature = mcpFeature({
    store,
    projects: services().projects,
    environment: { PATH: process.env.PATH, HOME: harness.userHome, NODE_ENV: "test" },
    leftovers: makeCleanupJournal(harness.home, () => false),
    settings: () => harness.settings.current,
    version: "0",
    home: harness.home,
    now: Date.now,
    push(push) {
      pushes.push(push.type);
      if (push.type === "mcp") changedProjects.push(push.projectId);
    },
    serverPort: () => port,
    pagesAt: () => `http://localhost:${port}`,
    reportBug: (name, error) => {
      throw new Error(name, { cause: error });
    },
    ...(clock === undefined ? {} : { clock }),
  });
  const stopped = feature.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const { commands, trustWithdrawn } = feature;
  const made = feature;
  const session = harness.session("full");
  const { projectId } = session.view;
  const state = async (): Promise<McpState> => succeed(await commands["mcp.state"]({ projectId }));
  const only = async (): Promise<McpServerView> => {
    const server = (await state()).servers.find(({ id }) => id === "my_server");
    if (server === undefined) throw new Error("no server");
    return server;
  };
  return {
    harness,
    session,
    /** Opens another folder as a project. */
    async openProject(name: string) {
      const folder = join(harness.userHome, name);
      mkdirSync(folder);
      const opened = await services().projects.open(folder);
      return opened.ok ? ({ ok: true, value: opened.value.project.id } as const) : opened;
    },
    commands,
    sources: () => made.catalogueSources,
    trustWithdrawn,
    projectId,
    state,
    only,
    pushes,
    /** Projects of the `mcp` pushes, in order. */
    changedProjects,
    file: join(harness.home, "mcp.json"),
    /** Replaces the tools of the server. */
    offer: (next: readonly Json[]) => writeFileSync(list, JSON.stringify(next)),
    /** Replaces its prompts; null = it cannot list them. */
    prompt: (names: readonly string[] | null) =>
      names === null
        ? rmSync(`${list}.prompts`)
        : writeFileSync(`${list}.prompts`, JSON.stringify(names.map((name) => ({ name })))),
    config: (more: { readonly [name: string]: Json } = {}) =>
      JSON.stringify({ mcpServers: { "My Server": { command: process.execPath, args: [listServer, list], ...more } } }),
    async approve() {
      const launch = (await only()).launchHash;
      succeed(await commands["mcp.approve"]({ projectId, server: "my_server", launch }));
      await eventually(async () => expect((await only()).status).toBe("idle"));
    },
  };
}

/** Returns the value; throws the error. */
export function succeed<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export const callsOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

/** Output of the session's last call, as JSON. */
export const lastCallOutput = ({ session }: Pick<McpRig, "session">): string =>
  JSON.stringify(callsOf(session.view).at(-1)?.output);

export type McpRig = Awaited<ReturnType<typeof makeMcpRig>>;

/**
 * Configures and approves one server, has the model call a tool of it without parameters, and allows its card; `done`
 * resolves at the end of the run.
 */
export async function beginAskingCall(
  { file, state, projectId, commands, harness, session }: McpRig,
  entry: { readonly [name: string]: Json },
  tool: string,
  origin?: { readonly kind: "cli" | "agent" },
): Promise<{ readonly done: Promise<unknown> }> {
  writeFileSync(file, JSON.stringify({ mcpServers: entry }));
  const find = async () => (await state()).servers[0];
  const server = await find();
  if (server === undefined) throw new Error("no server");
  succeed(await commands["mcp.approve"]({ projectId, server: server.id, launch: server.launchHash }));
  await eventually(async () => expect((await find())?.status).toBe("idle"));
  harness.script(callAnswer(["toolbox", { tool, input: {} }]), textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId(), origin === undefined ? {} : { origin });
  const [card] = await waitForCards(session);
  if (!sent.ok || card === undefined) throw new Error("no card");
  session.answer(card.approvalId, { option: "once" }, testTab);
  return { done: sent.value.done };
}

export const questionsOf = async ({ commands }: McpRig) => succeed(await commands["mcp.questions"]()).questions;

export async function waitForQuestion(rig: McpRig): Promise<ElicitationView> {
  const found: ElicitationView[] = [];
  await eventually(async () => {
    found.push(...(await questionsOf(rig)));
    // With the call's output: why there is none.
    expect(found, lastCallOutput(rig)).not.toEqual([]);
  });
  const [question] = found;
  if (question === undefined) throw new Error("no question");
  return question;
}

/** Sends a prompt, allows its card, and waits for the end. */
export async function promptAndAllow(session: Session): Promise<void> {
  const sent = session.send("go", "prompt", testCommandId());
  const [card] = await waitForCards(session);
  if (!sent.ok || card === undefined) throw new Error("no card");
  session.answer(card.approvalId, { option: "once" }, testTab);
  await sent.value.done;
}
