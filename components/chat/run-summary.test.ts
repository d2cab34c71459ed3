import { expect, test } from "vitest";
import type { Usage } from "@/lib/content";
import { asId, type MessageId, type RunId } from "@/lib/id";
import type { Entry } from "@/lib/view";
import { newestPrefixKept, summariseRun } from "./run-summary";

const runId = asId<RunId>("r");
const usage = (promptTokens: number, cachedTokens?: number): Usage => ({
  promptTokens,
  estimatedPromptTokens: promptTokens,
  outputTokens: 100,
  loadMs: 10,
  promptMs: 200,
  outputMs: 3_000,
  ...(cachedTokens === undefined ? {} : { cachedTokens }),
});
type End = Extract<Entry, { kind: "run_end" }>;
const start: Entry = { kind: "run_start", seq: 1, at: 0, runId, from: 0 };
const end: End = { kind: "run_end", seq: 99, at: 9_000, runId, reason: "done", startedAt: 0, steps: 2 };
const answer = (told: Usage): Entry => ({
  kind: "message",
  seq: 2,
  messageId: asId<MessageId>("m"),
  role: "assistant",
  at: 0,
  stop: "done",
  blocks: [],
  calls: [],
  usage: told,
});
const compaction: Entry = { kind: "compaction", seq: 5, at: 0, state: "done", tokensBefore: 9_000, tokensAfter: 2_000 };
const keptOf = (entries: readonly Entry[]): number | null =>
  summariseRun([...entries, end], entries.length, end).prefixKept?.share ?? null;

test.each<[string, readonly Entry[], number | null]>([
  ["all of the request before", [start, answer(usage(1_000, 0)), answer(usage(1_200, 1_000))], 1],
  [
    "tokens beyond the one before are no more than all",
    [start, answer(usage(1_000, 0)), answer(usage(1_200, 1_150))],
    1,
  ],
  ["a part of it", [start, answer(usage(1_000, 0)), answer(usage(1_200, 900))], 0.9],
  [
    "over several requests by their size",
    [start, answer(usage(1_000, 0)), answer(usage(3_000, 1_000)), answer(usage(4_000, 1_000))],
    0.5,
  ],
  ["the request of the run before counts too", [answer(usage(1_000)), start, answer(usage(1_500, 800))], 0.8],
  ["a first request has nothing to keep", [start, answer(usage(1_000, 0))], null],
  ["a server that tells no cached tokens is not guessed at", [start, answer(usage(1_000)), answer(usage(1_200))], null],
  [
    "a compaction begins anew, inside a run",
    [start, answer(usage(9_000, 0)), compaction, answer(usage(2_000, 500)), answer(usage(2_200, 2_000))],
    1,
  ],
  ["and before it", [answer(usage(9_000)), compaction, start, answer(usage(2_000, 500))], null],
])("prefix kept: %s", (_name, entries, kept) => expect(keptOf(entries)).toBe(kept));

test("times and tokens of the server add up over the answers of the run alone", () => {
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

test("the time to the first token is the one of the answer to the user's message", () => {
  const entries = [
    answer({ ...usage(900), firstTokenMs: 5 }),
    start,
    answer({ ...usage(1_000), firstTokenMs: 850 }),
    answer({ ...usage(1_200), firstTokenMs: 90 }),
  ];
  expect(summariseRun([...entries, end], 4, end).firstTokenMs).toBe(850);
  expect(summariseRun([start, answer(usage(1_000)), end], 2, end).firstTokenMs).toBeNull();
});

test("the newest run that has ended tells for the session", () => {
  const run = [start, answer(usage(1_000, 0)), answer(usage(1_200, 600)), end];
  expect(
    newestPrefixKept([...run, { kind: "run_start", seq: 100, at: 1, runId: asId<RunId>("r2"), from: 99 }]),
  ).toEqual({
    share: 0.6,
    isAbout: false,
  });
  const about = [start, answer(usage(1_000)), answer({ ...usage(1_200, 600), cachedAbout: true }), end];
  expect(newestPrefixKept(about)).toEqual({ share: 0.6, isAbout: true });
  expect(newestPrefixKept([start, answer(usage(1_000, 0))])).toBeNull();
});
