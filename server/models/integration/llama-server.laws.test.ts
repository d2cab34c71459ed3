/**
 * Sessions over a real llama-server: real templates, parsers, window and prompt cache, with a model whose output is
 * scripted.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ToolMode } from "@/lib/events/event";
import { lawCases } from "@/lib/testing/law-runs";
import { type Entry, pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { waitForView } from "@/server/session/testing/test-harness";
import { findServerForLaws, type LlamaServer, startLlamaServer } from "./test-llama-server";
import { makeModelRig, type ModelRig } from "./test-model-rig";
import {
  answersOf,
  copyNotesOutputs,
  nextCommandId,
  openTinySession,
  sendPrompt,
  tinyModelWith,
} from "./test-tiny-session";

const { program, isFound, title, timeout } = await findServerForLaws();

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
  // A session waits for the list for a short time only, which a busy machine may exceed.
  const listed = await rig.access.connections.models({ id: connection });
  if (!listed.ok) throw new Error(listed.error.code);
  const session = await openTinySession(rig, { name: "", connection, toolMode });
  return { rig, server, session };
}

const kinds = (view: SessionView): readonly Entry["kind"][] => pathEntries(view).map((entry) => entry.kind);
const lastText = (view: SessionView): string =>
  answersOf(view)
    .at(-1)
    ?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("") ?? "";

describe.skipIf(!isFound)(title, () => {
  test.each(lawCases(["native", "react", "xml"] as const))(
    "completes a task with calls made as %s",
    { timeout },
    async (toolMode) => {
      const { rig, session } = await benchFor(tinyModelWith(...copyNotesOutputs[toolMode]), { toolMode });
      writeFileSync(join(rig.root, "notes.txt"), "a line of notes\n");
      expect(await sendPrompt(session, "Copy the notes.")).toBe("done");
      const calls = answersOf(session.view).flatMap((entry) =>
        entry.calls.map(({ name, state }) => `${name} ${state}`),
      );
      expect(calls).toEqual(["read ok", "write ok"]);
      expect(readFileSync(join(rig.root, "copy.txt"), "utf8").trim()).toBe("the copied line");
      expect(lastText(session.view)).toContain("Both files are there.");
      expect(kinds(session.view)).not.toContain("error");
    },
  );

  test("separates the thinking of a thinking model from its answer", { timeout }, async () => {
    const model = { answers: [{ thinking: "The user greets me.", text: "Good morning to you." }] };
    const { session } = await benchFor(model);
    expect(await sendPrompt(session, "Good morning.")).toBe("done");
    const [answer] = answersOf(session.view);
    expect(answer?.blocks.map((block) => block.type)).toEqual(["thinking", "text"]);
    expect(lastText(session.view).trim()).toBe("Good morning to you.");
  });

  test("reads only the new part of the prompt, by its own count", { timeout }, async () => {
    const { session } = await benchFor(tinyModelWith("The first answer.", "A second one.", "And then a third."));
    for (const text of ["One.", "Two.", "Three."]) expect(await sendPrompt(session, text)).toBe("done");
    const [first, second, third] = answersOf(session.view).map((entry) => entry.usage);
    for (const [before, after] of [
      [first, second],
      [second, third],
    ] as const)
      expect(after?.cachedTokens).toBeGreaterThanOrEqual((before?.promptTokens ?? 0) * 0.98);
    expect(third?.cachedAbout).toBeUndefined();
  });

  test("reads no more of the prompt after a title than without one", { timeout }, async () => {
    const answers = ["The first answer.", "A second one."];
    const { session, rig } = await benchFor(tinyModelWith(...answers));
    rig.settings.current = { ...rig.settings.current, modelTitles: true };
    expect(await sendPrompt(session, "One.")).toBe("done");
    // The model answers by the number of earlier answers, so that both requests get the second one.
    await waitForView(session, (view) => view.title === "A second one");
    expect(await sendPrompt(session, "Two.")).toBe("done");
    const [first, second] = answersOf(session.view).map((entry) => entry.usage);
    expect(second?.cachedTokens).toBeGreaterThanOrEqual((first?.promptTokens ?? 0) * 0.98);
  });

  test("with a template that requires alternating roles continues after a compaction", { timeout }, async () => {
    const long = (name: string): string =>
      Array.from({ length: 60 }, (_, at) => `${name} rule ${at * 7} moves part ${at * 13}.`).join(" ");
    const texts = ["one", "two", "three", "four", "five", "six"].map(long);
    const model = { ...tinyModelWith(...texts), otherwise: "The rules were listed.", alternates: true };
    const { session } = await benchFor(model, { toolMode: "react", window: 65_536 });
    for (const text of ["One", "Two", "Three", "Four", "Five", "Six"])
      expect(await sendPrompt(session, `${text}?`)).toBe("done");
    const started = session.compact(undefined, nextCommandId());
    expect(started.ok && (await started.value.done)).toBe("done");
    const compaction = pathEntries(session.view).find((entry) => entry.kind === "compaction");
    expect(compaction).toMatchObject({ state: "done" });
    expect(compaction).not.toHaveProperty("mechanical");
    expect(await sendPrompt(session, "And now?")).toBe("done");
    expect(await sendPrompt(session, "And then?")).toBe("done");
    expect(kinds(session.view)).not.toContain("error");
  });

  test("with a smaller window than configured refuses once; the run compacts and continues", { timeout }, async () => {
    const long = Array.from({ length: 40 }, (_, at) => `Point ${at * 11} names part ${at * 17}.`).join(" ");
    const texts = ["The first.", "The second.", "The third.", "The fourth.", "The fifth.", "The sixth.", "Seventh."];
    const { session } = await benchFor(tinyModelWith(...texts), {
      window: 12_288,
      configuredWindow: 65_536,
      toolMode: "native",
    });
    for (const text of ["one", "two", "three", "four", "five", "six"])
      expect(await sendPrompt(session, `${text}: ${long}`)).toBe("done");
    const refusals = pathEntries(session.view).filter(
      (entry) => entry.kind === "retry" && entry.error.code === "window_full",
    );
    expect(refusals.length).toBeLessThanOrEqual(1);
    expect(kinds(session.view)).toContain("compaction");
    expect(kinds(session.view)).not.toContain("error");
  });

  test("killed in mid-answer and restarted gets the request again", { timeout }, async () => {
    const text = Array.from({ length: 4_000 }, (_, at) => `${at}`).join(" ");
    const { rig, server, session } = await benchFor(tinyModelWith(text));
    // Enough retries for a slow restart.
    rig.settings.current = { ...rig.settings.current, retries: 10 };
    const writes = new Promise<void>((resolve) => {
      const end = session.subscribe(() => {
        const open = answersOf(session.view).at(-1);
        if (open?.blocks.some((block) => block.type === "text") === true) {
          end();
          resolve();
        }
      });
    });
    const done = sendPrompt(session, "Count.");
    await writes;
    await server.kill();
    await server.restart();
    expect(await done).toBe("done");
    expect(kinds(session.view)).toContain("retry");
    expect(lastText(session.view).endsWith("3998 3999")).toBe(true);
  });
});
