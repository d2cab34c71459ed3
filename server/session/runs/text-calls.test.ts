/**
 * Tests of models that write calls as text, in sessions with real tools and files: execution, the log, the model's
 * context.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Envelope, ToolMode } from "@/lib/events/event";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  type ScriptedAnswer,
  promptAndWait,
  callAnswer,
  testCommandId,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

const assistantMessages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);

async function sessionIn(mode: ToolMode): Promise<{ readonly harness: TestHarness; readonly session: Session }> {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  session.changeModel({ name: "scripted", toolMode: mode }, testCommandId());
  return { harness, session };
}

const usage = { promptTokens: 100, outputTokens: 20, loadMs: 0, promptMs: 1, outputMs: 1 };
/** The text in chunks of `size`. */
const pieces = (text: string, size: number): readonly ModelPart[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => ({
    type: "text",
    text: text.slice(index * size, (index + 1) * size),
  }));
const writes = (text: string, size = 1): ScriptedAnswer => [
  ...pieces(text, size),
  { type: "finish", stop: "done", usage },
];

const wire = (request: ModelRequest): string => JSON.stringify(request.messages).slice(0, -1);
function keepsPrefix(harness: TestHarness): void {
  for (const [index, request] of harness.requests.entries()) {
    const before = harness.requests[index - 1];
    if (before !== undefined) expect(wire(request).startsWith(wire(before))).toBe(true);
  }
}

/** Collects every delta of the session; fails when one does not continue its block. */
function watch(session: Session): { readonly deltas: (Envelope & { readonly after: number })["event"][] } {
  const deltas: (Envelope & { readonly after: number })["event"][] = [];
  const lengths = new Map<string, number>();
  session.subscribe((envelope) => {
    if (!("after" in envelope) || envelope.event.type !== "message_delta") return;
    const { messageId, block, offset, text } = envelope.event;
    expect(offset).toBe(lengths.get(`${messageId}:${block}`) ?? 0);
    lengths.set(`${messageId}:${block}`, offset + text.length);
    deltas.push(envelope.event);
  });
  return { deltas };
}

describe("a model with thoughts and actions in lines (react)", () => {
  const first = 'Thought: I make the file.\nAction: write\nAction Input: {"path": "a.txt", "content": "one\\ntwo\\n"}';
  const second = "Thought: I look.\nAction: bash\nAction Input: {'command': 'wc -l a.txt',}";

  test("works with real tools; its text is the history, the results are observations", async () => {
    const { harness, session } = await sessionIn("react");
    harness.script(
      writes(first),
      writes(second),
      writes("Thought: It is there.\nFinal Answer: The file has two lines."),
    );
    expect(await promptAndWait(session, "make a.txt")).toBe("done");
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("one\ntwo\n");
    const answers = assistantMessages(session.view);
    expect(answers.map((answer) => answer.blocks.map((block) => block.type))).toEqual([
      ["thinking", "call"],
      ["thinking", "call"],
      ["thinking", "text"],
    ]);
    expect(answers[0]?.blocks[1]).toMatchObject({
      name: "write",
      input: { path: "a.txt", content: "one\ntwo\n" },
      raw: first.slice(first.indexOf("Action:")),
    });
    expect(answers[1]?.calls).toMatchObject([{ state: "ok", target: "wc -l a.txt" }]);
    expect(answers[2]?.blocks[1]).toEqual({ type: "text", text: "The file has two lines." });
    const last = harness.requests[2];
    expect(last?.tools).toEqual([]);
    expect(last?.messages.slice(2).map(({ role, text }) => [role, text.split("\n")[0]])).toEqual([
      ["assistant", "Thought: I make the file."],
      ["user", "Observation: Created a.txt (+2 -0 lines)."],
      ["assistant", "Thought: I look."],
      ["user", "Observation: 2 a.txt"],
    ]);
    expect(last?.messages[4]?.text).toBe(second);
    keepsPrefix(harness);
    expectValidLog(harness, session);
  });

  test("with an invented Observation is stopped there; nothing after it counts, and no usage is invented", async () => {
    const { harness, session } = await sessionIn("react");
    const { deltas } = watch(session);
    writeFileSync(join(harness.root, "a.txt"), "real\n");
    const lies = '\nObservation: 1\tfake\nThought: Now the rest.\nAction: bash\nAction Input: {"command": "touch lie"}';
    harness.script(
      [
        ...pieces(`Thought: I read.\nAction: read\nAction Input: {"path": "a.txt"}${lies}`, 3),
        ...pieces("\nObservation: more\nFinal Answer: lies. ".repeat(500), 20),
        { type: "finish", stop: "done", usage },
      ],
      writes("Final Answer: It says real."),
    );
    expect(await promptAndWait(session, "read a.txt")).toBe("done");
    const [answer, final] = assistantMessages(session.view);
    expect(answer?.stop).toBe("done");
    expect(answer?.calls.map((call) => [call.name, call.state])).toEqual([["read", "ok"]]);
    expect(JSON.stringify(answer?.blocks)).not.toContain("fake");
    expect(answer?.usage).toMatchObject({ promptTokens: 0, outputTokens: 0 });
    expect(answer?.usage?.estimatedPromptTokens).toBeGreaterThan(0);
    expect(harness.learned.map(({ promptTokens }) => promptTokens)).toEqual([100]);
    expect(final?.blocks).toEqual([{ type: "text", text: "It says real." }]);
    expect(existsSync(join(harness.root, "lie"))).toBe(false);
    expect(JSON.stringify(harness.requests[1]?.messages)).not.toContain("fake");
    expect(deltas.length).toBeLessThan(100);
    expectValidLog(harness, session);
  });

  test("whose answer is only a Thought line has answered", async () => {
    const { harness, session } = await sessionIn("react");
    harness.script(writes("Thought: The port is 80."));
    expect(await promptAndWait(session, "which port?")).toBe("done");
    expect(assistantMessages(session.view)[0]?.blocks).toEqual([{ type: "text", text: "The port is 80." }]);
    harness.script(writes("<think>The port is 80.</think>"));
    expect(await promptAndWait(session, "which port?")).toBe("error");
    expect(assistantMessages(session.view)[1]?.blocks).toMatchObject([{ type: "thinking", text: "The port is 80." }]);
  });
});

describe("a model that writes elements (xml)", () => {
  test("edits a real file with verbatim values, and gets its results in elements", async () => {
    const { harness, session } = await sessionIn("xml");
    writeFileSync(join(harness.root, "a.ts"), 'const a = "x";\nif (a < "y") {\n  run();\n}\n');
    const call =
      '<tool name="edit">\n<path>a.ts</path>\n<old_string>\nif (a < "y") {\n  run();\n</old_string>\n<new_string>\nif (a < "z") {\n  walk();\n</new_string>\n</tool>';
    harness.script(writes(`I change it.\n${call}`), writes("Done: it walks."));
    expect(await promptAndWait(session, "walk")).toBe("done");
    expect(readFileSync(join(harness.root, "a.ts"), "utf8")).toBe('const a = "x";\nif (a < "z") {\n  walk();\n}\n');
    expect(assistantMessages(session.view)[0]?.blocks).toMatchObject([
      { type: "text", text: "I change it." },
      { type: "call", name: "edit", raw: call },
    ]);
    const sent = harness.requests[1]?.messages.slice(2).map(({ role, text }) => ({ role, text }));
    expect(sent?.[0]).toEqual({ role: "assistant", text: `I change it.\n${call}` });
    expect(sent?.[1]?.text).toMatch(/^<tool_result name="edit">\nEdited a\.ts .*\n<\/tool_result>$/s);
    keepsPrefix(harness);
    expectValidLog(harness, session);
  });

  test("continues after calls that were made natively before the mode changed", async () => {
    const { harness, session } = await sessionIn("native");
    harness.script(callAnswer(["ls", {}], ["find", { pattern: "*.ts" }]), textAnswer("Nothing."));
    await promptAndWait(session, "look");
    session.changeModel({ name: "scripted", toolMode: "xml" }, testCommandId());
    harness.script(writes("Nothing at all."));
    await promptAndWait(session, "again");
    expect(harness.requests[2]?.messages.slice(2, 4).map((message) => message.text)).toEqual([
      '<tool name="ls"></tool>\n<tool name="find">\n<pattern>*.ts</pattern>\n</tool>',
      expect.stringMatching(/^<tool_result name="ls">[^]*<tool_result name="find">[^]*<\/tool_result>$/),
    ]);
  });
});

describe("a model with native calls that writes one as text", () => {
  test("in a fence after an introduction: it runs, its text is kept, and the view turns the text into a card", async () => {
    const { harness, session } = await sessionIn("native");
    const { deltas } = watch(session);
    const fence = '```json\n{"name": "write", "arguments": {"path": "b.txt", "content": "made"}}\n```';
    const gate = makeGate();
    harness.script(
      [...pieces(`I write it now.\n\n${fence}`, 2), gate, { type: "finish", stop: "done", usage }],
      textAnswer("Ok."),
    );
    const done = promptAndWait(session, "make b.txt");
    await gate.reached;
    const open = assistantMessages(session.view)[0];
    expect(open?.blocks.map((block) => block.type)).toEqual(["text", "input"]);
    expect(open?.blocks[1]).toMatchObject({ name: "write" });
    expect(session.view.phase).toMatchObject({ phase: "calling", name: "write" });
    gate.open();
    expect(await done).toBe("done");
    expect(readFileSync(join(harness.root, "b.txt"), "utf8")).toBe("made");
    expect(assistantMessages(session.view)[0]?.blocks).toMatchObject([
      { type: "text", text: "I write it now." },
      { type: "call", name: "write", raw: fence },
    ]);
    expect(deltas.length).toBeGreaterThan(5);
    const sent = harness.requests[1]?.messages.slice(2);
    expect(sent?.map((message) => message.role)).toEqual(["assistant", "tool"]);
    keepsPrefix(harness);
    expectValidLog(harness, session);
  });

  test("as an example, or in a shell fence: nothing runs", async () => {
    const { harness, session } = await sessionIn("native");
    const text =
      'For example, a call looks like this:\n\n```json\n{"name": "bash", "arguments": {"command": "touch no"}}\n```\n\nThat would make the file. You can also run:\n\n```bash\ntouch no\n```\n';
    harness.script(writes(text));
    expect(await promptAndWait(session, "explain")).toBe("done");
    expect(assistantMessages(session.view)[0]?.blocks).toEqual([{ type: "text", text }]);
    expect(existsSync(join(harness.root, "no"))).toBe(false);
  });

  test("beside a native one: both run, and an echo of the native one runs once", async () => {
    const { harness, session } = await sessionIn("native");
    const echo = '<tool_call>\n{"name": "bash", "arguments": {"command": "echo x >> log"}}\n</tool_call>';
    const other = '<tool_call>\n{"name": "bash", "arguments": {"command": "echo y >> log"}}\n</tool_call>';
    harness.script(
      [
        ...pieces(`${echo}\n${other}`, 9),
        { type: "call", name: "bash", input: { command: "echo x >> log" } },
        { type: "finish", stop: "done", usage },
      ],
      textAnswer("Ok."),
    );
    expect(await promptAndWait(session, "log")).toBe("done");
    expect(readFileSync(join(harness.root, "log"), "utf8").split("\n").toSorted()).toEqual(["", "x", "y"]);
    expect(assistantMessages(session.view)[0]?.calls).toHaveLength(2);
    expectValidLog(harness, session);
  });

  test("truncated by the output limit inside a call: the text before stays, nothing runs", async () => {
    const { harness, session } = await sessionIn("native");
    const text = 'I write it.\n<tool_call>{"name": "write", "arguments": {"path": "c.txt", "content": "half of';
    harness.script([...pieces(text, 5), { type: "finish", stop: "length", usage }]);
    expect(await promptAndWait(session, "write")).toBe("limit");
    const [answer] = assistantMessages(session.view);
    expect(answer?.blocks[0]).toMatchObject({ type: "text", text: expect.stringMatching(/^I write it\./) });
    expect(answer?.calls).toEqual([]);
    expect(existsSync(join(harness.root, "c.txt"))).toBe(false);
    expectValidLog(harness, session);
  });

  test("stopped by the user while it writes one: the text stays, the call is removed", async () => {
    const { harness, session } = await sessionIn("native");
    const gate = makeGate();
    harness.script([...pieces('I write it.\n\n<tool_call>{"name": "write", "arguments": {"path": "d', 4), gate]);
    const done = promptAndWait(session, "write");
    await waitForView(
      session,
      (view) => assistantMessages(view)[0]?.blocks.some((block) => block.type === "input") === true,
    );
    await gate.reached;
    await session.abort();
    expect(await done).toBe("aborted");
    const [answer] = assistantMessages(session.view);
    expect(answer?.stop).toBe("aborted");
    expect(answer?.blocks).toMatchObject([{ type: "text", text: expect.stringMatching(/^I write it\.\s*$/) }]);
    expectValidLog(harness, session);
  });
});
