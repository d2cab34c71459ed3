import { describe, expect, test } from "vitest";
import { en as first } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { asId, type CallId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import {
  formatOutcome,
  hasEnded,
  stripStatusNote,
  summariseReads,
  findFailureReason,
  formatTarget,
  formatVerb,
} from "./tool-facts";

const en = { ...first, ...enConversation };
const command = (more: Partial<CallView>): CallView => ({
  callId: asId<CallId>("c"),
  name: "bash",
  kind: "shell",
  target: "npm test",
  facts: {},
  state: "ok",
  approvals: [],
  output: [{ type: "text", text: "first line\nlast line\n" }],
  tookMs: 400,
  ...more,
});

describe("the line of a command", () => {
  test.each<[string, Partial<CallView>, { verb: string; end: string; ran: boolean; reason: string | null }]>([
    ["that passed", { facts: { exit: 0 } }, { verb: "Ran", end: "exit 0 · 0.4 s", ran: true, reason: null }],
    [
      "whose changes cannot be undone says so",
      { facts: { exit: 0, undoGap: "too_many_files" } },
      { verb: "Ran", end: "exit 0 · can't be undone · 0.4 s", ran: true, reason: null },
    ],
    [
      "that failed is shown as run; its output is the reason",
      { state: "error", facts: { exit: 1 } },
      { verb: "Ran", end: "exit 1 · 0.4 s", ran: true, reason: null },
    ],
    [
      "that was killed",
      { state: "error", facts: { signal: "SIGKILL" } },
      { verb: "Ran", end: "killed by SIGKILL · 0.4 s", ran: true, reason: null },
    ],
    [
      "that was stopped",
      { state: "aborted", facts: { ended: "aborted" } },
      { verb: "Ran", end: "stopped", ran: true, reason: null },
    ],
    [
      "that was refused never ran",
      { state: "error", facts: { code: "plan_mode" } },
      { verb: "Run", end: "refused", ran: false, reason: "Plan mode only reads." },
    ],
    [
      "that a rule denied names the rule, not a blocked word",
      { state: "error", facts: { code: "blocked", rule: "rule_denies" } },
      { verb: "Run", end: "refused", ran: false, reason: "Denied by a project rule." },
    ],
    [
      "that a gate denied has its name and words",
      {
        state: "error",
        facts: { code: "blocked", rule: "gate", refusedBy: "tickets", refusedWords: "not on Fridays" },
      },
      { verb: "Run", end: "refused", ran: false, reason: "The gate of tickets denies this: not on Fridays" },
    ],
    [
      "that ran in the sandbox",
      { facts: { exit: 0, sandbox: true } },
      { verb: "Ran", end: "exit 0 · sandboxed · 0.4 s", ran: true, reason: null },
    ],
    ["that waits", { state: "waiting" }, { verb: "Run", end: "waiting for you", ran: false, reason: null }],
    [
      "that a shutdown interrupted",
      { state: "unknown" },
      { verb: "Run", end: "outcome unknown", ran: false, reason: en.tools.unknownNote },
    ],
  ])("%s", (_name, more, expected) => {
    const call = command(more);
    expect({
      verb: formatVerb(call, en),
      end: formatOutcome(call, en).join(" · "),
      ran: hasEnded(call),
      reason: findFailureReason(call, en),
    }).toEqual(expected);
  });
});

test("a result that has only the first ones says so beside their number", () => {
  const end = (facts: CallFacts) => formatOutcome(command({ kind: "search", facts }), en);
  expect([end({ matches: 50 }), end({ matches: 50, more: true })]).toEqual([["50 matches"], ["50+ matches"]]);
  expect(end({ entries: 50, more: true })).toEqual(["50+ entries"]);
});

describe("output of a command", () => {
  test.each([
    ["the end note is removed", "one\ntwo\n[exit code 1]", "one\ntwo"],
    ["with all its parts", "one\n[exit code 0; now in src]\n", "one"],
    ["also after a timeout", "one\n[ended after 30 s (timeout)]", "one"],
    ["also without any output", "[exit code 1]", ""],
    ["a list at its end stays", "one\n[1, 2]", "one\n[1, 2]"],
    ["an end note in the middle stays", "[exit code 1]\ntwo", "[exit code 1]\ntwo"],
  ])("%s", (_name, text, printed) => expect(stripStatusNote(command({}), text)).toBe(printed));

  test("output of other tools is unchanged", () => {
    expect(stripStatusNote(command({ kind: "read" }), "a\n[exit code 1]")).toBe("a\n[exit code 1]");
  });
});

describe("the lines of a read", () => {
  test.each([
    ["all of them", { fromLine: 1, toLine: 19, totalLines: 19 }, "1–19"],
    ["a part, with the total", { fromLine: 1, toLine: 19, totalLines: 121 }, "1–19 of 121"],
    ["only the last line", { fromLine: 121, toLine: 121, totalLines: 121 }, "121 of 121"],
    ["a file of one line", { fromLine: 1, toLine: 1, totalLines: 1 }, "1"],
    ["without a stored total", { fromLine: 3, toLine: 4 }, "3–4"],
    ["unknown lines", { totalLines: 121 }, ""],
  ])("%s", (_name, facts, expected) => {
    expect(formatTarget(command({ kind: "read", name: "read", target: "a.ts", facts }), en).lines).toBe(expected);
  });
});

describe("consecutive reads", () => {
  const read = (target: string): CallView => command({ kind: "read", name: "read", target });
  test("lists distinct files, and counts the reads of a single file", () => {
    expect(summariseReads([read("a.ts"), read("b.ts"), read("a.ts")])).toEqual({
      files: ["a.ts", "b.ts"],
      times: null,
    });
    expect(summariseReads([read("a.ts"), read("a.ts"), read("a.ts")])).toEqual({ files: ["a.ts"], times: 3 });
  });
});

test.each(["", ".", "./"])("the project's root (%j) has a name", (target) => {
  expect(formatTarget({ ...command({}), kind: "list", target }, en).text).toBe("the project");
});

test.each([
  ["[from mine]\n\nquota exceeded\nmore", "quota exceeded"],
  ["It ended. Its last line was: [from mine] fatal: no key", "It ended. Its last line was: fatal: no key"],
  ["[from mine]", null],
])("the reason of a call of another program that failed with %j is %j", (output, reason) => {
  const call = command({ kind: "other", state: "error", facts: {}, output: [{ type: "text", text: output }] });
  expect(findFailureReason(call, en)).toBe(reason);
});
