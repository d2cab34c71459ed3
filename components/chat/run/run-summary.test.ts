import { describe, expect, test } from "vitest";
import type { Usage } from "@/lib/events/content";
import { asId, type CallId, type MessageId, type RunId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallState, CallView, Entry } from "@/lib/view/view";
import { newestCachedPrefix, type CachedPrefix, summariseRun } from "./run-summary";

const runId = asId<RunId>("r");
const usage = (promptTokens: number, cachedTokens?: number): Usage => ({
  promptTokens,
  estimatedPromptTokens: promptTokens,
  outputTokens: 100,
  loadMs: 10,
  promptMs: 200,
  outputMs: 3_000,
  cachedTokens,
});
type End = Extract<Entry, { kind: "run_end" }>;
const start: Entry = { kind: "run_start", seq: 1, at: 0, runId, from: 0 };
const end: End = { kind: "run_end", seq: 99, at: 9_000, runId, reason: "done", startedAt: 0, waitedMs: 0, steps: 2 };
const answer = (reported: Usage, calls: readonly CallView[] = []): Entry => ({
  kind: "message",
  seq: 2,
  messageId: asId<MessageId>("m"),
  role: "assistant",
  at: 0,
  stop: "done",
  blocks: [],
  calls,
  usage: reported,
});
const compaction: Entry = { kind: "compaction", seq: 5, at: 0, state: "done", tokensBefore: 9_000, tokensAfter: 2_000 };
const cachedShare = (entries: readonly Entry[]): number | null =>
  summariseRun([...entries, end], entries.length, end).cachedPrefix?.share ?? null;

test.each<[string, readonly Entry[], number | null]>([
  ["all of the request before", [start, answer(usage(1_000, 0)), answer(usage(1_200, 1_000))], 1],
  [
    "cached tokens beyond the previous prompt count as all of it",
    [start, answer(usage(1_000, 0)), answer(usage(1_200, 1_150))],
    1,
  ],
  ["a part of it", [start, answer(usage(1_000, 0)), answer(usage(1_200, 900))], 0.9],
  [
    "several requests are weighted by their size",
    [start, answer(usage(1_000, 0)), answer(usage(3_000, 1_000)), answer(usage(4_000, 1_000))],
    0.5,
  ],
  ["the last request of the previous run counts too", [answer(usage(1_000)), start, answer(usage(1_500, 800))], 0.8],
  ["a first request has no cacheable prefix", [start, answer(usage(1_000, 0))], null],
  ["a server that reports no cached tokens has no share", [start, answer(usage(1_000)), answer(usage(1_200))], null],
  [
    "a compaction resets the prefix inside a run",
    [start, answer(usage(9_000, 0)), compaction, answer(usage(2_000, 500)), answer(usage(2_200, 2_000))],
    1,
  ],
  ["and before a run", [answer(usage(9_000)), compaction, start, answer(usage(2_000, 500))], null],
])("cached prefix: %s", (_name, entries, expected) => expect(cachedShare(entries)).toBe(expected));

describe("tokens read again", () => {
  const at = (ms: number, reported: Usage): Entry => ({ ...answer(reported), at: ms });
  const moved = (count: number): readonly Entry[] =>
    Array.from({ length: count }, (_, index) => at(index, usage(2_000 + index, index === 0 ? 2_000 : 100)));
  const summary = (...entries: readonly Entry[]) => summariseRun([...entries, end], entries.length, end);

  test.each<[string, readonly Entry[], number]>([
    ["a prompt that was cached before", [start, at(0, usage(2_000, 0)), at(1, usage(2_100, 300))], 1_700],
    ["also across the start of the run", [at(0, usage(2_000, 0)), start, at(1, usage(2_100, 300))], 1_700],
    ["not in an earlier run", [at(0, usage(2_000, 0)), at(1, usage(2_100, 300)), start, at(2, usage(2_200, 2_100))], 0],
    ["not half of it", [start, at(0, usage(2_000, 0)), at(1, usage(2_100, 1_000))], 0],
    ["not a short one", [start, at(0, usage(900, 0)), at(1, usage(1_000, 0))], 0],
    ["not after a pause", [start, at(0, usage(2_000, 0)), at(300_001, usage(2_100, 0))], 0],
    ["not after a compaction", [start, at(0, usage(9_000, 0)), compaction, at(1, usage(2_000, 0))], 0],
    ["not by an estimate", [start, at(0, usage(2_000)), at(1, { ...usage(2_100, 0), cachedAbout: true })], 0],
    ["not without a count", [start, at(0, usage(2_000)), at(1, usage(2_100))], 0],
  ])("%s", (_name, entries, tokens) => expect(summary(...entries).readAgain).toBe(tokens));

  test("are reported to happen often from the third time in a session on", () => {
    expect(summary(start, ...moved(3)).movesOften).toBe(false);
    expect(summary(...moved(3), start, ...moved(2).slice(1)).movesOften).toBe(true);
    expect(summary(start, ...moved(4)).movesOften).toBe(true);
    expect(summary(...moved(5), start, at(9, usage(2_100, 2_000))).movesOften).toBe(false);
  });
});

test("the hosts that a router names are listed once, in order", () => {
  const by = (servedBy: string): Entry => answer({ ...usage(100), servedBy });
  const entries = [by("h9"), start, by("h1"), answer(usage(100)), by("h2"), by("h1")];
  expect(summariseRun([...entries, end], entries.length, end).servedBy).toEqual(["h1", "h2"]);
});

test("server times and tokens add up over the answers of this run only", () => {
  const entries = [answer(usage(7_000)), start, answer(usage(1_000)), answer(usage(1_200)), end];
  expect(summariseRun(entries, 4, end).server).toEqual({
    answers: 2,
    loadMs: 20,
    readMs: 400,
    writeMs: 6_000,
    promptTokens: 2_200,
    outputTokens: 200,
  });
});

test("the time to first token is that of the run's first answer", () => {
  const entries = [
    answer({ ...usage(900), firstTokenMs: 5 }),
    start,
    answer({ ...usage(1_000), firstTokenMs: 850 }),
    answer({ ...usage(1_200), firstTokenMs: 90 }),
  ];
  expect(summariseRun([...entries, end], 4, end).firstTokenMs).toBe(850);
  expect(summariseRun([start, answer(usage(1_000)), end], 2, end).firstTokenMs).toBeNull();
});

test("the session's prefix share is that of the newest ended run", () => {
  const run = [start, answer(usage(1_000, 0)), answer(usage(1_200, 600)), end];
  expect(
    newestCachedPrefix([...run, { kind: "run_start", seq: 100, at: 1, runId: asId<RunId>("r2"), from: 99 }]),
  ).toEqual<CachedPrefix>({
    share: 0.6,
    isEstimate: false,
  });
  const estimated = [start, answer(usage(1_000)), answer({ ...usage(1_200, 600), cachedAbout: true }), end];
  expect(newestCachedPrefix(estimated)).toEqual<CachedPrefix>({ share: 0.6, isEstimate: true });
  expect(newestCachedPrefix([start, answer(usage(1_000, 0))])).toBeNull();
});

describe("durations", () => {
  const times = (more: Partial<End>) => {
    const { workedMs, waitedMs } = summariseRun([start], 1, { ...end, ...more });
    return [workedMs, waitedMs];
  };
  test.each<[string, Partial<End>, readonly [number | null, number]]>([
    ["a run without a card", { at: 9_000 }, [9_000, 0]],
    ["a run that waited", { at: 45_300, waitedMs: 43_000 }, [2_300, 43_000]],
    ["a wait as short as a click is not counted", { at: 2_000, waitedMs: 300 }, [1_700, 0]],
    ["killed before a checkpoint", { at: 7, reason: "interrupted" }, [null, 0]],
    ["killed after a checkpoint", { at: 3_500, reason: "interrupted" }, [3_500, 0]],
    ["killed soon, with a card that waited", { at: 60_007, waitedMs: 60_000, reason: "interrupted" }, [null, 60_000]],
    ["a clock that was set back", { at: -5_000 }, [0, 0]],
  ])("%s", (_name, more, expected) => expect(times(more)).toEqual(expected));
});

test("the speed covers generation only, over the answers with both figures", () => {
  const speedOf = (...usages: readonly Usage[]) => {
    const entries = [start, ...usages.map((each) => answer(each)), { ...end, at: 900_000, waitedMs: 500_000 }];
    return summariseRun(entries, entries.length - 1, { ...end, at: 900_000, waitedMs: 500_000 }).tokensPerSecond;
  };
  // 100 tokens in 3 s each, independent of the run's duration.
  expect(speedOf(usage(1_000), usage(1_200))).toBeCloseTo(33.33, 1);
  expect(speedOf(usage(1_000), { ...usage(1_200), outputMs: 0, outputTokens: 5_000 })).toBeCloseTo(33.33, 1);
  expect(speedOf(usage(1_000), { ...usage(1_200), outputTokens: 0 })).toBeCloseTo(33.33, 1);
  expect(speedOf({ ...usage(1_000), outputMs: 0 })).toBeNull();
});

test("calls that were denied or refused are counted, and commands among them, but not those that failed", () => {
  const call = (kind: string, state: CallState, facts: CallFacts = {}): CallView => {
    return { callId: asId<CallId>("c"), name: kind, kind, target: "", approvals: [], state, facts };
  };
  const calls = [
    call("shell", "error", { code: "blocked", refusedBy: "rm" }),
    call("shell", "denied", { code: "denied" }),
    call("edit", "error", { code: "plan_mode" }),
    call("edit", "error", { code: "tool_failed" }),
    call("read", "ok"),
  ];
  const summary = summariseRun([start, answer(usage(1), calls), end], 2, end);
  expect(summary).toMatchObject({ commands: 0, refused: 3, refusedCommands: 2 });
});
