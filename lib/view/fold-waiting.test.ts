import { describe, expect, test } from "vitest";
import { iterate } from "./chunks";
import type { DurableEvent } from "../events/event";
import { fold } from "./fold";
import { asId, type ApprovalId, type CallId, type ClientId, type Hash, type MessageId, type RunId } from "../events/id";
import { createSessionSnapshot } from "./snapshot";
import { viewFromSnapshot } from "./view-from-snapshot";
import { testSessionId } from "../testing/test-log";
import { emptyView, type SessionView } from "./view";

const runId = asId<RunId>("r");
const messageId = asId<MessageId>("m");
const call = (name: string) => asId<CallId>(name);
const eventsAt = (time: number, ...events: readonly DurableEvent[]): readonly (readonly [number, DurableEvent])[] =>
  events.map((event) => [time, event]);
const asking = (name: string): readonly DurableEvent[] => [
  { type: "tool_call_start", callId: call(name), messageId, kind: "shell", target: name, facts: {} },
  card(name),
];
const card = (name: string, suffix = ""): DurableEvent => ({
  type: "approval_request",
  approvalId: asId<ApprovalId>(`a-${name}${suffix}`),
  callId: call(name),
  boundTo: asId<Hash>("h"),
  options: ["once", "deny"],
});
const answered = (name: string, suffix = ""): DurableEvent => ({
  type: "approval_response",
  approvalId: asId<ApprovalId>(`a-${name}${suffix}`),
  option: "once",
  by: asId<ClientId>("tab"),
});
const ended = (name: string): DurableEvent => ({
  type: "tool_call_end",
  callId: call(name),
  outcome: "ok",
  output: [],
  facts: {},
  tookMs: 1,
});
const answering = (...names: readonly string[]): readonly DurableEvent[] => [
  { type: "message_start", messageId, role: "assistant" },
  {
    type: "message_end",
    messageId,
    stop: "done",
    blocks: names.map((name) => ({ type: "call" as const, callId: call(name), name: "bash", input: {} })),
  },
];
const begin = eventsAt(1_000, { type: "agent_start", runId });
const end = (time: number) => eventsAt(time, { type: "agent_end", runId, reason: "done" });

type Timed = readonly (readonly [number, DurableEvent])[];
const step = (view: SessionView, [time, event]: readonly [number, DurableEvent]): SessionView =>
  fold(view, { v: 1, sessionId: testSessionId, seq: view.seq + 1, at: time, event });
const folded = (...parts: readonly Timed[]): SessionView => parts.flat().reduce(step, emptyView(testSessionId));
const timesOf = (view: SessionView) => {
  const run = [...iterate(view.entries)].find((entry) => entry.kind === "run_end");
  return run?.kind === "run_end" ? [run.at - run.startedAt, run.waitedMs] : null;
};

const cases: readonly (readonly [string, readonly Timed[], readonly [number, number]])[] = [
  [
    "one approval",
    [
      begin,
      eventsAt(2_000, ...answering("x"), ...asking("x")),
      eventsAt(45_000, answered("x")),
      eventsAt(46_000, ended("x")),
      end(46_300),
    ],
    [45_300, 43_000],
  ],
  [
    "one approval after another",
    [
      begin,
      eventsAt(2_000, ...answering("x", "y"), ...asking("x")),
      eventsAt(12_000, answered("x")),
      eventsAt(13_000, ended("x"), ...asking("y")),
      eventsAt(33_000, answered("y")),
      eventsAt(34_000, ended("y")),
      end(35_000),
    ],
    [34_000, 30_000],
  ],
  [
    "two approvals at once, one answered first: while its call runs the run does not wait",
    [
      begin,
      eventsAt(2_000, ...answering("x", "y"), ...asking("x"), ...asking("y")),
      eventsAt(12_000, answered("x")),
      eventsAt(17_000, ended("x")),
      eventsAt(27_000, answered("y")),
      eventsAt(28_000, ended("y")),
      end(28_000),
    ],
    [27_000, 20_000],
  ],
  [
    "a call that runs during an approval is not a wait",
    [
      begin,
      eventsAt(2_000, ...answering("x", "y"), ...asking("x").slice(0, 1), ...asking("y")),
      eventsAt(30_000, ended("x")),
      eventsAt(40_000, answered("y"), ended("y")),
      end(40_000),
    ],
    [39_000, 10_000],
  ],
  [
    "a message that is streamed during an approval is not a wait",
    [
      begin,
      eventsAt(2_000, ...answering("x"), ...asking("x")),
      eventsAt(12_000, { type: "message_start", messageId: asId<MessageId>("n"), role: "assistant" }),
      eventsAt(20_000, { type: "message_end", messageId: asId<MessageId>("n"), blocks: [], stop: "done" }),
      eventsAt(30_000, answered("x"), ended("x")),
      end(30_000),
    ],
    [29_000, 20_000],
  ],
  [
    "an approval requested again because the file changed",
    [
      begin,
      eventsAt(2_000, ...answering("x"), ...asking("x")),
      eventsAt(12_000, answered("x")),
      eventsAt(12_500, card("x", "2")),
      eventsAt(22_500, answered("x", "2")),
      eventsAt(23_000, ended("x")),
      end(23_000),
    ],
    [22_000, 20_000],
  ],
  [
    "stopped while waiting",
    [begin, eventsAt(2_000, ...answering("x"), ...asking("x")), eventsAt(60_000, ended("x")), end(60_000)],
    [59_000, 58_000],
  ],
  ["no approval", [begin, eventsAt(2_000, ...answering()), end(9_000)], [8_000, 0]],
];

describe("the times a run waits for the user", () => {
  test.each(cases)("%s", (_name, parts, expected) => expect(timesOf(folded(...parts))).toEqual(expected));

  test.each(cases)("are the same in a client that opens the session at any event: %s", (_name, parts, expected) => {
    const all = parts.flat();
    for (const cut of all.keys()) {
      const opened = viewFromSnapshot(JSON.parse(JSON.stringify(createSessionSnapshot(folded(all.slice(0, cut))))));
      expect(timesOf(all.slice(cut).reduce(step, opened))).toEqual(expected);
    }
  });

  test("are not part of the call's run time", () => {
    const view = folded(begin, eventsAt(2_000, ...answering("x"), ...asking("x")), eventsAt(45_000, answered("x")));
    const [entry] = [...iterate(view.entries)].flatMap((one) => (one.kind === "message" ? [one] : []));
    expect(entry?.calls[0]).toMatchObject({ state: "running", startedAt: 45_000 });
  });
});
