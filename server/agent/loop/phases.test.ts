import { expect, onTestFinished, test, vi } from "vitest";
import type { LiveEvent } from "@/lib/events/event";
import { makePhases } from "./phases";

function watched() {
  const emitted: LiveEvent[] = [];
  const clock = { now: 1_000 };
  const host = { now: () => clock.now, live: (event: LiveEvent) => void emitted.push(event) };
  const phases = makePhases(host, { callsArriveWhole: false });
  return { emitted, clock, phases };
}

test("phases of the queue and the server are emitted at once with their figures", () => {
  const { emitted, clock, phases } = watched();
  phases.set("queued", { ahead: 2 });
  phases.set("queued", { ahead: 1 });
  clock.now = 1_500;
  phases.set("loading", { expectMs: 12_000 });
  phases.set("reading", { tokens: 6_200, expectMs: 9_000 });
  clock.now = 1_700;
  phases.set("reading", { tokens: 6_000, read: 512, expectMs: 9_000 });
  clock.now = 2_000;
  phases.count("thinking");
  expect(emitted).toEqual([
    { type: "phase", phase: "queued", sinceMs: 1_000, ahead: 2 },
    { type: "phase", phase: "queued", sinceMs: 1_000, ahead: 1 },
    { type: "phase", phase: "loading", sinceMs: 1_500, expectMs: 12_000 },
    { type: "phase", phase: "reading", sinceMs: 1_500, tokens: 6_200, expectMs: 9_000 },
    { type: "phase", phase: "reading", sinceMs: 1_500, tokens: 6_000, read: 512, expectMs: 9_000 },
    { type: "phase", phase: "thinking", sinceMs: 2_000, tokens: 1 },
  ]);
});

test("figures of a phase are emitted four times a second, with the speed once it is measurable", () => {
  const { emitted, clock, phases } = watched();
  for (let token = 0; token < 100; token += 1) {
    phases.count("writing");
    clock.now += 10;
  }
  expect(emitted.map((event) => (event.type === "phase" ? [event.tokens, event.perSecond] : []))).toEqual([
    [1, undefined],
    [26, 104],
    [51, 102],
    [76, 101.3],
  ]);
});

test("a streamed call has its tool's name and tokens; the next call starts its own time", () => {
  const { emitted, clock, phases } = watched();
  phases.count("writing");
  phases.count("calling", "write");
  clock.now += 500;
  phases.count("calling");
  clock.now += 500;
  phases.count("calling", "bash");
  phases.count("writing");
  expect(emitted.slice(1)).toEqual([
    { type: "phase", phase: "calling", sinceMs: 1_000, tokens: 1, name: "write" },
    { type: "phase", phase: "calling", sinceMs: 1_000, tokens: 2, perSecond: 4, name: "write" },
    { type: "phase", phase: "calling", sinceMs: 2_000, tokens: 1, name: "bash" },
    { type: "phase", phase: "writing", sinceMs: 2_000, tokens: 1 },
  ]);
});

/** Uses fake timers; `emitted` collects phase names with their start times. */
function timed(silentCalls: boolean) {
  vi.useFakeTimers({ now: 10_000 });
  onTestFinished(() => void vi.useRealTimers());
  const emitted: (readonly [string, number])[] = [];
  const phases = makePhases(
    { now: Date.now, live: (event) => void (event.type === "phase" && emitted.push([event.phase, event.sinceMs])) },
    { callsArriveWhole: silentCalls },
  );
  return { emitted, phases };
}

test("silence after text becomes the calling phase, dated from the last text, until a part arrives", () => {
  const { emitted, phases } = timed(true);
  phases.set("reading", { tokens: 900 });
  vi.advanceTimersByTime(60_000);
  phases.count("thinking");
  vi.advanceTimersByTime(100);
  phases.count("writing");
  vi.advanceTimersByTime(1_900);
  expect(emitted.map(([phase]) => phase)).toEqual(["reading", "thinking", "writing"]);
  vi.advanceTimersByTime(100);
  expect(emitted.at(-1)).toEqual(["calling", 70_100]);
  phases.count("writing");
  expect(emitted.at(-1)).toEqual(["writing", 72_100]);
  phases.end();
  expect(vi.getTimerCount()).toBe(0);
});

test("a slow model is not silent, and silence has no effect where calls stream", () => {
  const slow = timed(true);
  for (let token = 0; token < 5; token += 1) {
    slow.phases.count("writing");
    vi.advanceTimersByTime(1_500);
  }
  vi.advanceTimersByTime(8_000);
  expect(slow.emitted.map(([phase]) => phase)).not.toContain("calling");
  vi.advanceTimersByTime(4_000);
  expect(slow.emitted.at(-1)).toEqual(["calling", 16_000]);
  slow.phases.end();
  const streamed = timed(false);
  streamed.phases.count("writing");
  vi.advanceTimersByTime(60_000);
  expect(streamed.emitted).toEqual([["writing", 10_000]]);
});
