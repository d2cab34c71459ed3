/**
 * Sessions over a real llama-server: real templates, parsers, window and prompt cache, with a model whose output is
 * scripted.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ToolMode } from "@/lib/events/event";
import { asId, type CommandId } from "@/lib/events/id";
import { type Entry, pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { type LlamaServer, startLlamaServer } from "./test-llama-server";
import { makeModelRig, type ModelRig } from "./test-model-rig";

const found = await findLlamaServer();
const program = found.program ?? "";
const title = found.program === null ? `a real llama-server (skipped: ${found.why})` : "a real llama-server";
/** Generous, for loading and reading on a busy machine. */
const timeout = 300_000;

let counted = 0;
const command = (): CommandId => asId<CommandId>(`r${(counted += 1)}`);

interface Bench {
  readonly rig: ModelRig;
  readonly server: LlamaServer;
  readonly session: Session;
}

interface BenchOptions {
  readonly toolMode?: ToolMode;
  /** Window of the server, and that set for the connection, tokens. */
  readonly window?: number;
  readonly configuredWindow?: number;
}

async function benchFor(
  model: TinyModel,
  { toolMode, window = 32_768, configuredWindow = 0 }: BenchOptions = {},
): Promise<Bench> {
  const server = await startLlamaServer(program, model, window);
  const rig = await makeModelRig();
  const saved = rig.access.connections.save({
    name: "Real",
    preset: "custom",
    baseUrl: server.baseUrl,
    model: "",
    numCtx: configuredWindow,
  });
  if (!saved.ok) throw new Error(saved.error.code);
  const { id: connection } = saved.value;
  await rig.access.connections.ready(connection);
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  const session = rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
  const use = { name: "", connection, toolMode };
  const chosen = session.changeModel(use, command());
  if (!chosen.ok) throw new Error(chosen.error.code);
  return { rig, server, session };
}

async function ask(session: Session, text: string) {
  const sent = session.send(text, "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

const answers = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const kinds = (view: SessionView): readonly Entry["kind"][] => pathEntries(view).map((entry) => entry.kind);
const lastText = (view: SessionView): string =>
  answers(view)
    .at(-1)
    ?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("") ?? "";
const native = (name: string, input: object): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`;

/** Reads a file, writes another, and reports it. */
const jobs: Readonly<Record<ToolMode, readonly string[]>> = {
  native: [
    `I read it first.\n${native("read", { path: "notes.txt" })}`,
    `Now the copy.\n${native("write", { path: "copy.txt", content: "the copied line\n" })}`,
    "Both files are there.",
  ],
  react: [
    'Thought: I look first.\nAction: read\nAction Input: {"path": "notes.txt"}',
    'Thought: Then the copy.\nAction: write\nAction Input: {"path": "copy.txt", "content": "the copied line\\n"}',
    "Final Answer: Both files are there.",
  ],
  xml: [
    'I read it first.\n<tool name="read"><path>notes.txt</path></tool>',
    'Now the copy.\n<tool name="write"><path>copy.txt</path><content>the copied line\n</content></tool>',
    "Both files are there.",
  ],
};
const textsOf = (texts: readonly string[]): TinyModel => ({ answers: texts.map((text) => ({ text })) });

describe.skipIf(found.program === null)(title, () => {
  test.each(["native", "react", "xml"] as const)(
    "completes a task with calls made as %s",
    { timeout },
    async (toolMode) => {
      const { rig, session } = await benchFor(textsOf(jobs[toolMode]), { toolMode });
      writeFileSync(join(rig.root, "notes.txt"), "a line of notes\n");
      expect(await ask(session, "Copy the notes.")).toBe("done");
      const calls = answers(session.view).flatMap((entry) => entry.calls.map(({ name, state }) => `${name} ${state}`));
      expect(calls).toEqual(["read ok", "write ok"]);
      expect(readFileSync(join(rig.root, "copy.txt"), "utf8").trim()).toBe("the copied line");
      expect(lastText(session.view)).toContain("Both files are there.");
      expect(kinds(session.view)).not.toContain("error");
    },
  );

  test("separates the thinking of a thinking model from its answer", { timeout }, async () => {
    const model = { answers: [{ thinking: "The user greets me.", text: "Good morning to you." }] };
    const { session } = await benchFor(model);
    expect(await ask(session, "Good morning.")).toBe("done");
    const [answer] = answers(session.view);
    expect(answer?.blocks.map((block) => block.type)).toEqual(["thinking", "text"]);
    expect(lastText(session.view).trim()).toBe("Good morning to you.");
  });

  test("reads only the new part of the prompt, by its own count", { timeout }, async () => {
    const { session } = await benchFor(textsOf(["The first answer.", "A second one.", "And then a third."]));
    for (const text of ["One.", "Two.", "Three."]) expect(await ask(session, text)).toBe("done");
    const [first, second, third] = answers(session.view).map((entry) => entry.usage);
    for (const [before, after] of [
      [first, second],
      [second, third],
    ] as const)
      expect(after?.cachedTokens).toBeGreaterThanOrEqual((before?.promptTokens ?? 0) * 0.98);
    expect(third?.cachedAbout).toBeUndefined();
  });

  test("with a template that requires alternating roles continues after a compaction", { timeout }, async () => {
    const long = (name: string): string =>
      Array.from({ length: 60 }, (_, at) => `${name} rule ${at * 7} moves part ${at * 13}.`).join(" ");
    const texts = ["one", "two", "three", "four", "five", "six"].map(long);
    const model = { ...textsOf(texts), otherwise: "The rules were listed.", alternates: true };
    const { session } = await benchFor(model, { toolMode: "react", window: 65_536 });
    for (const text of ["One", "Two", "Three", "Four", "Five", "Six"])
      expect(await ask(session, `${text}?`)).toBe("done");
    const started = session.compact(undefined, command());
    expect(started.ok && (await started.value.done)).toBe("done");
    const compaction = pathEntries(session.view).find((entry) => entry.kind === "compaction");
    expect(compaction).toMatchObject({ state: "done" });
    expect(compaction).not.toHaveProperty("mechanical");
    expect(await ask(session, "And now?")).toBe("done");
    expect(await ask(session, "And then?")).toBe("done");
    expect(kinds(session.view)).not.toContain("error");
  });

  test("with a smaller window than configured refuses once; the run compacts and continues", { timeout }, async () => {
    const long = Array.from({ length: 40 }, (_, at) => `Point ${at * 11} names part ${at * 17}.`).join(" ");
    const texts = ["The first.", "The second.", "The third.", "The fourth.", "The fifth.", "The sixth.", "Seventh."];
    const { session } = await benchFor(textsOf(texts), {
      window: 12_288,
      configuredWindow: 65_536,
      toolMode: "native",
    });
    for (const text of ["one", "two", "three", "four", "five", "six"])
      expect(await ask(session, `${text}: ${long}`)).toBe("done");
    const refusals = pathEntries(session.view).filter(
      (entry) => entry.kind === "retry" && entry.error.code === "window_full",
    );
    expect(refusals.length).toBeLessThanOrEqual(1);
    expect(kinds(session.view)).toContain("compaction");
    expect(kinds(session.view)).not.toContain("error");
  });

  test("killed in mid-answer and restarted gets the request again", { timeout }, async () => {
    const text = Array.from({ length: 4_000 }, (_, at) => `${at}`).join(" ");
    const { rig, server, session } = await benchFor(textsOf([text]));
    // Enough retries for a slow restart.
    rig.settings.current = { ...rig.settings.current, retries: 10 };
    const writes = new Promise<void>((resolve) => {
      const end = session.subscribe(() => {
        const open = answers(session.view).at(-1);
        if (open?.blocks.some((block) => block.type === "text") === true) {
          end();
          resolve();
        }
      });
    });
    const done = ask(session, "Count.");
    await writes;
    await server.kill();
    await server.restart();
    expect(await done).toBe("done");
    expect(kinds(session.view)).toContain("retry");
    expect(lastText(session.view).endsWith("3998 3999")).toBe(true);
  });
});
