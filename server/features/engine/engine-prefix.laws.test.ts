/** The start of a prompt is read once: by the server's own count in long sessions, and byte by byte over a restart. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ToolMode } from "@/lib/events/event";
import { lawCases } from "@/lib/testing/law-runs";
import type { SessionView } from "@/lib/view/view";
import {
  answersOf,
  callText,
  nextCommandId,
  sendPrompt,
  tinyModelWith,
} from "@/server/models/integration/test-tiny-session";
import { errorCodesOf, makeEngineRig, openEngine, writeRecordingProgram } from "./test-engine-rig";

const found = await findLlamaServer();
const program = found.program ?? "";
const title = found.program === null ? `the engine's prefix (skipped: ${found.why})` : "the engine's prefix";

const toolModes = ["native", "react", "xml"] as const;
const timeout = 300_000;
/** tokens */
const window = 65_536;

/** A model that in each turn reads a file, writes one and reports it. */
function makeWorkingModel(mode: ToolMode, turns: number): TinyModel {
  const say = (text: string): string => (mode === "react" ? `Thought: ${text}` : text);
  const texts = Array.from({ length: turns }, (_, turn) => [
    `${say(`Turn ${turn} begins.`)}\n${callText(mode, "read", { path: "notes.txt" })}`,
    `${say(`Turn ${turn} goes on.`)}\n${callText(mode, "write", { path: `copy-${turn}.txt`, content: `Copy ${turn}` })}`,
    `${mode === "react" ? "Final Answer: " : ""}Turn ${turn} is done.`,
  ]);
  return { ...tinyModelWith(...texts.flat()), context: window };
}

async function makeWorkRig(toolMode: ToolMode, turns: number, used = program) {
  const bench = await makeEngineRig(used);
  writeFileSync(join(bench.rig.root, "notes.txt"), "Größe 大小 👩‍👩‍👧\n");
  await bench.add("tiny", makeWorkingModel(toolMode, turns));
  return { ...bench, work: () => bench.session("tiny", { toolMode, numCtx: window }) };
}

/** One line, as many users write it: the sessions share most of their first prompts. */
const shortPrompt = (turn: number, session: number): string => `Please do turn ${turn} of the session ${session} now.`;

/**
 * By the server's own counts, each request after the first found the whole previous prompt in the cache. A border costs
 * no token: a prompt ends with a token of the template, which no text can be joined with.
 */
function expectWholePrefixes(view: SessionView): void {
  const usages = answersOf(view).map(({ usage }) => usage);
  for (const [index, before] of usages.slice(0, -1).entries()) {
    const { promptTokens = 0 } = before ?? {};
    expect(promptTokens).toBeGreaterThan(0);
    expect(usages[index + 1]?.cachedTokens).toBeGreaterThanOrEqual(promptTokens);
  }
}

describe.skipIf(found.program === null)(title, () => {
  test.each(lawCases(toolModes))("is kept in twelve turns with calls made as %s", { timeout }, async (toolMode) => {
    const { rig, work } = await makeWorkRig(toolMode, 12);
    const talk = await work();
    for (let turn = 0; turn < 12; turn += 1) expect(await sendPrompt(talk, `Do turn ${turn}.`)).toBe("done");
    expect(answersOf(talk.view)).toHaveLength(36);
    expect(errorCodesOf(talk.view)).toEqual([]);
    expect(existsSync(join(rig.root, "copy-11.txt"))).toBe(true);
    expectWholePrefixes(talk.view);
  });

  test("is kept by each of two sessions that alternate, calls included", { timeout }, async () => {
    const { work } = await makeWorkRig("native", 6);
    const talks = [await work(), await work()];
    for (let turn = 0; turn < 6; turn += 1)
      for (const [index, talk] of talks.entries())
        expect(await sendPrompt(talk, shortPrompt(turn, index))).toBe("done");
    for (const talk of talks) expectWholePrefixes(talk.view);
  });

  test.each(lawCases(toolModes))(
    "has the same bytes after a restart of gopi-web, with calls made as %s",
    {
      timeout,
    },
    async (toolMode) => {
      const recording = writeRecordingProgram(program);
      const { rig, work } = await makeWorkRig(toolMode, 4, recording.program);
      const talk = await work();
      for (let turn = 0; turn < 2; turn += 1) expect(await sendPrompt(talk, `Do turn ${turn}.`)).toBe("done");
      const services = rig.restart();
      await rig.leftovers.cleanUp();
      await openEngine({ ...rig, ...services }, recording.program);
      await services.projects.open(rig.root);
      const same = services.registry.get(talk.id);
      if (same === undefined) throw new Error("the session is missing");
      // A restart ends the full mode.
      same.update({ mode: "full" }, nextCommandId());
      for (let turn = 2; turn < 4; turn += 1) expect(await sendPrompt(same, `Do turn ${turn}.`)).toBe("done");

      const requests = recording.requests();
      expect(requests).toHaveLength(12);
      for (const [index, before] of requests.slice(0, -1).entries()) {
        const next = requests[index + 1];
        expect(next?.prompt.startsWith(before.prompt)).toBe(true);
        // The messages end with a bracket.
        expect(next?.messages.startsWith(before.messages.slice(0, -1))).toBe(true);
        expect(next?.tools).toBe(before.tools);
      }
      const cached = answersOf(same.view).map(({ usage }) => usage?.cachedTokens);
      // The cache of the new process is empty, so its first request reads everything.
      expect(cached.flatMap((tokens, index) => (tokens === 0 ? [index] : []))).toEqual([0, 6]);
    },
  );
});
