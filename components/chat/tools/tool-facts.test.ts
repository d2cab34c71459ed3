import { describe, expect, test } from "vitest";
import { en } from "@/components/words/en";
import { asId, type CallId } from "@/lib/id";
import type { CallView } from "@/lib/view";
import { endOf, hasRun, printedText, readsOf, reasonOf, targetOf, verbOf } from "./tool-facts";

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
      "that failed says that it ran; what it printed is its reason",
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
      "that a rule denied says so, not that a word is blocked",
      { state: "error", facts: { code: "blocked", rule: "rule_denies" } },
      { verb: "Run", end: "refused", ran: false, reason: "Denied by a project rule." },
    ],
    [
      "that ran behind the fence",
      { facts: { exit: 0, sandbox: true } },
      { verb: "Ran", end: "exit 0 · sandboxed · 0.4 s", ran: true, reason: null },
    ],
    ["that waits", { state: "waiting" }, { verb: "Run", end: "waiting for you", ran: false, reason: null }],
    [
      "that the program's end cut off",
      { state: "unknown" },
      { verb: "Run", end: "outcome unknown", ran: false, reason: en.tools.unknownNote },
    ],
  ])("%s", (_name, more, told) => {
    const call = command(more);
    expect({
      verb: verbOf(call, en),
      end: endOf(call, en).join(" · "),
      ran: hasRun(call),
      reason: reasonOf(call, en),
    }).toEqual(told);
  });
});

describe("what a command printed", () => {
  test.each([
    ["the note of its end is left out", "one\ntwo\n[exit code 1]", "one\ntwo"],
    ["with all it says", "one\n[exit code 0; now in src]\n", "one"],
    ["also when it was stopped", "one\n[ended after 30 s (timeout)]", "one"],
    ["also without any output", "[exit code 1]", ""],
    ["a list at its end stays", "one\n[1, 2]", "one\n[1, 2]"],
    ["the words in its middle stay", "[exit code 1]\ntwo", "[exit code 1]\ntwo"],
  ])("%s", (_name, text, printed) => expect(printedText(command({}), text)).toBe(printed));

  test("other tools print what they print", () => {
    expect(printedText(command({ kind: "read" }), "a\n[exit code 1]")).toBe("a\n[exit code 1]");
  });
});

describe("the lines of a read", () => {
  test.each([
    ["all of them", { fromLine: 1, toLine: 19, totalLines: 19 }, "1–19"],
    ["a part, and of how many", { fromLine: 1, toLine: 19, totalLines: 121 }, "1–19 of 121"],
    ["the last one alone", { fromLine: 121, toLine: 121, totalLines: 121 }, "121 of 121"],
    ["the only one", { fromLine: 1, toLine: 1, totalLines: 1 }, "1"],
    ["where the total was not kept", { fromLine: 3, toLine: 4 }, "3–4"],
    ["none that is known", { totalLines: 121 }, ""],
  ])("%s", (_name, facts, told) => {
    expect(targetOf(command({ kind: "read", name: "read", target: "a.ts", facts }), en).lines).toBe(told);
  });
});

describe("a run of reads", () => {
  const read = (target: string): CallView => command({ kind: "read", name: "read", target });
  test("counts files, and of a single one how often it was read", () => {
    expect(readsOf([read("a.ts"), read("b.ts"), read("a.ts")])).toEqual({ files: ["a.ts", "b.ts"], times: null });
    expect(readsOf([read("a.ts"), read("a.ts"), read("a.ts")])).toEqual({ files: ["a.ts"], times: 3 });
  });
});

test.each(["", ".", "./"])("the project's own folder (%j) has a name", (target) => {
  expect(targetOf({ ...command({}), kind: "list", target }, en).text).toBe("the project");
});
