import { describe, expect, test } from "vitest";
import { type ApprovalId, asId, type Hash } from "@/lib/events/id";
import type { ExternalReason } from "@/lib/events/tool-kind";
import type { ApprovalView, CallView } from "@/lib/view/view";
import { formatCallLine, formatUnansweredCall } from "./call-line";
import { makeTestCall } from "./test-call";

describe("the line of a call", () => {
  const change = { path: "a", before: null, after: null, added: 3, removed: 1 };
  const cases: readonly [change: Partial<CallView>, line: string][] = [
    [{}, "· ran npm test"],
    [{ facts: { exit: 0 } }, "· ran npm test · exit 0"],
    [{ state: "error", facts: { exit: 2 } }, "· ran npm test · exit 2"],
    [
      { state: "error", facts: { ended: "output_limit", signal: "SIGKILL" } },
      "· failed: npm test · SIGKILL · output limit",
    ],
    [
      { state: "error", facts: { exit: 1, sandboxFailure: "files" } },
      "· ran npm test · exit 1 · probably stopped by the sandbox",
    ],
    [{ state: "denied" }, "· denied npm test"],
    [{ state: "aborted" }, "· stopped npm test"],
    [{ kind: "edit", target: "a.ts", changes: [change, change] }, "· edited a.ts · +6 -2"],
    [{ kind: "search", target: "TODO", facts: { matches: 4 } }, "· searched TODO · 4 matches"],
    [{ kind: "search", target: "TODO", facts: { matches: 50, more: true } }, "· searched TODO · 50+ matches"],
    [
      { kind: "read", target: "a.ts", state: "error", facts: { code: "not_found" } },
      "· failed: a.ts · it no longer exists",
    ],
    [{ kind: "other", name: "nothing", target: "" }, "· called nothing"],
    [{ kind: "weather", name: "get_weather", target: "Bern" }, "· called get_weather Bern"],
    [{ kind: "other", name: "gh__get-sum", target: '{"a":1,"b":2}' }, '· called gh__get-sum {"a":1,"b":2}'],
    [
      { kind: "other", name: "gh__get-sum", target: '{"a":9,"b":9}', state: "denied" },
      '· denied gh__get-sum {"a":9,"b":9}',
    ],
    [{ kind: "other", name: "gh__get-sum", target: "{}", state: "unknown" }, "· interrupted gh__get-sum {}"],
    [{ target: "one\ntwo" }, "· ran one …"],
    [{ target: "a\u001b[31m\rb" }, "· ran a\\u{1b}[31m\\u{d}b"],
    [{ target: "😀".repeat(200) }, `· ran ${"😀".repeat(120)} …`],
  ];
  test.each(cases)("%j", (fields, line) => {
    expect(formatCallLine(makeTestCall(fields))).toBe(line);
  });
});

describe("the line of a call that no user could allow", () => {
  const external = (reason?: ExternalReason) =>
    ({
      kind: "external",
      source: "gh",
      tool: "get-sum",
      input: {},
      description: "",
      ...(reason && { why: reason }),
    }) as const;
  const rows: readonly [change: Pick<Partial<ApprovalView>, "preview" | "gate">, cause: string][] = [
    [{}, "it needs your approval"],
    [{ preview: external() }, "it needs your approval"],
    [{ preview: external("first_use") }, "its first call in a project needs your approval"],
    [{ preview: external("changed_definition") }, "it changed since you approved it"],
    [{ preview: external("new_host") }, "a new web host needs your approval; allow it always"],
    [{ preview: external("first_use"), gate: { gate: "guard", reason: "" } }, "the gate of guard asks"],
    [{ gate: { gate: "guard", reason: "a push", failure: "late" } }, "the gate of guard did not answer in time"],
  ];
  test.each(rows)("%j", (change, cause) => {
    const approval: ApprovalView = {
      approvalId: asId<ApprovalId>("a"),
      at: 0,
      boundTo: asId<Hash>("h"),
      options: ["once", "deny"],
      ...change,
    };
    const line = formatUnansweredCall(makeTestCall({ kind: "other", name: "gh__get-sum", target: "{}" }), approval);
    expect(line.startsWith(`· denied gh__get-sum {}: ${cause}`)).toBe(true);
    expect(line.endsWith(" in a terminal or in the browser")).toBe(true);
  });
});
