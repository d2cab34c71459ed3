/**
 * Parts of a compaction: choice of retained messages, content of the head, trigger, and detection of a truncated
 * prompt.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Block, joinTextBlocks, type Usage } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import { asId, type CallId, type MessageId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { testSessionId } from "@/lib/testing/test-log";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { emptyView, type SessionView } from "@/lib/view/view";
import { changedFiles, findInstructions, mechanicalSummary, findOpenTodos } from "./compaction-facts";
import { buildCompactionHead, replaceSummary, fitStart, countHeadTokens } from "./compaction-head";
import { chooseRetainedTail, type ContextUnit } from "./retained-tail";
import { compactionThreshold, detectTruncatedPrompt, contextBudget } from "../context/context-budget";

const view = (events: readonly DurableEvent[]): SessionView =>
  events.reduce<SessionView>(
    (now, event) => fold(now, { v: 1, sessionId: testSessionId, seq: now.seq + 1, at: 1, event }),
    emptyView(testSessionId),
  );
let ids = 0;
const message = (role: "user" | "assistant", text: string, more: readonly Block[] = []): readonly DurableEvent[] => {
  const messageId = asId<MessageId>(`m${(ids += 1)}`);
  return [
    { type: "message_start", messageId, role },
    { type: "message_end", messageId, blocks: [{ type: "text", text }, ...more], stop: "done" },
  ];
};
const shell = (command: string, exit: number, output: string, path?: string): readonly DurableEvent[] => {
  const callId = asId<CallId>(`c${(ids += 1)}`);
  const [start, end] = message("assistant", "", [{ type: "call", callId, name: "bash", input: { command } }]);
  if (start === undefined || end === undefined || start.type !== "message_start") throw new Error("no message");
  const { messageId } = start;
  return [
    start,
    end,
    { type: "tool_call_start", callId, messageId, kind: "shell", target: command, facts: {} },
    {
      type: "tool_call_end",
      callId,
      outcome: exit === 0 ? "ok" : "error",
      output: [{ type: "text", text: output }],
      facts: { exit },
      ...(path === undefined ? {} : { changes: [{ path, before: null, after: asId("h"), added: 3, removed: 1 }] }),
      tookMs: 1,
    },
  ];
};

describe("chooseTail", () => {
  const unit = fc.record({
    own: fc.oneof(fc.integer({ min: 4, max: 900 }), fc.integer({ min: 900, max: 5_000 })),
    results: fc.array(fc.integer({ min: 5, max: 600 }), { maxLength: 5 }),
  });
  const cases = fc.tuple(fc.array(unit, { maxLength: 30 }), fc.constantFrom(4_096, 8_192, 16_384), fc.nat(), fc.nat());

  test("retains whole units from the end and the required ones, within the count and token limits", () => {
    fc.assert(
      fc.property(cases, ([sizes, window, share, pick]) => {
        const units: readonly ContextUnit[] = sizes.map((one, index) => ({ ...one, seq: 10 * (index + 1) }));
        const results = units.findLast((one) => one.results.length > 0)?.seq ?? null;
        const words = units.length > 0 && pick % 3 === 0 ? [units[pick % units.length]?.seq ?? 0] : [];
        const fixedTokens = (window * (share % 45)) / 100;
        const budget = {
          keep: 1 + (pick % 12),
          aim: window * 0.4 - fixedTokens,
          max: window * 0.475 - fixedTokens,
          most: window - 256 - fixedTokens,
          results: window < 8_192 ? window / 8 : Number.POSITIVE_INFINITY,
          resultsLeast: window / 16,
          from: 10 * (pick % 20),
        };
        const tail = chooseRetainedTail(units, { results, words }, budget);
        const retained = units.filter((one) => one.seq >= (tail?.from ?? 0) || tail?.also.includes(one.seq) === true);
        const price = (list: readonly ContextUnit[], most: number): number =>
          list.reduce((sum, one) => one.results.reduce((all, size) => all + Math.min(size, most), sum + one.own), 0);
        const spoken = units.filter((one) => words.includes(one.seq));
        if (tail === null) {
          expect(price(spoken, Number.POSITIVE_INFINITY)).toBeGreaterThan(budget.most);
          return;
        }
        expect(tail.tokens).toBeLessThanOrEqual(budget.most);
        expect(tail.from).toBeGreaterThanOrEqual(budget.from);
        expect(retained.length).toBeLessThanOrEqual(Math.max(budget.keep, new Set([...words, results]).size));
        for (const seq of words) expect(retained.some((one) => one.seq === seq)).toBe(true);
        const each =
          tail.resultTokens === undefined
            ? Number.POSITIVE_INFINITY
            : tail.resultTokens + serverLimits.messageOverheadTokens;
        expect(tail.tokens).toBe(price(retained, each));
        // The newest results are missing only if they do not fit even when cut to the minimum.
        if (results !== null && !retained.some((one) => one.seq === results)) {
          const least = units.filter((one) => one.seq === results || words.includes(one.seq));
          expect(price(least, 24)).toBeGreaterThan(budget.most);
        }
        expect(tail.shortens).toBe(retained.length < units.length || tail.resultTokens !== undefined);
      }),
      { numRuns: 500 },
    );
  });

  test("retains the last eight if they fit; required older messages replace newer ones", () => {
    const units = Array.from({ length: 20 }, (_, index) => ({
      seq: index + 1,
      own: 10,
      results: index === 2 ? [10] : [],
    }));
    const budget = { keep: 8, aim: 1_000, max: 1_000, most: 1_000, results: 1_000, resultsLeast: 0, from: 0 };
    expect(chooseRetainedTail(units, { results: 3, words: [] }, budget)).toEqual({
      from: 14,
      also: [3],
      tokens: 90,
      shortens: true,
    });
    expect(chooseRetainedTail(units, { results: 3, words: [1] }, budget)).toMatchObject({ from: 15, also: [1, 3] });
    expect(chooseRetainedTail(units.slice(0, 8), { results: 3, words: [] }, budget)).toMatchObject({
      from: 1,
      also: [],
      shortens: false,
    });
  });

  test("never extends the tail over messages that an earlier compaction dropped", () => {
    const units = [2, 40, 50, 60].map((seq) => ({ seq, own: 10, results: [] }));
    const budget = { keep: 8, aim: 1_000, max: 1_000, most: 1_000, results: 1_000, resultsLeast: 0, from: 35 };
    const tail = { from: 40, also: [2], tokens: 40, shortens: false };
    expect(chooseRetainedTail(units, { results: null, words: [2] }, budget)).toEqual(tail);
    expect(chooseRetainedTail(units, { results: null, words: [] }, budget)).toEqual(tail);
  });

  test("cuts large results and leaves small ones whole", () => {
    const units = [{ seq: 1, own: 10, results: [20, 500, 500] }];
    const budget = { keep: 8, aim: 200, max: 250, most: 900, results: 900, resultsLeast: 0, from: 0 };
    expect(chooseRetainedTail(units, { results: 1, words: [] }, budget)).toEqual({
      from: 1,
      also: [],
      resultTokens: 106,
      tokens: 250,
      shortens: true,
    });
  });
});

describe("compaction head", () => {
  const parts = {
    original: "Move the rules.",
    newest: null,
    files: ["a.ts (+3 -1)", "b.ts (deleted)"],
    todo: ["- [ ] write tests"],
    skills: ["skill:pdf"],
    summary: "Half of it is done.",
    contexts: [],
  };

  test("contains the instructions, files and open items verbatim, and the summary last", () => {
    const { blocks, truncated: cut } = buildCompactionHead({ ...parts, newest: "And note it." }, 512);
    const text = joinTextBlocks(blocks);
    for (const words of [
      "Move the rules.",
      "And note it.",
      "- a.ts (+3 -1)\n- b.ts (deleted)",
      "- [ ] write tests",
      ": skill:pdf",
    ])
      expect(text).toContain(words);
    expect(text.endsWith("Half of it is done.")).toBe(true);
    expect(cut).toEqual({ original: false, newest: false });
    expect(joinTextBlocks(replaceSummary(blocks, "My words.", 512))).toBe(
      text.replace("Half of it is done.", "My words."),
    );
  });

  test("stays within its tokens for any content and reports what was cut", () => {
    const words = fc
      .array(fc.constantFrom("word ", "苏黎世", "\n", "0x1f;", "🙂"), { maxLength: 2_500 })
      .map((all) => all.join(""));
    const lines = fc.array(
      fc.constantFrom("src/a.ts (+1 -1)", "a very/long/path/to/a/file/of/the/project.test.tsx (deleted)"),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        words,
        fc.option(words),
        lines,
        lines,
        lines,
        words,
        fc.constantFrom(508, 1_020, 2_044, 4_092),
        (original, newest, files, todo, skills, summary, max) => {
          const { blocks, truncated: cut } = buildCompactionHead(
            { original, newest, files, todo, skills, summary, contexts: [] },
            max,
          );
          expect(countHeadTokens(blocks)).toBeLessThanOrEqual(max);
          if (!cut.original) expect(joinTextBlocks(blocks)).toContain(original);
          if (newest !== null && !cut.newest) expect(joinTextBlocks(blocks)).toContain(newest);
          if (cut.original) expect(joinTextBlocks(blocks)).toContain("cut here to fit");
          expect(countHeadTokens(replaceSummary(blocks, summary + summary, max))).toBeLessThanOrEqual(max);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("lists files without line counts, then the last changed ones, before dropping other content", () => {
    const files = Array.from({ length: 40 }, (_, index) => `src/module-${index}.ts (+${index} -0)`);
    const short = joinTextBlocks(buildCompactionHead({ ...parts, files }, 2_000).blocks);
    for (const file of files) expect(short).toContain(file.split(" ")[0]);
    expect(short).not.toContain("(+3 -0)");
    const shorter = joinTextBlocks(buildCompactionHead({ ...parts, files }, 508).blocks);
    expect(shorter).toContain("src/module-0.ts, src/module-1.ts");
    expect(shorter).toMatch(/and \d+ more, changed earlier/);
  });

  test("fit cuts at the token limit, never inside a surrogate pair", () => {
    expect(fitStart("short", 10)).toBe("short");
    expect(fitStart("long ".repeat(100), 3)).toBe("");
    for (let tokens = 8; tokens < 60; tokens += 1) {
      const cut = fitStart("🙂".repeat(200), tokens);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens);
      expect(() => encodeURIComponent(cut)).not.toThrow();
    }
  });
});

describe("facts of the log", () => {
  test("first and newest instruction; Continue does not count", () => {
    expect(findInstructions(view([]))).toBeNull();
    const events = [
      ...message("user", "first"),
      ...message("assistant", "ok"),
      ...message("user", "second"),
      ...message("user", "Continue."),
    ];
    expect(findInstructions(view(events))).toEqual({
      first: { seq: 1, text: "first" },
      newest: { seq: 5, text: "second" },
    });
  });

  test("changed files with summed line counts, last changed first", () => {
    const events = [...shell("a", 0, "", "a.ts"), ...shell("b", 0, "", "b.ts"), ...shell("c", 0, "", "a.ts")];
    expect(changedFiles(view(events))).toEqual(["a.ts (+6 -2)", "b.ts (+3 -1)"]);
  });

  test.each([
    ["Plan:\n- [x] one\n- [ ] two\n  - [ ] three\n\n* [ ] four", ["- [ ] two", "- [ ] three", "- [ ] four"]],
    ["Old:\n- [ ] gone\n\nNew plan:\n1. [ ] here", ["- [ ] here"]],
    ["- [x] all\n- [X] done", []],
    ["No list, - [ ] not one either", []],
  ])("open items of the last checklist: %j", (text, open) => {
    expect(findOpenTodos(view([...message("assistant", text), ...message("user", "- [ ] the user's own")]))).toEqual(
      open,
    );
  });

  test("the last checklist counts even when all its items are done", () => {
    expect(
      findOpenTodos(
        view([...message("assistant", "- [ ] a"), ...message("assistant", "- [x] a"), ...message("assistant", "ok")]),
      ),
    ).toEqual([]);
  });

  test("the mechanical summary has steps, commands with outcomes, failures and the last text", () => {
    const events = [
      ...shell("npm test", 1, "2 failed\nmore"),
      ...shell("npm run lint", 0, "ok"),
      ...message("assistant", "Lint is fine."),
    ];
    const summary = mechanicalSummary(view(events));
    expect(summary).toContain("Steps taken so far: 3.");
    expect(summary).toContain("npm test → exit 1");
    expect(summary).toContain("npm run lint → exit 0");
    expect(summary).toContain("bash npm test: 2 failed");
    expect(summary).toContain("Lint is fine.");
    const compaction: readonly DurableEvent[] = [
      { type: "compaction_start", tokensBefore: 1 },
      { type: "compaction_end", head: [], summary: "The model's own.", keepFromSeq: 1, tokensAfter: 1 },
    ];
    expect(mechanicalSummary(view([...events, ...compaction]))).toContain("The model's own.");
  });
});

describe("compaction threshold", () => {
  test.each([
    [30, 3_000],
    [60, 6_000],
    [85, 8_500],
  ])("at %i %% of a window of 10,000 is %i", (percent, tokens) => {
    expect(
      compactionThreshold(emptyView(testSessionId), contextBudget({ window: 10_000, tokenRatio: 1 }), percent),
    ).toBe(tokens);
  });

  const compacted = (tokensAfter: number): SessionView =>
    view([
      { type: "compaction_start", tokensBefore: 1 },
      { type: "compaction_end", head: [], summary: "", keepFromSeq: 1, tokensAfter },
    ]);

  test("is 60 % of the window in force, in tokens of the server", () => {
    const thresholdFor = (window: number, tokenRatio: number) =>
      compactionThreshold(emptyView(testSessionId), contextBudget({ window, tokenRatio }), 60);
    expect(thresholdFor(10_000, 1)).toBe(6_000);
    expect(thresholdFor(10_000, 1.25)).toBe(6_000);
    expect(thresholdFor(10_000, Number.NaN)).toBe(6_000);
    expect(compactionThreshold(compacted(5_600), contextBudget({ window: 10_000, tokenRatio: 1 }), 60)).toBe(6_000);
  });

  test("rises by one step when the retained part is already large, and never exceeds the window", () => {
    expect(compactionThreshold(compacted(7_000), contextBudget({ window: 10_000, tokenRatio: 1 }), 60)).toBe(8_000);
    expect(compactionThreshold(compacted(9_500), contextBudget({ window: 10_000, tokenRatio: 1 }), 60)).toBe(
      10_000 - limits.windowReserveTokens,
    );
  });
});

describe("promptCut", () => {
  const usage = (read: number, estimate: number): Usage => ({
    promptTokens: read,
    estimatedPromptTokens: estimate,
    outputTokens: 1,
    loadMs: 0,
    promptMs: 0,
    outputMs: 0,
  });
  const facts = { window: 16_384, tokenRatio: 1 };

  test.each<[string, Usage, Usage | null, number, boolean]>([
    ["a fraction of what was sent", usage(2_051, 15_700), null, 1, true],
    ["as many as a window that did not grow with the prompt", usage(4_096, 6_000), usage(3_900, 4_000), 1, true],
    ["the same count for a prompt that grew", usage(4_056, 5_692), usage(4_056, 4_593), 1, true],
    ["nearly the same count for a prompt that grew a little", usage(4_100, 5_000), usage(4_056, 4_593), 1, false],
    ["a count that is not reported", usage(0, 15_700), usage(3_900, 4_000), 1, false],
    ["a tokenizer that needs fewer", usage(6_500, 10_000), null, 1, false],
    ["the same tokenizer on a longer prompt", usage(6_500, 10_000), usage(3_250, 5_000), 1, false],
    ["a ratio that was learned of Chinese, on English", usage(9_000, 10_000), null, 2.2, false],
    ["small prompts, where a frame counts", usage(200, 600), null, 1, false],
    ["more than was estimated", usage(14_000, 10_000), usage(6_900, 5_000), 1, false],
  ])("%s", (_name, now, before, tokenRatio, cut) => {
    const found = detectTruncatedPrompt(now, { ...facts, tokenRatio }, before, { imageTokens: 0, omissible: 0 });
    expect(found !== null).toBe(cut);
    if (found !== null)
      expect(found).toMatchObject({ code: "prompt_cut", facts: { read: now.promptTokens, window: 16_384 } });
  });

  test.each<[string, Usage, Usage | null, number, boolean]>([
    ["three images of 256 tokens each", usage(4_068, 5_604), usage(3_000, 3_000), 2_304, false],
    ["images of 64 tokens to a tokenizer with 4 times the tokens", usage(3_600, 1_612), usage(3_380, 803), 768, false],
    ["text after images of 4,000 tokens", usage(13_000, 6_536), usage(11_000, 4_536), 1_536, false],
    ["less than before the image", usage(4_096, 9_000), usage(8_000, 8_000), 768, true],
    ["a fraction of the text beside an image", usage(2_051, 15_700), null, 768, true],
  ])("with images: %s", (_name, now, before, imageTokens, cut) => {
    expect(detectTruncatedPrompt(now, facts, before, { imageTokens, omissible: 0 }) !== null).toBe(cut);
  });
});
