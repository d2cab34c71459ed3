import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { optionalOrigin, type Origin } from "@/lib/events/event";
import { type ApprovalId, asId, type CallId, type ClientId, type Hash } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import { en } from "../../messages/en";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import * as enConversation from "../../messages/en-conversation";
import { type Messages, StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNConversation from "../../messages/zh-CN-conversation";
import { type ConversationActions, ConversationActionsContext, readOnlyActions } from "../actions";
import { noopRunControls, noop } from "../noop-run-controls";
import { ReadsLine } from "./reads-line";
import { findEditorLocation } from "./tool-facts";
import { ToolCard } from "./tool-card";
import { ToolLine } from "./tool-line";

const conversationOf = (messages: Messages) => (messages === en ? enConversation : zhCNConversation);
const draw = (content: ReactNode, messages: Messages = en, more: Partial<ConversationActions> = {}): string =>
  renderToStaticMarkup(
    <StaticMessages messages={messages}>
      <StaticConversationMessages messages={conversationOf(messages)}>
        <ConversationActionsContext
          value={{ ...readOnlyActions, runControls: noopRunControls, openPath: noop, ...more }}
        >
          {content}
        </ConversationActionsContext>
      </StaticConversationMessages>
    </StaticMessages>,
  )
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'");
const renderLine = (call: CallView, messages: Messages = en, more: Partial<ConversationActions> = {}): string =>
  draw(<ToolLine call={call} open={false} onToggle={noop} />, messages, more);
const textIn = (html: string): string => html.replace(/<[^>]*>/g, "");

const call = (kind: string, target: string, more: Partial<CallView> = {}): CallView => ({
  callId: asId<CallId>("c"),
  name: "x",
  kind,
  target,
  facts: {},
  state: "ok",
  approvals: [],
  ...more,
});
const both: readonly (readonly [string, Messages])[] = [
  ["English", en],
  ["Chinese", zhCN],
];

test("a call of a kind that this program does not have is presented by the tool's name", () => {
  for (const kind of ["other", "weather", "constructor"]) {
    const html = renderLine(call(kind, "Bern", { name: "get_weather", output: [{ type: "text", text: "Rain" }] }));
    expect(textIn(html)).toBe("get_weatherBern");
    expect(html).toBe(renderLine(call("other", "Bern", { name: "get_weather" })));
  }
});

test.each(both)("a command that reached a limit tells why, in %s", (_name, messages) => {
  const limited = call("shell", "sort a | tail", { facts: { exit: 0, limited: true } });
  expect(textIn(draw(<ToolCard call={limited} />, messages))).toContain(conversationOf(messages).tools.limited);
});

describe("a failed test command", () => {
  const lines = [
    "FAIL a.test.ts",
    "AssertionError: 3 is not 4",
    ...Array.from({ length: 20 }, () => "at node:internal"),
  ];
  const failed = (more: Partial<CallView>) => renderLine(call("shell", "npm test", { facts: { exit: 1 }, ...more }));
  test("shows the lines that tell the failure", () => {
    expect(failed({ output: [{ type: "text", text: lines.join("\n") }] })).toContain("AssertionError: 3 is not 4");
  });
  test("shows them also when its output was shortened", () => {
    const output = [{ type: "text", text: "passed" }] as const;
    expect(failed({ output, outputChars: 9_000, failureLines: "Error: broken" })).toContain("Error: broken");
  });
});

test.each(both)("a command that changed a folder that is not kept names it, in %s", (_name, messages) => {
  const install = call("shell", "npm install", { facts: { exit: 0, skippedFolders: ["node_modules"] } });
  expect(textIn(draw(<ToolCard call={install} />, messages))).toContain(
    conversationOf(messages).callFacts.skippedFolders("node_modules"),
  );
});

describe("a denied command", () => {
  const command = `${"x".repeat(400)};\n  rm -rf build`;
  test.each(both)("is shown whole, marked and not struck through, in %s", (_name, messages) => {
    const html = renderLine(call("shell", command, { state: "denied", facts: { code: "denied" } }), messages);
    expect(html).toContain(command.split("\n")[0]);
    expect(html).toContain("rm -rf build");
    expect(html).toContain(`>${conversationOf(messages).tools.deniedMark}<`);
    expect(html).not.toContain("line-through");
    expect(html).not.toMatch(/class="[^"]*\bcut\b[^"]*"[^>]*>x/);
  });
  test("of a file is marked, too", () => {
    expect(renderLine(call("write", "a.ts", { state: "denied" }))).toContain(`>${enConversation.tools.deniedMark}<`);
  });
  test("a stopped command is not struck through either", () => {
    expect(renderLine(call("shell", "sleep 9", { state: "aborted" }))).not.toContain("line-through");
  });
});

describe("a refused call", () => {
  const refused = (facts: CallFacts, target = "ls && rm -rf build"): CallView =>
    call("shell", target, { state: "error", facts: { code: "blocked", ...facts } });
  const rows = [
    ["blocked_word", "rm", "security.blocked_cmds"],
    ["rule_denies", "git push *", "rules"],
    ["protected", ".env", "security.blocked_paths"],
  ] as const;
  const refusedPart = "rm -rf build";
  for (const [language, messages] of both)
    test.each(rows)(`%s names the rule, the part and its setting, in ${language}`, (rule, refusedBy, setting) => {
      const html = renderLine(refused({ rule, refusedBy, refusedPart }), messages);
      expect(textIn(html)).toContain(conversationOf(messages).tools.refusedBy[rule](refusedBy));
      expect(textIn(html)).toContain(conversationOf(messages).tools.refusedBy.part(refusedPart));
      expect(html).toContain(`href="/settings/permissions#${setting}"`);
    });
  test.each(both)("by a gate says what the gate says, in %s", (_language, messages) => {
    const gated = refused({ rule: "gate", refusedBy: "tickets", refusedWords: "not on Fridays" }, "echo hi");
    const html = renderLine(gated, messages);
    expect(textIn(html)).toContain(conversationOf(messages).tools.refusedBy.gate("tickets", "not on Fridays"));
    expect(textIn(html)).not.toContain(messages.errors.sentences.blocked);
    expect(html).toContain('href="/settings/extensions"');
  });
  test("opened, says that its card was answered in the terminal", () => {
    const response = { option: "once" as const, by: asId<ClientId>("c") };
    const answered = (origin?: Origin): string => {
      const approval = {
        approvalId: asId<ApprovalId>("a"),
        at: 1,
        boundTo: asId<Hash>("h"),
        options: ["once" as const],
      };
      const approvals = [{ ...approval, response: { ...response, ...optionalOrigin(origin) } }];
      return textIn(draw(<ToolCard call={call("shell", "npm test", { approvals })} />));
    };
    expect(answered({ kind: "cli" })).toContain(enConversation.tools.answeredInTerminal);
    expect(answered({ kind: "channel", name: "Ada" })).toContain(enConversation.tools.answeredBy("Ada"));
    expect(answered()).not.toContain(enConversation.tools.answeredInTerminal);
  });
  test("opened, does not say that what refused it allows it", () => {
    const rule = { facts: { rule: "npm test *" }, output: [{ type: "text" as const, text: "a" }] };
    const open = (one: CallView): string => textIn(draw(<ToolCard call={one} />));
    expect(open(call("shell", "npm test", rule))).toContain(enConversation.tools.byRule("npm test *"));
    for (const name of ["gate", "blocked_word", "rule_denies", "protected"])
      expect(open(refused({ rule: name, refusedBy: "x" }))).not.toContain(enConversation.tools.byRule(name));
  });
  test("with a single part names the part once", () => {
    const html = renderLine(refused({ rule: "blocked_word", refusedBy: "rm", refusedPart: "rm x" }, "rm x"));
    expect(textIn(html)).not.toContain(enConversation.tools.refusedBy.part("rm x"));
  });
  test("of an old log shows the logged facts, and a viewer gets no settings link", () => {
    expect(textIn(renderLine(refused({ rule: "blocked_word" })))).toContain(en.errors.sentences.blocked);
    const viewed = renderLine(refused({ rule: "blocked_word", refusedBy: "rm" }), en, { runControls: null });
    expect(textIn(viewed)).toContain(enConversation.tools.refusedBy.blocked_word("rm"));
    expect(viewed).not.toContain("/settings/");
  });
});

describe("the path of a header", () => {
  const hunk = { oldStart: 8, oldLines: 1, newStart: 9, newLines: 1, lines: [] };
  const change = { path: "src/a.ts", before: null, after: null, added: 1, removed: 0, hunks: [hunk] };
  test.each([
    ["a read", call("read", "src/a.ts", { facts: { fromLine: 5, toLine: 97 } }), { path: "src/a.ts", line: 5 }],
    ["an edit", call("edit", "src/a.ts", { changes: [change] }), { path: "src/a.ts", line: 9 }],
    ["a write", call("write", "src/a.ts", { changes: [change] }), { path: "src/a.ts", line: 9 }],
    ["an edit that did not match", call("edit", "src/a.ts", { state: "error" }), { path: "src/a.ts" }],
    ["a deleted file", call("delete", "src/a.ts"), null],
    ["a folder", call("list", "src"), null],
    ["a search", call("search", "src/a.ts"), null],
    ["a command", call("shell", "cat src/a.ts"), null],
    ["a file outside", call("read", "/etc/passwd", { state: "error", facts: { code: "outside" } }), null],
    ["a denied write", call("write", "src/a.ts", { state: "denied" }), null],
    ["a path over two lines", call("read", "a\nb"), null],
  ] as const)("of %s", (_name, one, place) => {
    expect(findEditorLocation(one)).toEqual(place);
    const html = renderLine(one);
    if (place === null) return expect(html).not.toMatch(/<button[^>]*title=/);
    const title = "line" in place ? `${place.path}:${place.line}` : place.path;
    expect(html).toContain(`<button type="button" title="${title}"`);
    // A viewer has no editor.
    expect(renderLine(one, en, { openPath: null })).not.toContain(`<button type="button" title=`);
  });
  test("buttons are never nested", () => {
    for (const kind of ["read", "list", "find", "search", "edit", "write", "delete", "shell"] as const)
      expect(renderLine(call(kind, "src/a.ts"))).not.toMatch(/<button(?:(?!<\/button>).)*<button/s);
  });
  test("of a file that was read several times", () => {
    const calls = [1, 2, 3].map((line) => ({ call: call("read", "src/a.ts", { facts: { fromLine: line } }) }));
    expect(draw(<ReadsLine calls={calls} open={false} onToggle={noop} />)).toContain('title="src/a.ts"');
  });
});
