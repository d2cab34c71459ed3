/** Loop detection of a run: loops and look-alikes. */
import { describe, expect, test } from "vitest";
import type { Block, Json } from "@/lib/events/content";
import type { CallOutcome, DurableEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import { asId, type CallId, type MessageId, type RunId } from "@/lib/events/id";
import { testSessionId } from "@/lib/testing/test-log";
import type { CallFileChange } from "@/lib/events/tool-kind";
import { emptyView, type SessionView } from "@/lib/view/view";
import { guardNotice } from "./guard-notice";
import { detectLoop, limitReached, runTimeMs } from "./run-guards";

interface Called {
  readonly name: string;
  readonly input: Json;
  readonly result: string;
  readonly kind?: string;
  readonly outcome?: CallOutcome;
  readonly changes?: readonly string[];
}
type Step = { readonly say?: string; readonly calls: readonly Called[] } | { readonly event: DurableEvent };

class Writer {
  view: SessionView = emptyView(testSessionId);
  #ids = 0;
  #at = 0;

  add(event: DurableEvent, ms = 0): this {
    this.#at += ms;
    this.view = fold(this.view, { v: 1, sessionId: testSessionId, seq: this.view.seq + 1, at: this.#at, event });
    return this;
  }

  user(text: string): this {
    const messageId = asId<MessageId>(`m${(this.#ids += 1)}`);
    this.add({ type: "message_start", messageId, role: "user" });
    return this.add({ type: "message_end", messageId, blocks: [{ type: "text", text }], stop: "done" });
  }

  start(): this {
    return this.add({ type: "agent_start", runId: asId<RunId>("r1") }).user("Do it.");
  }

  step(step: Step, answerMs = 0, tookMs = 0): this {
    if ("event" in step) return this.add(step.event);
    const messageId = asId<MessageId>(`m${(this.#ids += 1)}`);
    const calls = step.calls.map((call) => ({ ...call, callId: asId<CallId>(`c${(this.#ids += 1)}`) }));
    const blocks: readonly Block[] = [
      ...(step.say === undefined ? [] : [{ type: "text" as const, text: step.say }]),
      ...calls.map(({ callId, name, input }) => ({ type: "call" as const, callId, name, input })),
    ];
    this.add({ type: "message_start", messageId, role: "assistant" });
    this.add({ type: "message_end", messageId, blocks, stop: "done" }, answerMs);
    for (const { callId, kind = "other", result, outcome = "ok", changes = [], input } of calls) {
      const target = typeof input === "object" && input !== null && "path" in input ? String(input.path) : "target";
      this.add({ type: "tool_call_start", callId, messageId, kind, target, facts: {} });
      const changed = changes.map(
        (path): CallFileChange => ({ path, before: null, after: null, added: 1, removed: 1 }),
      );
      const output: readonly Block[] = [{ type: "text", text: result }];
      this.add({ type: "tool_call_end", callId, outcome, output, facts: {}, changes: changed, tookMs });
    }
    return this;
  }
}

const run = (steps: readonly Step[]): SessionView =>
  steps.reduce((writer, step) => writer.step(step), new Writer().start()).view;
const repeat = <T>(times: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: times }, (_, index) => make(index));
const one = (name: string, input: Json, result: string, more: Partial<Called> = {}): Step => ({
  calls: [{ name, input, result, ...more }],
});
const read = (path: string, result = "text", more: Json = {}): Step =>
  one("read", { path, ...(typeof more === "object" ? more : {}) }, result, { kind: "read" });
const bash = (command: string, result: string): Step => one("bash", { command }, result, { kind: "shell" });
const edit = (path: string, index: number): Step =>
  one("edit", { path, old_string: `${index}`, new_string: `${index + 1}` }, "Done.", { kind: "edit", changes: [path] });
const long =
  "I will look at the file again to see what is in it, since the last look did not tell me enough about it. ".repeat(3);
const compaction: readonly Step[] = [
  { event: { type: "compaction_start", tokensBefore: 9 } },
  { event: { type: "compaction_end", head: [], summary: "", keepFromSeq: 1, tokensAfter: 1 } },
];

describe("a loop", () => {
  test.each<[string, readonly Step[], object]>([
    [
      "the same call with the same result, three times",
      repeat(3, () => read("a.ts")),
      { period: 1, times: 3, tool: "read", target: "a.ts", calls: 3 },
    ],
    [
      "the same with its keys in another order",
      [one("grep", { a: 1, b: 2 }, "x"), one("grep", { b: 2, a: 1 }, "x"), one("grep", { a: 1, b: 2 }, "x")],
      { period: 1, times: 3 },
    ],
    [
      "the same failing call",
      repeat(3, () => one("edit", { path: "a.ts" }, "no match", { outcome: "error" })),
      { period: 1, times: 3 },
    ],
    [
      "two in turn",
      repeat(6, (index) => (index % 2 === 0 ? bash("ls", "a") : read("a.ts"))),
      { period: 2, times: 3, calls: 6 },
    ],
    ["three in turn", repeat(9, (index) => bash(`step ${index % 3}`, "same")), { period: 3, times: 3, calls: 9 }],
    ["four in turn", repeat(12, (index) => bash(`step ${index % 4}`, "same")), { period: 4, times: 3, calls: 12 }],
    [
      "four in turn behind something else",
      [read("x.ts"), ...repeat(12, (index) => bash(`step ${index % 4}`, "same"))],
      { period: 4, times: 3 },
    ],
    [
      "the same call with another result each time, eight times",
      repeat(8, (index) => bash("date", `${index}`)),
      { period: 1, times: 8, same: false },
    ],
    [
      "two in turn with other results each time, eight times",
      repeat(16, (index) => bash(`try ${index % 2}`, `${index}`)),
      { period: 2, times: 8, same: false },
    ],
    [
      "two calls at once, the other way round",
      repeat(3, (index) => ({
        calls: [read("a.ts"), read("b.ts")]
          .flatMap((step) => ("calls" in step ? step.calls : []))
          .toSorted(() => (index % 2 === 0 ? 1 : -1)),
      })),
      { period: 1, times: 3, calls: 6 },
    ],
    [
      "a file read six times between other things",
      repeat(11, (index) => (index % 2 === 0 ? read("a.ts") : bash(`look ${index}`, "x"))),
      { times: 6, target: "a.ts" },
    ],
  ])("%s", (_name, steps, facts) => {
    expect(detectLoop(run(steps.slice(0, -1)))).toBeNull();
    expect(detectLoop(run(steps))).toMatchObject({ code: "loop_detected", facts });
  });

  test("the same long text before different calls, three times", () => {
    const steps = repeat(
      3,
      (index): Step => ({ say: long, calls: [{ name: "ls", input: { depth: index }, result: `${index}` }] }),
    );
    expect(detectLoop(run(steps.slice(0, -1)))).toBeNull();
    expect(detectLoop(run(steps))).toEqual({ code: "repeated_text", facts: { in: "steps", times: 3 } });
  });
});

describe("not a loop", () => {
  test.each<[string, readonly Step[]]>([
    [
      "editing and testing, five times",
      repeat(10, (index) => (index % 2 === 0 ? edit("a.ts", index) : bash("npm test", "1 failed"))),
    ],
    ["paging through a file", repeat(20, (index) => read("a.ts", `page ${index}`, { offset: index * 100 }))],
    [
      "paging past the end of a file, a little",
      repeat(4, (index) => read("a.ts", "the file ends before", { offset: index * 100 })),
    ],
    ["polling different things", repeat(12, (index) => bash(`curl job/${index}`, "pending"))],
    ["polling one thing until it is there", repeat(7, (index) => bash("curl job", `${index * 10} %`))],
    ["the same call twice", repeat(2, () => read("a.ts"))],
    ["two in turn, twice", repeat(4, (index) => bash(`${index % 2}`, "x"))],
    [
      "reading a file again after each change of it",
      repeat(20, (index) => (index % 2 === 0 ? read("a.ts") : edit("a.ts", index))),
    ],
    [
      "reading a file again after each compaction",
      repeat(8, (index) => [read("a.ts"), bash(`work ${index}`, "x"), ...compaction]).flat(),
    ],
    [
      "the same short words before other calls",
      repeat(
        12,
        (index): Step => ({ say: "Let me look.", calls: [{ name: "ls", input: { depth: index }, result: "x" }] }),
      ),
    ],
    [
      "the same tool on different files with the same result",
      repeat(12, (index) => one("write", { path: `${index}.ts`, content: "" }, "Done.")),
    ],
    [
      "the same call, another once, the same again",
      [read("a.ts"), read("a.ts"), read("b.ts"), read("a.ts"), read("a.ts")],
    ],
  ])("%s", (_name, steps) => {
    for (let count = 1; count <= steps.length; count += 1) expect(detectLoop(run(steps.slice(0, count)))).toBeNull();
  });

  test("a user message or a new run resets the detection", () => {
    const writer = new Writer().start();
    for (const step of repeat(2, () => read("a.ts"))) writer.step(step);
    writer.user("Look once more.");
    for (const step of repeat(2, () => read("a.ts"))) writer.step(step);
    expect(detectLoop(writer.view)).toBeNull();
    writer.add({ type: "agent_end", runId: asId("r1"), reason: "limit" });
    writer.add({ type: "agent_start", runId: asId("r2") });
    writer.step(read("a.ts"));
    expect(detectLoop(writer.view)).toBeNull();
  });
});

describe("limits of a run", () => {
  const settings = { maxSteps: 3, maxRunMinutes: 1 };

  test("counts steps and allows the last one", () => {
    const writer = new Writer().start();
    for (const step of [1, 2, 3]) {
      expect(limitReached(writer.view, settings, Infinity)).toBeNull();
      writer
        .add({ type: "turn_start", turnId: asId(`t${step}`), step })
        .add({ type: "turn_end", turnId: asId(`t${step}`) });
    }
    expect(limitReached(writer.view, settings, Infinity)).toEqual({ code: "step_limit", facts: { steps: 3 } });
  });

  test("counts the time of answers, calls and pauses, not of waiting for the user; 0 minutes = no limit", () => {
    const writer = new Writer().start();
    writer.step(read("a.ts"), 20_000, 5_000);
    // An hour of waiting for an approval.
    writer.add({ type: "session_update", mode: "edits" }, 3_600_000);
    expect(runTimeMs(writer.view)).toBe(25_000);
    expect(limitReached(writer.view, settings, Infinity)).toBeNull();
    writer.step(read("b.ts"), 30_000, 6_000);
    expect(limitReached(writer.view, settings, Infinity)).toMatchObject({
      code: "time_limit",
      facts: { minutes: 1, ms: 61_000 },
    });
    expect(limitReached(writer.view, { ...settings, maxRunMinutes: 0 }, Infinity)).toBeNull();
  });

  test("a wall clock that jumps an hour ahead during an answer does not end the run", () => {
    const writer = new Writer().start().step(read("a.ts"), 3_600_000, 0);
    expect(runTimeMs(writer.view)).toBe(3_600_000);
    expect(limitReached(writer.view, settings, 5_000)).toBeNull();
    expect(limitReached(writer.view, settings, 60_000)).toMatchObject({ code: "time_limit", facts: { ms: 60_000 } });
  });
});

describe("notice on Continue", () => {
  const ended = (error: Extract<DurableEvent, { type: "error" }>["error"], reason: "limit" | "error" = "limit") =>
    new Writer()
      .start()
      .step(read("a.ts"))
      .add({ type: "error", error })
      .add({ type: "agent_end", runId: asId("r1"), reason }).view;

  test.each([
    [
      { code: "loop_detected" as const, facts: { period: 1, times: 3, tool: "read", target: "a.ts" } },
      /3 times.*read a\.ts/,
    ],
    [
      { code: "loop_detected" as const, facts: { period: 2, times: 4, tool: "bash", target: "ls" } },
      /same 2 steps.*4 times.*bash ls/,
    ],
    [{ code: "repeated_text" as const }, /same text/],
    [{ code: "think_limit" as const, facts: { tokens: 8_000 } }, /thinking/],
  ])("names the reason: %j", (error, words) => {
    const notice = guardNotice(ended(error));
    expect(notice).toMatchObject({ type: "context", topic: "guard" });
    expect(notice?.text).toMatch(words);
    expect(notice?.text).not.toMatch(/\{\{|undefined/);
  });

  test("is null after a limit unrelated to behavior, after an error, or if a newer run ended well", () => {
    expect(guardNotice(ended({ code: "step_limit" }))).toBeNull();
    expect(guardNotice(ended({ code: "loop_detected" }, "error"))).toBeNull();
    expect(guardNotice(new Writer().start().view)).toBeNull();
  });
});
