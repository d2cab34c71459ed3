/**
 * Tests of two hundred steps in small windows: no user text is lost, no request exceeds the window, no call pair is
 * broken.
 */
import { describe, expect, test } from "vitest";
import type { Settings } from "@/lib/settings/settings";
import { lawCases } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { DurableEvent, ToolMode } from "@/lib/events/event";
import type { ModelRequest } from "@/server/providers/provider";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { composeToolSchemas } from "@/server/tools/core/tool-source";
import { auditLog } from "../testing/test-audit";
import {
  brokenPairs,
  compactionGaps,
  isSummaryRequest,
  laterRequest,
  LongRun,
  makeProject,
  requestTokens,
  task,
} from "../testing/test-long-run";
import {
  type ScriptedAnswer,
  promptAndWait,
  testCommandId,
  type TestHarnessOptions,
  makeTestHarness,
  storedRows,
} from "../testing/test-harness";

/** As large as the budgets of the small and the default prompt allow. */
const promptFor = (window: number) => {
  const small = window <= 4_096;
  const tools = composeToolSchemas([builtInSource], small ? "small" : "default");
  const budget = (small ? 700 : 1_150) - estimateTokens(JSON.stringify(tools));
  return { system: "You are a coding agent. ".repeat(Math.floor(budget / 6)), tools };
};

const requestText = ({ messages }: ModelRequest): string =>
  messages.map((message) => `${message.text}\n${"calls" in message ? JSON.stringify(message.calls) : ""}`).join("\n");

const laterRequestStep = 40;

interface Trial {
  readonly window: number;
  readonly steps: number;
  /** Facts the program has about the model. */
  readonly facts?: TestHarnessOptions["facts"];
  /** Tokens the server counts for one token of our estimate. */
  readonly ratio?: number;
  /** Response of the server to a request, before the model's. */
  readonly greedy?: boolean;
  readonly toolMode?: ToolMode;
  /** First message of the user; contains the task. */
  readonly firstRequest?: string;
  readonly server?: (request: ModelRequest) => ScriptedAnswer | undefined;
  readonly settings?: Partial<Settings>;
}

/** Runs to the end and checks every request to the model. */
async function longRun(trial: Trial) {
  const { window, steps, facts, ratio = 1, server, greedy = false, firstRequest = task, toolMode } = trial;
  const run = new LongRun(
    steps,
    (step) => {
      if (step === laterRequestStep) session.send(laterRequest, "steer", testCommandId());
    },
    greedy,
  );
  // Above 75 % a small window cannot hold the whole conversation and its summary: the summary request is shortened.
  const isTight = (trial.settings?.compactionPercent ?? 60) > 75;
  const judge = makeRequestCheck(window, ratio, server !== undefined || greedy || isTight);
  const harness = await makeTestHarness({
    numCtx: window,
    prompt: promptFor(window),
    facts,
    answer(request) {
      const response = server?.(request);
      if (response !== undefined) return response;
      judge(request, run);
      return run.answer(request);
    },
  });
  harness.settings.current = { ...harness.settings.current, maxSteps: 400, ...trial.settings };
  makeProject(harness.root);
  const session = harness.session("full");
  if (toolMode !== undefined) expect(session.changeModel({ name: "", toolMode }, testCommandId()).ok).toBe(true);
  const reason = await promptAndWait(session, firstRequest);
  const rows = storedRows(harness, session.id);
  expect(rows.flatMap(({ event }) => (event.type === "error" ? [event.error] : []))).toEqual([]);
  expect(reason).toBe("done");
  expect(auditLog(rows)).toEqual([]);
  expect(run.step).toBe(steps + 1);
  const ends = rows.flatMap(({ event }) => (event.type === "compaction_end" ? [event] : []));
  // Removed context never comes back, and the reported size equals the sent one.
  expect(ends.map((end) => end.keepFromSeq)).toEqual(ends.map((end) => end.keepFromSeq).toSorted((a, b) => a - b));
  if (server === undefined) for (const [after, sent] of sentAfter(rows)) expect(after).toBe(Math.ceil(sent * ratio));
  return { harness, rows, ends };
}

/** Tokens left according to a compaction, and our count of the request that followed. */
function sentAfter(rows: readonly { readonly event: DurableEvent }[]): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let after: number | null = null;
  for (const { event } of rows) {
    if (event.type === "compaction_end") after = event.tokensAfter;
    if (after === null || event.type !== "message_end" || event.usage === undefined) continue;
    pairs.push([after, event.usage.estimatedPromptTokens]);
    after = null;
  }
  return pairs;
}

/** Checks every request. */
function makeRequestCheck(window: number, ratio: number, refused: boolean) {
  let before = "[";
  return (request: ModelRequest, run: LongRun): void => {
    expect(Math.ceil(requestTokens(request) * ratio)).toBeLessThanOrEqual(window);
    expect(request.numCtx).toBe(window);
    const text = requestText(request);
    expect(text).toContain(task);
    // Taken at the turn boundary before the step after the one it was sent in.
    if (run.step > laterRequestStep) expect(text).toContain(laterRequest);
    for (const path of run.changed) expect(text).toContain(path);
    for (const line of run.openItems) expect(text).toContain(line);
    expect(brokenPairs(request.messages)).toEqual([]);
    const now = JSON.stringify(request.messages).slice(0, -1);
    // A summary request is the unchanged conversation with the question appended, unless the server refused that size.
    const sums = isSummaryRequest(request);
    if (!(sums && refused)) expect(now.startsWith(before)).toBe(true);
    before = sums ? "[" : now;
  };
}

describe("200 steps", () => {
  test.each(
    lawCases([
      [4_096, 0.56],
      [8_192, 0.5],
      [16_384, 0.5],
      [32_768, 0.5],
    ] as const),
  )("in a window of %i tokens keep user text, and compact only when needed", async (window, share) => {
    const { rows, ends } = await longRun({ window, steps: 200 });
    expect(ends.length).toBeGreaterThan(2);
    for (const end of ends) {
      expect(end.tokensAfter).toBeLessThanOrEqual(window * share);
      expect(estimateTokens(JSON.stringify(end.head.filter((block) => block.type === "text")))).toBeLessThan(
        window / 7,
      );
    }
    for (const start of rows.flatMap(({ event }) => (event.type === "compaction_start" ? [event] : [])))
      expect(start.tokensBefore).toBeGreaterThanOrEqual(window * 0.6 - 1);
    // Less than three steps apart only if one message with its results took a large part of the free space.
    for (const gap of compactionGaps(rows).filter(({ steps }) => steps < 3))
      expect(gap.largest).toBeGreaterThan(window / 16);
  });
});

describe("60 greedy steps", () => {
  test.each(lawCases([4_096, 8_192, 16_384]))("in a window of %i tokens stay within it", async (window) => {
    const prompt = `${task}\n${"Mind the names of the rules. ".repeat(Math.floor(window / 100))}`;
    const { rows, ends } = await longRun({ window, steps: 60, greedy: true, firstRequest: prompt });
    expect(ends.length).toBeGreaterThan(2);
    for (const gap of compactionGaps(rows).filter(({ steps }) => steps < 3))
      expect(gap.largest).toBeGreaterThan(window / 16);
  });
});

describe("calls in the text", () => {
  test("are compacted with their results like native ones", async () => {
    const { ends } = await longRun({ window: 8_192, steps: 80, toolMode: "xml" });
    expect(ends.length).toBeGreaterThan(2);
    for (const end of ends) expect(end.tokensAfter).toBeLessThanOrEqual(8_192 * 0.5);
  });
});

describe("a server that counts in its own way", () => {
  test("1.4 tokens for one of ours, known from facts: no request exceeds its window", async () => {
    const { ends } = await longRun({
      window: 8_192,
      steps: 80,
      ratio: 1.4,
      facts: () => ({ window: 8_192, tokenRatio: 1.4 }),
    });
    expect(ends.length).toBeGreaterThan(2);
    for (const end of ends) expect(end.tokensAfter).toBeLessThanOrEqual(8_192 * 0.5);
  });

  test.each([true, false])(
    "refuses requests over its own smaller window, with its numbers: %s; that happens once",
    async (reportsUsage) => {
      const own = 6_000;
      let refused = 0;
      const { ends } = await longRun({
        window: 16_384,
        steps: 80,
        server(request) {
          const tokens = Math.ceil(requestTokens(request) * 1.25);
          if (tokens <= own) return undefined;
          refused += 1;
          const facts: { [name: string]: number } = reportsUsage ? { tokens, window: own } : {};
          return [{ type: "failed", error: { code: "window_full", facts }, retryable: false }];
        },
      });
      expect(refused).toBe(1);
      expect(ends.length).toBeGreaterThan(1);
    },
  );
});

describe("the configured threshold and number of messages to keep", () => {
  test.each(
    lawCases([
      [8_192, 40, 4],
      [16_384, 30, 20],
      [8_192, 85, 8],
      [16_384, 80, 1],
    ] as const),
  )("apply in a window of %i tokens at %i %% with %i messages", async (window, compactionPercent, keptMessages) => {
    const { rows, ends } = await longRun({ window, steps: 80, settings: { compactionPercent, keptMessages } });
    expect(ends.length).toBeGreaterThan(1);
    for (const start of rows.flatMap(({ event }) => (event.type === "compaction_start" ? [event] : [])))
      expect(start.tokensBefore).toBeGreaterThanOrEqual((window * compactionPercent) / 100 - 1);
    for (const gap of compactionGaps(rows).filter(({ steps }) => steps < 3))
      expect(gap.largest).toBeGreaterThan((window * compactionPercent) / 60 / 16);
  });
});
