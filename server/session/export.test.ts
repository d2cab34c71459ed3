import { expect, test } from "vitest";
import { asId, type CallId, type MessageId } from "@/lib/id";
import type { DurableEvent } from "@/lib/event";
import { foldLog } from "@/lib/fold";
import { emptyView } from "@/lib/view";
import { session, storeWithSession } from "../store/__fixtures__/home";
import { exportSession } from "./export";

const hostile = `</title></style></pre><script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) "'\u202egnp.exe`;

const exported = (format: "md" | "html") => {
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
  ];
  const rows = events.map((event, index) => ({ seq: index + 1, at: 1_000, event }));
  const row = session("ses1", project.id, { title: hostile });
  store.events.create({ session: row, rows });
  const view = foldLog(
    emptyView(row.id),
    rows.map((one) => ({ ...one, v: 1 as const, sessionId: row.id })),
  );
  const file = exportSession(store, view, format);
  if (file === undefined) throw new Error("no file");
  return file;
};

test("HTML has no script, no address to load from and no tag that came from a text", () => {
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

test("Markdown folds calls away, with a fence that is longer than any in what was printed", () => {
  const { text } = exported("md");
  expect(text).toContain("````\n```\nout\n````");
  expect(text).toContain("<summary><code>bash</code> &lt;/title&gt;");
  expect(text).toContain("> </title>");
});
