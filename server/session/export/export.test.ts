import { expect, test } from "vitest";
import { exportFormats } from "@/lib/protocol/history";
import {
  asId,
  type BlobId,
  type CallId,
  type Hash,
  type MessageId,
  type ProjectId,
  type SessionId,
} from "@/lib/events/id";
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { emptyView } from "@/lib/view/view";
import { openTestStore, newSessionRow, storeWithSession } from "@/server/store/__fixtures__/home";
import { makeRedactor, type Redactor } from "@/server/security/redaction/redact";
import { exportSession, exportSteps } from "./export";

const hostile = `</title></style></pre><script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) "'\u202egnp.exe`;

const exported = (format: "md" | "html", more: readonly DurableEvent[] = [], mask: Redactor | null = null) => {
  const { store, project } = storeWithSession();
  const id = asId<MessageId>("m1");
  const answer = asId<MessageId>("m2");
  const callId = asId<CallId>("c1");
  const events: readonly DurableEvent[] = [
    { type: "session_start", projectId: project.id, cwd: "/folder" },
    { type: "message_start", messageId: id, role: "user" },
    { type: "message_end", messageId: id, blocks: [{ type: "text", text: hostile }], stop: "done" },
    { type: "message_start", messageId: answer, role: "assistant" },
    {
      type: "message_end",
      messageId: answer,
      blocks: [
        { type: "text", text: "Here:\n\n```ts\nconst 名字 = 1 < 2;\n```\n\nuse `a<b`" },
        { type: "call", callId, name: "bash", input: { command: hostile } },
      ],
      stop: "done",
    },
    { type: "tool_call_start", callId, messageId: answer, kind: "shell", target: hostile, facts: {} },
    {
      type: "tool_call_end",
      callId,
      outcome: "ok",
      output: [{ type: "text", text: "```\nout" }],
      facts: {},
      tookMs: 1,
    },
    ...more,
  ];
  const rows = events.map((event, index) => ({ seq: index + 1, at: 1_000, event }));
  const row = newSessionRow("ses1", project.id, { title: hostile });
  store.events.create({ session: row, rows });
  const view = foldLog(
    emptyView(row.id),
    rows.map((one) => ({ ...one, v: 1 as const, sessionId: row.id })),
  );
  const file = exportSession(store, view, format, mask);
  if (file === undefined) throw new Error("no file");
  return file;
};

test("HTML has no script, no external address and no tag from a text", () => {
  const { name, text } = exported("html");
  expect(text).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
  expect(text).not.toMatch(/<script|<img|<a\b|\son\w+="|src=["']|href=|url\(|\u202e/i);
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).toContain("<pre>const 名字 = 1 &lt; 2;</pre>");
  expect(text).toContain("<code>a&lt;b</code>");
  expect(text.match(/<\/title>|<\/style>/g)).toEqual(["</title>", "</style>"]);
  expect(name).toMatch(/^[\p{L}\p{N}_-]+\.html$/u);
});

test("HTML names the actions of calls and collapsed parts, and uses the app's style", () => {
  const { text } = exported("html");
  expect(text).toContain("<summary><b>Run</b> <code>");
  expect(text).not.toContain("<summary><span>…</span></summary>");
  expect(text).toContain("Geist");
});

test("Markdown collapses calls, with a fence longer than any in the output", () => {
  const { text } = exported("md");
  expect(text).toContain("````\n```\nout\n````");
  expect(text).toContain("<summary><code>bash</code> &lt;/title&gt;");
  expect(text).toContain("> </title>");
});

const answerId = asId<MessageId>("m3");
const writeId = asId<CallId>("c2");
const spokenId = asId<MessageId>("m4");
const blob = asId<BlobId>("b");
const none = { before: null, after: null, added: 0, removed: 0 };
const filesEvents: readonly DurableEvent[] = [
  { type: "message_start", messageId: answerId, role: "assistant" },
  {
    type: "message_end",
    messageId: answerId,
    blocks: [{ type: "call", callId: writeId, name: "write", input: { path: "empty.txt" } }],
    stop: "done",
  },
  { type: "tool_call_start", callId: writeId, messageId: answerId, kind: "edit", target: "empty.txt", facts: {} },
  {
    type: "tool_call_end",
    callId: writeId,
    outcome: "ok",
    output: [],
    facts: {},
    changes: [
      { ...none, path: "empty.txt", after: asId<Hash>("h"), hunks: [] },
      { ...none, path: "was-empty.txt", before: blob, hunks: [] },
      { ...none, path: "picture.png", before: blob, after: asId<Hash>("h2") },
    ],
    tookMs: 1,
  },
  { type: "message_start", messageId: spokenId, role: "user" },
  { type: "message_end", messageId: spokenId, blocks: [{ type: "text", text: "## Mine\nand more" }], stop: "done" },
  {
    type: "restore",
    toSeq: 2,
    files: ["a.ts", "b.ts", "c.ts"].map((path) => ({ ...none, path, mode: 0o644 })),
  },
];

test("restored files, empty files and binary files are described in words, not by empty blocks", () => {
  const [md, html] = [exported("md", filesEvents).text, exported("html", filesEvents).text];
  expect(md).toContain("*3 files restored: a.ts, b.ts, c.ts*");
  expect(html).toContain('<p class="notice">3 files restored: a.ts, b.ts, c.ts</p>');
  expect(md).toContain("`empty.txt`\n\n*Empty file created*");
  expect(md).toContain("`was-empty.txt`\n\n*Empty file deleted*");
  expect(md).toContain("`picture.png`\n\n*Not text, no diff to show*");
  expect(html).toContain('<code>picture.png</code></p><p class="notice">Not text, no diff to show</p>');
  expect(md).not.toMatch(/```diff\n\n?```/);
  expect(html).not.toContain("<pre></pre>");
});

test("a message that was written in the terminal says so beside its time", () => {
  const messageId = asId<MessageId>("m5");
  const blocks = [
    { type: "text" as const, text: "Hi" },
    { type: "text" as const, text: "there" },
  ];
  const events: readonly DurableEvent[] = [
    { type: "message_start", messageId, role: "user", origin: { kind: "cli" } },
    { type: "message_end", messageId, blocks, stop: "done" },
  ];
  expect(exported("md", events).text).toContain("**1970-01-01 00:00 UTC, from the terminal**\n\n> Hi\n\n> there");
  expect(exported("html", events).text).toContain('<div class="when">1970-01-01 00:00 UTC, from the terminal</div>');
});

test("headings are the title or part of a message; all times have one format", () => {
  const [md, html] = [exported("md", filesEvents).text, exported("html", filesEvents).text];
  expect(md.match(/^(?:> )?#.*$/gm)?.slice(1)).toEqual(["> ## Mine"]);
  expect(html).toContain('<div class="text">## Mine\nand more</div>');
  const times = (text: string) => new Set(text.match(/\d{4}-\d\d-\d\d[^\n`*<·]*/g)?.map((one) => one.trim()));
  expect(times(md)).toEqual(new Set(["1970-01-01 00:00 UTC"]));
  expect(times(html)).toEqual(times(md));
});

test.each(["md", "html"] as const)("%s masks secrets everywhere, and nothing when masking is off", (format) => {
  const id = asId<MessageId>("m9");
  const callId = asId<CallId>("c9");
  const secret = "Tr0ub4dor3-xyz";
  const more: readonly DurableEvent[] = [
    { type: "message_start", messageId: id, role: "assistant" },
    {
      type: "message_end",
      messageId: id,
      blocks: [
        { type: "text", text: `it is ${secret}` },
        { type: "call", callId, name: "bash", input: { command: `curl -H ${secret}` } },
      ],
      stop: "done",
    },
    { type: "tool_call_start", callId, messageId: id, kind: "shell", target: `curl ${secret}`, facts: {} },
    {
      type: "tool_call_end",
      callId,
      outcome: "ok",
      output: [{ type: "text", text: `password=hunter2 ${Buffer.from(`a:${secret}`).toString("base64")} /home/ann/x` }],
      facts: {},
      tookMs: 1,
    },
  ];
  const mask = makeRedactor({ secrets: [secret], homes: ["/home/ann"] });
  const masked = exported(format, more, mask).text;
  for (const leaked of [secret, "hunter2", Buffer.from(`a:${secret}`).toString("base64"), "/home/ann"])
    expect(masked).not.toContain(leaked);
  expect(exported(format, more).text).toContain(secret);
});

test.each(exportFormats)("a long session is exported as %s in slices of a few hundred rows", (format) => {
  const store = openTestStore();
  const projectId = store.projects.open({ path: "/here", name: "here" }, 1).id;
  const id = asId<SessionId>("long");
  const rows = longLog(projectId, 2_000).map((event, index) => ({ seq: index + 1, at: 1_000 + index, event }));
  store.events.create({ session: newSessionRow("long", projectId), rows });
  const view = foldLog(
    emptyView(id),
    rows.map((row) => ({ ...row, v: 1, sessionId: id })),
  );
  let slices = 1;
  for (const _pause of exportSteps(store, view, format, null)) slices += 1;
  expect(rows.length / slices).toBeLessThanOrEqual(500);
  expect(exportSession(store, view, format, null)?.text).toContain("Answer 1999");
});

function longLog(projectId: ProjectId, messages: number): readonly DurableEvent[] {
  const answers = Array.from({ length: messages }, (_, index): readonly DurableEvent[] => {
    const messageId = asId<MessageId>(`m${index}`);
    return [
      { type: "message_start", messageId, role: "assistant" },
      { type: "message_end", messageId, blocks: [{ type: "text", text: `Answer ${index}` }], stop: "done" },
    ];
  });
  return [{ type: "session_start", projectId, cwd: "/here" }, ...answers.flat()];
}

test("a pinned file is a collapsed part with its content, masked when asked for", () => {
  const messageId = asId<MessageId>("m3");
  const text = "const key = 'Zk4-Zk4-Zk4';";
  const pinned: readonly DurableEvent[] = [
    { type: "session_update", pins: [{ path: "a.ts" }] },
    { type: "message_start", messageId, role: "user" },
    {
      type: "message_end",
      messageId,
      blocks: [{ type: "reference", kind: "file", label: "a.ts", text, pinned: true }],
      stop: "done",
    },
  ];
  expect(exported("md", pinned).text).toContain(`<summary>Attached <code>a.ts</code></summary>\n\n\`\`\`\n${text}`);
  const mask = makeRedactor({ secrets: ["Zk4-Zk4-Zk4"], homes: [] });
  const masked = exported("html", pinned, mask).text;
  expect(masked).toContain("<code>a.ts</code>");
  expect(masked).not.toContain("Zk4-Zk4-Zk4");
});

test("references of a message are collapsed parts with their content", () => {
  const messageId = asId<MessageId>("m3");
  const lines = { first: 2, last: 3 };
  const more: readonly DurableEvent[] = [
    { type: "message_start", messageId, role: "user" },
    {
      type: "message_end",
      messageId,
      blocks: [{ type: "reference", kind: "file", label: "src/<a>.ts", lines, text: "```\nx < y" }],
      stop: "done",
    },
  ];
  expect(exported("html", more).text).toContain(
    "<summary><b>Attached</b> <code>src/&lt;a&gt;.ts:2-3</code></summary><pre>```\nx &lt; y</pre>",
  );
  expect(exported("md", more).text).toContain(
    "<summary>Attached <code>src/&lt;a&gt;.ts:2-3</code></summary>\n\n````\n```\nx < y\n````",
  );
});
