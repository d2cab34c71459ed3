/** Sessions over a real haproxy with the shipped configuration, before three scripted model hosts. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import { killProcess } from "@/lib/testing/test-process";
import { pathEntries } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { findFreePort } from "./test-llama-server";
import { makeModelRig } from "./test-model-rig";
import { answersOf, openTinySession, sendPrompt } from "./test-tiny-session";

const configuration = fileURLToPath(new URL("../../../deploy/haproxy-models.cfg", import.meta.url));
const haproxy = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "haproxy"))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
const title = haproxy === undefined ? "haproxy is not installed, so that it is not tested" : "sessions behind haproxy";

interface Bench {
  readonly hosts: readonly ScriptedModel[];
  readonly sessions: readonly Session[];
}

interface BenchOptions {
  readonly sessions: number;
  readonly atOnce: number;
  /** Session header of the connection; absent = the default for its address. */
  readonly sessionHeader?: string;
  readonly script?: Script;
}

const hostOf = ({ url }: ScriptedModel): string => new URL(url).host;

async function startHaproxy(hosts: readonly ScriptedModel[]): Promise<string> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const places = Object.fromEntries(hosts.map((host, index) => [`MODEL_HOST_${index + 1}`, hostOf(host)]));
  const started = spawn(haproxy ?? "", ["-db", "-f", configuration], {
    env: { ...places, MODELS_ADDRESS: address, NODE_ENV: "test" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => killProcess(started.pid));
  const isServing = () => fetch(`http://${address}/v1/models`).then((answer) => answer.ok);
  await expect.poll(isServing).toBe(true);
  return `http://${address}/v1`;
}

async function startBench({ sessions, script, ...connection }: BenchOptions): Promise<Bench> {
  const answers = { models: ["m1"], context: 131_072, defaults: { text: "Understood." }, ...script };
  const hosts = await Promise.all([1, 2, 3].map(() => startScriptedModel(answers)));
  onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.close()))));
  const baseUrl = await startHaproxy(hosts);
  const rig = await makeModelRig();
  const fields = { name: "Rack", preset: "custom", baseUrl, model: "m1", numCtx: 131_072 };
  const saved = rig.access.connections.save({ ...fields, ...connection });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  await rig.access.connections.models({ id: saved.value.id });
  const opened: Session[] = [];
  for (let count = 0; count < sessions; count += 1)
    opened.push(await openTinySession(rig, { name: "m1", connection: saved.value.id }));
  return { hosts, sessions: opened };
}

const chatsOf = ({ requests }: ScriptedModel) => requests.filter(({ path }) => path === "/v1/chat/completions");

/** The text of a request that a prompt cache compares. */
const textOf = ({ body }: { readonly body: unknown }): string =>
  JSON.stringify(typeof body === "object" && body !== null && "messages" in body ? body.messages : "");

function commonChars(one: string, two: string): number {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at += 1;
  return at;
}

/** Characters of requests, in their order, that no earlier one begins with. */
function countRead(requests: readonly { readonly body: unknown }[]): number {
  const earlier: string[] = [];
  let sum = 0;
  for (const request of requests) {
    const text = textOf(request);
    sum += text.length - Math.max(0, ...earlier.map((one) => commonChars(one, text)));
    earlier.push(text);
  }
  return sum;
}

/** Characters that the hosts read, as a multiple of those that one host with all sessions would have read. */
function readRatio(hosts: readonly ScriptedModel[]): number {
  const all = hosts.flatMap(chatsOf).sort((one, two) => one.at - two.at);
  return hosts.reduce((sum, host) => sum + countRead(chatsOf(host)), 0) / countRead(all);
}

let written = 0;
const prompt = (): string => `Request ${(written += 1)}. ${"Some facts about the house. ".repeat(110)}`;
const ask = (sessions: readonly Session[]) => Promise.all(sessions.map((session) => sendPrompt(session, prompt())));

/** Names of the hosts that answered a session. */
const hostsOf = (session: Session): readonly string[] => [
  ...new Set(answersOf(session.view).flatMap(({ usage }) => usage?.servedBy ?? [])),
];
const userMessages = ({ view }: Session) =>
  pathEntries(view).filter((entry) => entry.kind === "message" && entry.role === "user");

/** Time in which as many sessions get an answer each, ms. */
async function measureAnswers(count: number): Promise<number> {
  // Far more than what the process itself needs for three sessions, also on a busy machine.
  const script = { defaults: { text: "Done.", delayMs: 4_000 } };
  // Without the header haproxy gives each request to the next host.
  const { sessions } = await startBench({ sessions: count, atOnce: 3, sessionHeader: "", script });
  const startedAt = performance.now();
  await ask(sessions);
  return performance.now() - startedAt;
}

describe.skipIf(haproxy === undefined)(title, () => {
  test("30 sessions keep their hosts, and a killed host moves only its own sessions", async () => {
    const { hosts, sessions } = await startBench({ sessions: 30, atOnce: 32 });
    for (let round = 0; round < 6; round += 1) expect(new Set(await ask(sessions))).toEqual(new Set(["done"]));
    const before = sessions.map(hostsOf);
    expect(before.map((names) => names.length)).toEqual(sessions.map(() => 1));
    expect(hosts.flatMap(chatsOf)).toHaveLength(180);
    expect(readRatio(hosts)).toBeLessThanOrEqual(1.1);

    const victim = hosts.findLastIndex((host) => chatsOf(host).length > 0);
    const killed = hosts[victim] ?? expect.fail();
    const requestsBefore = chatsOf(killed).length;
    expect(requestsBefore).toBeGreaterThan(0);
    // In the middle of an answer.
    killed.setScript({
      models: ["m1"],
      context: 131_072,
      defaults: { text: "Half an answer, and more.", holdAfter: 2 },
    });
    const asking = ask(sessions);
    await killed.waitFor(() => chatsOf(killed).length > requestsBefore);
    await killed.close();
    expect(new Set(await asking)).toEqual(new Set(["done"]));
    const name = `host${victim + 1}`;
    for (const [index, session] of sessions.entries()) {
      const isMoved = before[index]?.[0] === name;
      expect(hostsOf(session).length).toBe(isMoved ? 2 : 1);
      expect(userMessages(session)).toHaveLength(7);
      expect(answersOf(session.view).filter(({ stop }) => stop === "done")).toHaveLength(7);
    }
    const survivors = hosts.filter((host) => host !== killed);
    expect(survivors.flatMap(chatsOf)).toHaveLength(180 - requestsBefore + 30);
  });

  test("without the header most of the text is read again", async () => {
    const { hosts, sessions } = await startBench({ sessions: 2, atOnce: 32, sessionHeader: "" });
    for (let round = 0; round < 6; round += 1) await ask(sessions);
    expect(readRatio(hosts)).toBeGreaterThan(1.5);
  });

  test("three sessions on three hosts end as soon as one", async () => {
    const one = await measureAnswers(1);
    expect(await measureAnswers(3)).toBeLessThanOrEqual(1.3 * one);
  });
});
