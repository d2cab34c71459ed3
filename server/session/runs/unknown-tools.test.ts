/** Tests of models that call an unknown tool in text: aliases of our tools run, other names are answered. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import { auditLog } from "../testing/test-audit";
import {
  type ScriptedAnswer,
  promptAndWait,
  testCommandId,
  makeTestHarness,
  storedRows,
} from "../testing/test-harness";

const usage = { promptTokens: 100, outputTokens: 20, loadMs: 0, promptMs: 1, outputMs: 1 };
const writes = (text: string): ScriptedAnswer => [
  ...[...text].map((one) => ({ type: "text" as const, text: one })),
  { type: "finish", stop: "done", usage },
];
const assistantMessages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));

test.each([
  ["native", '<tool_call>{"name":"web_search","arguments":{"query":"x"}}</tool_call>', 'no tool "web_search"'],
  ["react", 'Thought: x\nAction: codebase_search\nAction Input: {"query": "the port"}', "Use grep."],
  ["xml", '<tool name="apply_patch"><patch>a guess</patch></tool>', "Use edit."],
] as const)("in %s mode %s is answered", async (mode, text, expected) => {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  session.changeModel({ name: "scripted", toolMode: mode }, testCommandId());
  writeFileSync(join(harness.root, "a.ts"), "export {};\n");
  harness.script(writes(text), writes("It is empty."));
  expect(await promptAndWait(session, "look")).toBe("done");
  const [first, second] = assistantMessages(session.view);
  expect(first?.calls.map((call) => call.state)).toEqual(["error"]);
  expect(second?.blocks).toEqual([{ type: "text", text: "It is empty." }]);
  expect(JSON.stringify(harness.requests[1]?.messages)).toContain(JSON.stringify(expected).slice(1, -1));
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
});

test.each([
  ["native", '{"name":"read_file","arguments":{"path":"a.ts"}}', "read", "a.ts"],
  ["react", 'Thought: x\nAction: run_command\nAction Input: {"command": "cat a.ts"}', "bash", "cat a.ts"],
  ["xml", "<tool name='read_file'>a.ts</tool>", "read", "a.ts"],
  ["xml", '<tool name="write_to_file"><path>b</path><content>x</content></tool>', "write", "b"],
  ["native", "<read_file>\n<path>a.ts</path>\n</read_file>", "read", "a.ts"],
  ["native", '<tool_call>{"name": "readFile", "arguments": {"filePath": "a.ts"}}</tool_call>', "read", "a.ts"],
] as const)("in %s mode an alias runs as our tool: %s", async (mode, text, name, target) => {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  session.changeModel({ name: "scripted", toolMode: mode }, testCommandId());
  writeFileSync(join(harness.root, "a.ts"), "export {};\n");
  harness.script(writes(text), writes("Done."));
  expect(await promptAndWait(session, "look")).toBe("done");
  const [first] = assistantMessages(session.view);
  expect(first?.calls).toMatchObject([{ name, target, state: "ok" }]);
  expect(first?.blocks.at(-1)).toMatchObject({
    type: "call",
    name,
    raw: text.slice(Math.max(0, text.indexOf("Action"))),
  });
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
});

test("an unknown name in plain JSON ends the run as an answer", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  const text = '{"name":"get_weather","arguments":{}}';
  harness.script(writes(text));
  expect(await promptAndWait(session, "show me a call")).toBe("done");
  expect(assistantMessages(session.view).map((answer) => answer.blocks)).toEqual([[{ type: "text", text }]]);
});
