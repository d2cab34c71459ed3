/** Small parts of the agent: shares of the window, retry pauses, locks and the project snapshot. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { renderSnapshot } from "./context/snapshot";
import { fitText, resultShareTokens } from "./tools/fit-result";
import { makeLocks } from "./tools/locks";
import { nextRequestedWait, noRequestedWaits, retryDelayMs } from "./loop/retry";

const texts = fc.array(fc.constantFrom("plain words\n", "0x1f;", "苏黎世", "🙂", "    ", "++++++", "a"), {
  maxLength: 3_000,
});
const windows = [4_096, 8_192, 16_384, 32_768];

describe("a result's share of the window", () => {
  test("bounds any text to its tokens", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 1_000 }), fc.boolean(), (parts, tokens, both) => {
        const text = parts.join("");
        const fitted = fitText(text, { bytes: 20_000, keep: both ? "both" : "head" }, tokens);
        expect(estimateTokens(fitted.text)).toBeLessThanOrEqual(tokens);
        expect(Buffer.byteLength(fitted.text)).toBeLessThanOrEqual(20_000);
        if (estimateTokens(text) <= tokens && Buffer.byteLength(text) <= 20_000) expect(fitted.text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test.each(windows)(
    "of %i tokens: an eighth for one result, a quarter for all of a message, frames included",
    (window) => {
      for (const calls of [1, 2, 3, 64, 200]) {
        const one = resultShareTokens(window, calls) + serverLimits.messageOverheadTokens;
        expect(one).toBeLessThanOrEqual(window / 8);
        expect(resultShareTokens(window, calls) === 0 || one * calls <= window / 4).toBe(true);
      }
    },
  );
});

describe("project snapshot", () => {
  test("is within an eighth of every window for any project", () => {
    fc.assert(
      fc.property(texts, texts, fc.constantFrom(...windows), (guide, tree, window) => {
        const facts = {
          root: "/home/somebody/project",
          platform: "linux 6.1",
          date: "2026-11-22",
          branch: "main",
          guide: { name: "AGENTS.md", text: guide.join("") },
          tree: tree.join(""),
        };
        expect(estimateTokens(renderSnapshot(facts, window / 8))).toBeLessThanOrEqual(window / 8);
      }),
      { numRuns: 200 },
    );
  });
});

describe("pause before a retry", () => {
  test.each([
    [1, undefined, 1_000],
    [2, undefined, 2_000],
    [3, undefined, 4_000],
    [1, 7_000, 7_000],
    [1, 3_600_000, 60_000],
  ])("attempt %i, requested %s: %i ms", (attempt, requestedMs, expected) => {
    expect(retryDelayMs(attempt, requestedMs)).toBe(expected);
  });
});

describe("a wait that a server requests", () => {
  test.each([
    [undefined, null],
    [999, null],
    [1_000, { delayMs: 1_000, waits: { count: 1, totalMs: 1_000 } }],
    [600_000, { delayMs: 600_000, waits: { count: 1, totalMs: 600_000 } }],
    [600_001, "over"],
  ])("of %s ms: %j", (askedMs, expected) => {
    expect(nextRequestedWait(askedMs, noRequestedWaits)).toEqual(expected);
  });

  test("grows if the server repeats it, and ends within an hour", () => {
    const delays: number[] = [];
    let wait = nextRequestedWait(2_000, noRequestedWaits);
    while (wait !== null && wait !== "over") {
      delays.push(wait.delayMs);
      wait = nextRequestedWait(2_000, wait.waits);
    }
    expect(delays.slice(0, 4)).toEqual([2_000, 2_000, 3_000, 4_000]);
    expect(Math.max(...delays)).toBe(30_000);
    expect(delays.reduce((sum, delay) => sum + delay)).toBeLessThanOrEqual(3_600_000);
    expect(wait).toBe("over");
  });
});

describe("locks", () => {
  const never = new AbortController().signal;

  test("are granted in order; free ones at once; an aborted waiter lets the next one proceed", async () => {
    const locks = makeLocks();
    const order: string[] = [];
    const first = await locks.take(["a"], never);
    const giveUp = new AbortController();
    const second = locks.take(["a", "b"], giveUp.signal);
    const third = locks.take(["b"], never).then((release) => {
      order.push("third");
      release();
    });
    (await locks.take(["c"], never))();
    order.push("c");
    giveUp.abort(new Error("stopped"));
    await expect(second).rejects.toThrow("stopped");
    first();
    await third;
    expect(order).toEqual(["c", "third"]);
    (await locks.take(["a", "b", "a"], never))();
    (await locks.take(["a"], never))();
  });
});
