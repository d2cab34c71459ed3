import { describe, expect, it } from "vitest";
import type { Usage } from "@/lib/events/content";
import { type CountedText, zeroScriptCounts } from "@/lib/text/estimate-tokens";
import { updateFromAnswer, updateLoadTime, updateReadSpeed, roundNote } from "./update-note";
import { countsWholePrompt } from "../ollama/ollama-service";

const usage: Usage = {
  promptTokens: 1_200,
  estimatedPromptTokens: 1_000,
  outputTokens: 100,
  loadMs: 40,
  promptMs: 500,
  outputMs: 4_000,
};

/** A count without information on scripts. */
const nothingNew: CountedText = { counts: zeroScriptCounts, tokens: 0 };

describe("an answer", () => {
  it("updates the writing speed and the token ratio", () => {
    expect(updateFromAnswer({}, usage, nothingNew)).toEqual({ writePerSecond: 25, tokenRatio: 1.2 });
  });

  it("changes a known value by 30 percent of the difference", () => {
    const before = { writePerSecond: 35, tokenRatio: 1, loadMs: 2_000, numCtx: 8_192 };
    expect(roundNote(updateFromAnswer(before, { ...usage, loadMs: 4_000 }, nothingNew))).toEqual({
      writePerSecond: 32,
      tokenRatio: 1.06,
      loadMs: 2_600,
      numCtx: 8_192,
    });
  });

  it.each<[string, Partial<Usage>, object]>([
    ["few tokens", { outputTokens: 5 }, { tokenRatio: 1.2 }],
    ["no time", { outputMs: 0 }, { tokenRatio: 1.2 }],
    ["no count", { promptTokens: 0 }, { writePerSecond: 25 }],
    ["a short prompt", { estimatedPromptTokens: 100, promptTokens: 120 }, { writePerSecond: 25 }],
    ["a cut prompt", { estimatedPromptTokens: 8_000, promptTokens: 2_000 }, { writePerSecond: 25 }],
    ["a count a little low", { promptTokens: 550 }, { writePerSecond: 25, tokenRatio: 0.6 }],
    ["a count far too high", { promptTokens: 9_000 }, { writePerSecond: 25, tokenRatio: 6 }],
    ["a load", { loadMs: 3_000 }, { writePerSecond: 25, tokenRatio: 1.2, loadMs: 3_000 }],
  ])("with %s updates what it can", (_name, more, note) => {
    expect(updateFromAnswer({}, { ...usage, ...more }, nothingNew)).toEqual(note);
  });

  it("with counts that exclude cached tokens updates no ratio", () => {
    expect(updateFromAnswer({}, usage, null)).toEqual({ writePerSecond: 25 });
  });

  it("updates the reading speed only after reading for long enough", () => {
    expect(updateReadSpeed({}, 1_000, 2_000)).toEqual({ readPerSecond: 500 });
    expect(updateReadSpeed({ readPerSecond: 400 }, 1_000, 2_000)).toEqual({ readPerSecond: 430 });
    expect(updateReadSpeed({}, 100, 2_000)).toEqual({});
    expect(updateReadSpeed({}, 1_000, 20)).toEqual({});
    expect(updateLoadTime({}, 20)).toEqual({});
    expect(updateLoadTime({}, 6_000)).toEqual({ loadMs: 6_000 });
  });

  it("is stored in three digits", () => {
    expect(roundNote({ writePerSecond: 31.4159, loadMs: 12_345, numCtx: 8_192 })).toEqual({
      writePerSecond: 31.4,
      loadMs: 12_300,
      numCtx: 8_192,
    });
  });
});

describe("prompt counts", () => {
  it.each([
    ["0.32.1", true],
    ["v0.30.1-rc2", true],
    ["0.30.1", true],
    ["0.30.0", false],
    ["0.29.5", true],
    ["0.12.10", true],
    ["0.4.7", false],
    ["0.1.32", false],
    ["1.0.0", true],
    ["0.0.0", true],
    ["main", true],
    [undefined, true],
  ])("of version %s include cached tokens: %s", (version, whole) => {
    expect(countsWholePrompt(version)).toBe(whole);
  });
});
