import { describe, expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { ApprovalOption } from "@/lib/permissions/policy";
import { diffLines } from "@/lib/text/diff";
import type { CallView } from "@/lib/view/view";
import { formatApproval, formatChoices, parseReply } from "./terminal-approval";

const call: CallView = {
  callId: asId<CallId>("c"),
  name: "bash",
  kind: "shell",
  target: "x",
  facts: {},
  state: "waiting",
  approvals: [],
};

describe("the approval text", () => {
  test("shows every line of a command, with invisible characters escaped", () => {
    const preview = { kind: "command", command: "ls\nrm\u200b x\r", cwd: "/p", parts: [], timeoutMs: 1 } as const;
    expect(formatApproval(call, preview)).toBe("Run in /p:\n    ls\n    rm\\u{200b} x\\u{d}");
  });
  test.each([
    [false, "Run in /p, sandboxed (no network):\n    ls"],
    [true, "Run in /p, sandboxed (with network):\n    ls"],
  ])("shows that a command runs in the sandbox, network %s", (network, text) => {
    const preview = {
      kind: "command",
      command: "ls",
      cwd: "/p",
      parts: [],
      timeoutMs: 1,
      sandbox: { network },
    } as const;
    expect(formatApproval(call, preview)).toBe(text);
  });
  test("shows a change as a diff of any length", () => {
    const after = Array.from({ length: 300 }, (_, index) => `line ${index}\n`).join("");
    const { hunks, added, removed } = diffLines("old\n", after, { context: 3, maxLines: 1_000 });
    const shown = formatApproval(call, {
      kind: "diff",
      path: "a.txt",
      created: false,
      added,
      removed,
      hunks: hunks ?? [],
    });
    expect(shown.split("\n").slice(0, 3)).toEqual(["Change a.txt, +300 -1:", "@@ -1,1 +1,300 @@", "-old"]);
    expect(shown.split("\n").filter((line) => line.startsWith("+"))).toHaveLength(300);
  });
  test("shows a deletion, and that it can be undone", () => {
    expect(formatApproval(call, { kind: "delete", path: "src", folder: true, files: 7, bytes: 1 })).toBe(
      "Delete src, a folder with 7 files (can be restored from the trash)",
    );
  });
  test("shows a call without a preview by its name and target", () => {
    expect(formatApproval(call, undefined)).toBe("bash x");
  });
});

test("the choices have a number and a letter, and the rule that always would make", () => {
  const rule = { tool: "bash", words: ["git", "push"], rest: true } as const;
  expect(formatChoices({ options: ["once", "always", "deny"], rule })).toBe(
    "  1, y  yes\n  2, a  always git push *\n  3, n  no\n  4, r  no, with a reason\nNumber or letter: ",
  );
});

describe("parsing an answer", () => {
  const all: readonly ApprovalOption[] = ["once", "always", "deny"];
  const cases: readonly [line: string, options: readonly ApprovalOption[], meant: ReturnType<typeof parseReply>][] = [
    ["y", all, "once"],
    [" YES ", all, "once"],
    ["n", all, "deny"],
    ["r", all, "reason"],
    ["a", all, "always"],
    ["a", ["once", "deny"], null],
    ["e", all, null],
    ["e", ["once", "edits", "deny"], "edits"],
    ["", all, null],
    ["1", all, "once"],
    ["2", all, "always"],
    ["3", all, "deny"],
    [" 4 ", all, "reason"],
    ["2", ["once", "deny"], "deny"],
    ["0", all, null],
    ["5", all, null],
    ["01", all, null],
    ["yy", all, null],
    ["constructor", all, null],
  ];
  test.each(cases)("%j with the options %j", (line, options, expected) => {
    expect(parseReply(line, options)).toBe(expected);
  });
});
