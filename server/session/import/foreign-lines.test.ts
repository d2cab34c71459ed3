/** Sessions of other agents, imported whole. The lines are shortened ones of files that the programs wrote. */
import { expect, test } from "vitest";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { jsonl, rig } from "./test-import";

const shown = (view: SessionView) =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message"
      ? [
          `${entry.role}: ${entry.blocks.map((block) => ("text" in block ? block.text : block.type)).join("|")}`,
          ...entry.calls.map(({ name, kind, target, state, output }) =>
            [
              name,
              kind,
              target,
              state,
              (output ?? []).map((block) => ("text" in block ? block.text : "")).join(""),
            ].join(" "),
          ),
        ]
      : [],
  );

const claude = (uuid: string, parentUuid: string | null, role: string, content: unknown, more = {}) => ({
  type: role,
  uuid,
  parentUuid,
  sessionId: "s",
  timestamp: "2026-10-01T10:00:00.000Z",
  message: { role, content, ...(role === "assistant" ? { model: "sonnet" } : {}) },
  ...more,
});
const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, isError = false) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error: isError,
});

test("a session of Claude Code: one answer of several lines, results, the branch that was left, subagents", async () => {
  const { importText } = rig();
  const { view, row } = await importText(
    jsonl(
      { type: "summary", summary: "Fix the greeting", leafUuid: "6" },
      claude("1", null, "user", "Fix it"),
      claude("x", "1", "assistant", [{ type: "text", text: "An answer that was taken back." }]),
      claude("2", "1", "assistant", [{ type: "thinking", thinking: "Hm." }]),
      claude("3", "2", "assistant", [{ type: "text", text: "I look." }, use("a", "Read", { file_path: "greet.js" })]),
      claude("4", "3", "assistant", [use("b", "Bash", { command: "npm test" })]),
      claude("s", "4", "assistant", [{ type: "text", text: "A subagent." }], { isSidechain: true }),
      claude("5", "4", "user", [result("a", "1 text"), result("b", [{ type: "text", text: "failed" }], true)]),
      claude("m", "5", "user", "Caveat: …", { isMeta: true }),
      claude("6", "m", "assistant", [{ type: "text", text: "Done." }]),
      { type: "file-history-snapshot", messageId: "6" },
    ),
  );
  expect([row.title, row.createdAt]).toEqual(["Fix the greeting", Date.parse("2026-10-01T10:00:00Z")]);
  expect(row.model).toBe("sonnet");
  expect(shown(view)).toEqual([
    "user: Fix it",
    "assistant: I look.|call|call",
    "Read read greet.js ok 1 text",
    "Bash shell npm test error failed",
    "assistant: Done.",
  ]);
});

test.each([
  ["without ids", undefined, undefined],
  ["with a circle of them", "1", "2"],
])("a session of Claude Code %s has the order of its file", async (_name, first, second) => {
  const { importText } = rig();
  const line = (role: string, text: string, uuid: string | undefined, parentUuid: string | undefined) =>
    claude("", null, role, text, { uuid, parentUuid });
  const { view } = await importText(jsonl(line("user", "One", first, second), line("assistant", "Two", second, first)));
  expect(shown(view)).toEqual(["user: One", "assistant: Two"]);
});

test("a session of Codex: its own context is left out, calls that follow each other belong to one answer", async () => {
  const { importText } = rig();
  const item = (payload: object) => ({ timestamp: "2026-10-01T10:00:00Z", type: "response_item", payload });
  const message = (role: string, text: string) =>
    item({ type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] });
  const { view, row } = await importText(
    jsonl(
      { timestamp: "2026-10-01T10:00:00Z", type: "session_meta", payload: { id: "c", cwd: "/x" } },
      message("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
      { timestamp: "", type: "turn_context", payload: { model: "gpt-x" } },
      message("user", "<div> List the files"),
      { timestamp: "", type: "event_msg", payload: { type: "user_message", message: "<div> List the files" } },
      item({ type: "reasoning", summary: [] }),
      item({ type: "function_call", name: "shell", arguments: '{"command":["bash","-lc","ls"]}', call_id: "1" }),
      item({ type: "function_call", name: "shell", arguments: '{"command":"pwd"}', call_id: "2" }),
      item({ type: "function_call_output", call_id: "1", output: '{"output":"a.ts","metadata":{"exit_code":0}}' }),
      item({ type: "function_call_output", call_id: "2", output: { content: "denied", success: false } }),
      message("assistant", "One file."),
    ),
  );
  expect(row.model).toBe("gpt-x");
  expect(shown(view)).toEqual([
    "user: <div> List the files",
    "assistant: call|call",
    "shell shell bash -lc ls ok a.ts",
    "shell shell pwd error denied",
    "assistant: One file.",
  ]);
});

test("bare messages, as Golem and Kimi-Go keep them", async () => {
  const { importText } = rig();
  const { view, row } = await importText(
    jsonl(
      { role: "system", content: "You are helpful." },
      { role: "user", content: "Hello", timestamp: "2026-10-01T10:00:00Z" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } }],
      },
      { role: "tool", tool_call_id: "1", content: "text" },
      { role: "assistant", content: "Hi." },
    ),
  );
  expect(row.title).toBe("Hello");
  expect(shown(view)).toEqual(["user: Hello", "assistant: call", "read_file read a.ts ok text", "assistant: Hi."]);
});
