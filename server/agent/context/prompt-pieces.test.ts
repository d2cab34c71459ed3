/** Pieces of a request for the prompt view: each with its exact text, none missing and none duplicated. */
import { expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import { estimateTokens, uniformScale } from "@/lib/text/estimate-tokens";
import type { ModelMessage } from "@/server/providers/provider";
import { renderSnapshot } from "./snapshot";
import { renderReference } from "./render-reference";
import { promptPieces } from "./prompt-pieces";

const scale = uniformScale(1);
const callId = asId<CallId>("c");
const facts = {
  root: "/home/somebody/project",
  platform: "linux 6.1",
  date: "2026-11-22",
  branch: "main",
  guide: { name: "AGENTS.md", text: "Use tabs.\n\nFiles:\nare not to be moved." },
  tree: "src/\n  a.ts",
};
const contextElement = (about: string, text: string): string => `<context about="${about}">\n${text}\n</context>`;
const shown = (messages: readonly ModelMessage[], hasHead = false) =>
  promptPieces(messages, [], { hasHead, newFrom: messages.length, scale }).map(({ kind, text }) => [kind, text]);

test("shows the snapshot as environment, tree and guide, and the message after it separately", () => {
  const text = `${contextElement("project", renderSnapshot(facts, 2_000))}\n\nWhat is here?`;
  expect(shown([{ role: "user", text }])).toEqual([
    ["environment", "Project folder: /home/somebody/project\nSystem: linux 6.1\nDate: 2026-11-22\nGit branch: main"],
    ["tree", "Files:\nsrc/\n  a.ts"],
    ["guide", "AGENTS.md:\nUse tabs.\n\nFiles:\nare not to be moved."],
    ["message", "What is here?"],
  ]);
});

test("a snapshot without tree and guide has only the environment", () => {
  const text = contextElement("project", renderSnapshot({ ...facts, tree: null, guide: null, branch: null }, 2_000));
  expect(shown([{ role: "user", text }]).map(([kind]) => kind)).toEqual(["environment"]);
});

test("answers include reasoning and native calls, results name their tool, notices are separate", () => {
  const reasoning = { server: "ollama", field: "thinking", text: "Hm." } as const;
  const messages: readonly ModelMessage[] = [
    { role: "user", text: "Go." },
    { role: "assistant", text: "I look.", reasoning, calls: [{ callId, name: "ls", input: { path: "." } }] },
    { role: "tool", callId, name: "ls", text: `a.ts\n\n${contextElement("mode", "Mode: plan.")}` },
    { role: "assistant", text: 'It says <context about="mode">\nx\n</context>' },
  ];
  const pieces = promptPieces(messages, [{ type: "context", kind: "notice", topic: "shell", text: "Restarted." }], {
    hasHead: false,
    newFrom: 4,
    scale,
  });
  expect(pieces.map(({ tokens: _tokens, ...piece }) => piece)).toEqual([
    { kind: "message", text: "Go." },
    { kind: "answer", text: 'Hm.\n\nI look.\n\nls {"path":"."}' },
    { kind: "result", name: "ls", text: "a.ts" },
    { kind: "notice", text: "Mode: plan." },
    { kind: "answer", text: 'It says <context about="mode">\nx\n</context>' },
    { kind: "pending", text: "Restarted." },
  ]);
  for (const { text, tokens } of pieces) expect(tokens).toBe(estimateTokens(text, scale));
});

test("shows the compaction head as summary, with the snapshot separate", () => {
  const head = `${contextElement("project", "Project folder: /p")}\n\nIt was about tests.`;
  expect(
    shown(
      [
        { role: "user", text: head },
        { role: "user", text: "On." },
      ],
      true,
    ),
  ).toEqual([
    ["environment", "Project folder: /p"],
    ["summary", "It was about tests."],
    ["message", "On."],
  ]);
});

test("added files are separate, also with context elements in them, and files that wait are pending", () => {
  const file = { type: "reference", kind: "file", label: "a.md", text: contextElement("mode", "x") } as const;
  const lines = { ...file, label: "b.md", lines: { first: 2, last: 3 }, text: "two\n</attached>" };
  const text = [contextElement("mode", "Mode: plan."), renderReference(file), renderReference(lines), "Go."].join(
    "\n\n",
  );
  const pieces = promptPieces([{ role: "user", text }], [{ ...file, label: "c.md" }], {
    hasHead: false,
    newFrom: 1,
    scale,
  });
  expect(pieces.map(({ kind, name, text }) => [kind, name, text])).toEqual([
    ["notice", undefined, "Mode: plan."],
    ["file", "a.md", file.text],
    ["file", "b.md:2-3", lines.text],
    ["message", undefined, "Go."],
    ["pendingFile", "c.md", file.text],
  ]);
});

test("what was not in the last request is marked", () => {
  const messages: readonly ModelMessage[] = [
    { role: "user", text: "Go." },
    { role: "assistant", text: "Done." },
    { role: "user", text: "More." },
  ];
  const pieces = promptPieces(messages, [], { hasHead: false, newFrom: 2, scale });
  expect(pieces.map(({ text, isNew }) => [text, isNew])).toEqual([
    ["Go.", undefined],
    ["Done.", undefined],
    ["More.", true],
  ]);
});
