import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DurableEvent, type Envelope, isDurable, type LiveEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import {
  asId,
  type BlobId,
  type CallId,
  type Hash,
  type MessageId,
  type RunId,
  type SessionId,
  type TurnId,
} from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import { emptyView, type SessionView } from "@/lib/view/view";
import { makeRedactor } from "@/server/security/redaction/redact";
import { makeShareRedactor } from "./share-redactor";

const sessionId = asId<SessionId>("s1");
const secrets = ["Zk4-Zk4-Zk4-Zk4", "Qy my Qv long Qw phrase"];
const shaped = `ghp_${"Vb7Vb7Vb7Vb7Vb7Vb7Vb7Vb7"}`;
const parts = ["Zk4-Zk", "Qv lon", "Qw phr", "Vb7Vb7", "/home/ann"];
const source = {
  redactor: () => redactor,
  protectedNames: () => ["private.txt"],
};
const redactor = makeRedactor({ secrets, homes: ["/home/ann"] });
const message = asId<MessageId>("m1");
const callId = asId<CallId>("c1");
const blob = asId<BlobId>("b".repeat(64));
const hash = asId<Hash>("c".repeat(64));
const turnId = asId<TurnId>("t1");
const runId = asId<RunId>("r1");

const durable = (events: readonly DurableEvent[]): readonly Envelope[] =>
  events.map((event, index) => ({ v: 1, sessionId, at: 1, seq: index + 1, event }));
/** Events as a viewer gets them. */
const seen = (events: readonly DurableEvent[], outputs = true): readonly DurableEvent[] => {
  const redact = makeShareRedactor(source, outputs);
  return durable(events)
    .flatMap((envelope) => redact.redact(envelope))
    .flatMap((one) => (isDurable(one) ? [one.event] : []));
};

describe("an event", () => {
  it.each<readonly [string, DurableEvent]>([
    ["a waiting message", { type: "queue_change", queued: [] }],
    ["a review", { type: "review", files: [] }],
    ["a review that waits", { type: "review_wait", waiting: [] }],
    ["a file about to change", { type: "file_change", callId, path: "a", before: null, mode: 0o644 }],
    ["something a newer program wrote", JSON.parse('{"type":"newer","secret":"x"}')],
  ])("that is not shared is replaced by hidden: %s", (_name, event) => {
    expect(seen([event])).toEqual([{ type: "hidden" }]);
  });

  it("of a call that a gate denies has neither its reason nor the name of its extension", () => {
    const text = `Refused: the gate of the extension guard denies this call: ${shaped}`;
    const [, end] = seen([
      { type: "tool_call_start", callId, messageId: message, kind: "bash", target: "ls", facts: {} },
      {
        type: "tool_call_end",
        callId,
        outcome: "error",
        output: [{ type: "text", text }],
        facts: { code: "blocked", rule: "gate", refusedBy: "guard", refusedWords: shaped },
        tookMs: 1,
      },
    ]);
    expect(end).toMatchObject({ output: [], facts: { code: "blocked", rule: "gate" } });
    expect(JSON.stringify(end)).not.toMatch(/guard|refusedWords/);
  });

  it("of a call has no files of its result", () => {
    const files = [{ name: "wages.pdf", mime: "application/pdf", bytes: 3, blob }];
    const [end] = seen([{ type: "tool_call_end", callId, outcome: "ok", output: [], facts: { files }, tookMs: 1 }]);
    expect(end).toMatchObject({ type: "tool_call_end", facts: {} });
    expect(JSON.stringify(end)).not.toContain("wages");
  });

  it("of a refused call has no secret of the refused text", () => {
    const [start] = seen([
      {
        type: "tool_call_start",
        callId,
        messageId: message,
        kind: "bash",
        target: "ls",
        facts: { code: "blocked", rule: "blocked_word", refusedBy: `curl ${shaped}`, refusedPart: shaped },
      },
    ]);
    expect(JSON.stringify(start)).not.toContain("Vb7Vb7");
  });

  it("of a call that names a protected file contains neither its input nor its output", () => {
    const output = [{ type: "text" as const, text: "PASSWORD is swordfish" }];
    const call = { type: "call" as const, callId, name: "bash", input: { command: "cat config/.env" } };
    const [begin, end, start, done] = seen([
      { type: "message_start", messageId: message, role: "assistant", held: "h1" },
      {
        type: "message_end",
        messageId: message,
        blocks: [call, { ...call, name: "write", input: { path: ".env", content: "swordfish" } }],
        stop: "done",
      },
      { type: "tool_call_start", callId, messageId: message, kind: "shell", target: "cat config/.env", facts: {} },
      { type: "tool_call_end", callId, outcome: "ok", output, facts: {}, tookMs: 1 },
    ]);
    // It is all that reading the answer from its server requires.
    expect(begin).not.toHaveProperty("held");
    expect(end).toMatchObject({ blocks: [{ input: { command: "cat config/.env" } }, { input: {} }] });
    expect(start).toMatchObject({ target: "cat config/.env" });
    expect(done).toMatchObject({ output: [], cut: { shown: 0, total: 21 } });
  });

  it.each<readonly [string, boolean, string, string]>([
    ["is masked", true, "src/a.ts", "key •••"],
    ["of a protected file is empty", true, "config/private.txt", ""],
    ["is empty in a link without outputs", false, "src/a.ts", ""],
  ])("of a message with a reference or a pinned file: its content %s", (_what, outputs, label, text) => {
    const block = { type: "reference" as const, kind: "file" as const, label, text: `key ${shaped}` };
    const blocks = [block, { ...block, pinned: true as const }];
    const [end] = seen([{ type: "message_end", messageId: message, blocks, stop: "done" }], outputs);
    expect(end).toMatchObject({
      blocks: [
        { label, text },
        { label, text, pinned: true },
      ],
    });
  });

  it("of a message with a reference has no note for the model", () => {
    const block = { type: "reference" as const, kind: "file" as const, label: "a.ts", text: "x", note: shaped };
    const [end] = seen([{ type: "message_end", messageId: message, blocks: [block], stop: "done" }]);
    expect(end).toMatchObject({ blocks: [{ type: "reference", kind: "file", label: "a.ts", text: "x" }] });
    expect(JSON.stringify(end)).not.toContain("note");
  });

  it("of a message names no host of the model", () => {
    const counts = { promptTokens: 9, estimatedPromptTokens: 9, outputTokens: 1, loadMs: 0, promptMs: 0, outputMs: 0 };
    const usage = { ...counts, servedBy: "gpu-2.internal" };
    const [end] = seen([{ type: "message_end", messageId: message, blocks: [], stop: "done", usage }]);
    expect(end).toMatchObject({ usage: counts });
    expect(JSON.stringify(end)).not.toContain("gpu-2");
  });

  it("that pins files has their paths, masked", () => {
    const pins = [{ path: "src/a.ts" }, { path: "/home/ann/b.ts" }];
    expect(seen([{ type: "session_update", pins }])).toEqual([
      { type: "session_update", pins: [{ path: "src/a.ts" }, { path: "~/b.ts" }] },
    ]);
  });

  it("of a message with the output of a command contains that output with the command only", () => {
    const block = { type: "reference", kind: "text", label: "!cat .env", text: "PASSWORD is swordfish", command: true };
    const event: DurableEvent = JSON.parse(
      JSON.stringify({ type: "message_end", messageId: message, blocks: [block], stop: "done" }),
    );
    expect(seen([event])).toMatchObject([{ blocks: [{ label: "!cat .env", text: "" }] }]);
  });

  const written = (name: string) => [
    {
      path: name,
      before: null,
      after: hash,
      added: 1,
      removed: 0,
      hunks: [
        {
          oldStart: 0,
          oldLines: 0,
          newStart: 1,
          newLines: 1,
          lines: [{ kind: "add" as const, text: "PASSWORD is swordfish", newLine: 1 }],
        },
      ],
    },
  ];
  const wrote = (target: string): readonly DurableEvent[] => [
    { type: "tool_call_start", callId, messageId: message, kind: "shell", target, facts: {} },
    {
      type: "tool_call_end",
      callId,
      outcome: "ok",
      output: [],
      facts: {},
      changes: written("copy.txt"),
      tookMs: 1,
    },
  ];

  it("of a command that copies a protected file names the written file, and none of its lines", () => {
    const [, done] = seen(wrote("cp .env copy.txt"));
    expect(done).toMatchObject({ changes: [{ path: "copy.txt", added: 1 }] });
    expect(JSON.stringify(done)).not.toContain("swordfish");
    expect(JSON.stringify(seen(wrote("npm run copy")))).toContain("swordfish");
  });

  it("without outputs lists the calls and the files they changed, without content", () => {
    const call = {
      type: "call" as const,
      callId,
      name: "write",
      input: { path: "copy.txt", content: "PASSWORD is swordfish" },
    };
    const events = seen(
      [
        { type: "message_start", messageId: message, role: "assistant" },
        { type: "message_end", messageId: message, blocks: [call], stop: "done" },
        ...wrote("copy.txt"),
      ],
      false,
    );
    expect(events[1]).toMatchObject({ blocks: [{ name: "write", input: {} }] });
    expect(events[3]).toMatchObject({ changes: [{ path: "copy.txt", added: 1 }] });
    expect(JSON.stringify(events)).not.toContain("swordfish");
  });

  it.each([
    "cat private.txt",
    "less ./a/private.txt;true",
    "x=$(<.env)",
    "git config -f .git/config -l",
    "sort <.env.local",
  ])("of the command %s is not shared", (target) => {
    const [, done] = seen([
      { type: "tool_call_start", callId, messageId: message, kind: "shell", target, facts: {} },
      {
        type: "tool_call_end",
        callId,
        outcome: "ok",
        output: [{ type: "text", text: "swordfish" }],
        facts: {},
        tookMs: 1,
      },
    ]);
    expect(JSON.stringify(done)).not.toContain("swordfish");
  });

  it.each(["cat .gitignore .env.example", "npm run env", "git status"])("of the command %s is", (target) => {
    const [, done] = seen([
      { type: "tool_call_start", callId, messageId: message, kind: "shell", target, facts: {} },
      {
        type: "tool_call_end",
        callId,
        outcome: "ok",
        output: [{ type: "text", text: "swordfish" }],
        facts: {},
        tookMs: 1,
      },
    ]);
    expect(JSON.stringify(done)).toContain("swordfish");
  });

  it("contains no blob, no hash, no path of the home and no context", () => {
    const change = { path: "/home/ann/a", before: blob, after: hash, added: 1, removed: 0 };
    const text = JSON.stringify(
      seen([
        {
          type: "restore",
          toSeq: 1,
          files: [{ path: "/home/ann/a", before: blob, after: blob, mode: 1, added: 1, removed: 1 }],
        },
        {
          type: "tool_call_end",
          callId,
          outcome: "ok",
          output: [{ type: "image", mime: "image/png", blob }],
          facts: { cwd: "/home/ann" },
          changes: [change],
          cut: { shown: 1, total: 2, blob },
          tookMs: 1,
        },
        {
          type: "message_end",
          messageId: message,
          blocks: [
            { type: "image", mime: "image/png", blob },
            { type: "context", kind: "snapshot", topic: "project", text: "the tree" },
          ],
          stop: "done",
        },
      ]),
    );
    for (const hidden of [blob, hash, "/home/ann", "the tree"]) expect(text).not.toContain(hidden);
    expect(text).toContain("~/a");
  });

  it("of output with an omitted middle has the words around the gap masked", () => {
    const note = "[... left out here: 10 of 20 bytes, about 1 line ...]";
    const output = [{ type: "text" as const, text: `one gh\n${note}\np_rest two` }];
    const [done] = seen([
      { type: "tool_call_end", callId, outcome: "ok", output, facts: {}, cut: { shown: 1, total: 2 }, tookMs: 1 },
    ]);
    expect(done).toMatchObject({ output: [{ text: `one •••\n${note}\n••• two` }] });
  });
});

describe("a truncated word", () => {
  const ended = (kind: "read" | "search" | "shell", text: string, facts: CallFacts = {}) =>
    seen([
      { type: "tool_call_start", callId, messageId: message, kind, target: "x", facts: {} },
      { type: "tool_call_end", callId, outcome: "error", output: [{ type: "text", text }], facts, tookMs: 1 },
    ])[1];

  it("at the end of a long line that was read is masked", () => {
    expect(ended("read", "1\tlong gh… [line cut: 9000 characters]\n2\twait…")).toMatchObject({
      output: [{ text: "1\tlong •••… [line cut: 9000 characters]\n2\twait…" }],
    });
  });

  it("on both sides of a long matched line is masked", () => {
    const middle = "a b ".repeat(70);
    expect(ended("search", `x.ts:7:…rest ${middle}gh…\nx.ts:8:short…`)).toMatchObject({
      output: [{ text: `x.ts:7:…••• ${middle}•••…\nx.ts:8:short…` }],
    });
  });

  it("before the line with the end of a command is masked", () => {
    expect(ended("shell", "one gh\n[ended after 1 s (timeout)]", { ended: "timeout" })).toMatchObject({
      output: [{ text: "one •••\n[ended after 1 s (timeout)]" }],
    });
  });
});

/** A run with one message of these blocks and one call with this output, streamed in chunks of these sizes. */
function log(blocks: readonly string[], output: string, sizes: readonly number[], isCut: boolean): readonly Envelope[] {
  const envelopes: Envelope[] = [];
  let seq = 0;
  let turn = 0;
  const add = (event: DurableEvent): void => void envelopes.push({ v: 1, sessionId, at: 1, seq: (seq += 1), event });
  const live = (event: LiveEvent): void => void envelopes.push({ v: 1, sessionId, at: 1, after: seq, event });
  const pieces = (text: string, emit: (offset: number, piece: string) => void): void => {
    for (let at = 0; at < text.length; ) {
      const size = sizes[(turn += 1) % sizes.length] ?? 1;
      emit(at, text.slice(at, at + size));
      at += size;
    }
  };
  add({ type: "agent_start", runId });
  add({ type: "turn_start", turnId, step: 1 });
  add({ type: "message_start", messageId: message, role: "assistant" });
  const kind = (index: number) => (index % 2 === 0 ? ("thinking" as const) : ("text" as const));
  blocks.forEach((text, block) =>
    pieces(text, (offset, piece) =>
      live({ type: "message_delta", messageId: message, block, kind: kind(block), offset, text: piece }),
    ),
  );
  const call = { type: "call" as const, callId, name: "bash", input: { command: output } };
  if (!isCut)
    live({
      type: "message_delta",
      messageId: message,
      block: blocks.length,
      kind: "input",
      name: "bash",
      offset: 0,
      text: output,
    });
  const ended = blocks.map((text, index) => ({ type: kind(index), text }));
  add({
    type: "message_end",
    messageId: message,
    blocks: isCut ? ended : [...ended, call],
    stop: isCut ? "aborted" : "done",
  });
  if (isCut) return envelopes;
  add({ type: "tool_call_start", callId, messageId: message, kind: "shell", target: output, facts: {} });
  pieces(output, (offset, text) => live({ type: "tool_call_delta", callId, offset, text }));
  add({
    type: "tool_call_end",
    callId,
    outcome: "aborted",
    output: [{ type: "text", text: output }],
    facts: {},
    tookMs: 1,
  });
  return envelopes;
}

describe("for every log, every division into chunks and every point of joining", () => {
  const word = fc.constantFrom(...secrets, shaped, "/home/ann/x", "word", "Qy my", "中文", "x".repeat(40));
  const gap = fc.constantFrom(" ", "\n", "，", '"', "  ");
  const text = fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 8 }).map((pairs) => pairs.flat().join(""));
  const samples = fc.tuple(
    fc.array(text, { minLength: 1, maxLength: 3 }),
    text,
    fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
    fc.boolean(),
    fc.nat(),
  );

  it("no masked text reaches a viewer, seqs equal the owner's, and the final view equals that of a fresh viewer", () => {
    fc.assert(
      fc.property(samples, ([blocks, output, sizes, isCut, at]) => {
        const whole = log(blocks, output, sizes, isCut);
        const redact = makeShareRedactor(source, true);
        const sent = whole.flatMap((envelope) => redact.redact(envelope));
        for (const part of parts) expect(JSON.stringify(sent)).not.toContain(part);
        expect(sent.filter(isDurable).map(({ seq }) => seq)).toEqual(whole.filter(isDurable).map(({ seq }) => seq));
        const joined = sent.reduce<SessionView>(fold, emptyView(sessionId));
        expect(joined.stale).toBe(false);
        const fresh = sent.filter(isDurable).reduce<SessionView>(fold, emptyView(sessionId));
        expect({ ...joined, phase: null }).toEqual({ ...fresh, phase: null });
        const ends = sent.flatMap(({ event }) => (event.type === "message_end" ? event.blocks : []));
        const streamed = blocks.map(() => "");
        for (const { event } of sent)
          if (event.type === "message_delta" && event.kind !== "input")
            streamed[event.block] = (streamed[event.block] ?? "").slice(0, event.offset) + event.text;
        streamed.forEach((piece, index) => {
          const end = ends[index];
          expect(end !== undefined && "text" in end && end.text.startsWith(piece)).toBe(true);
        });
        // The view before the end contains no masked text either.
        const some = sent.slice(0, at % (sent.length + 1)).reduce<SessionView>(fold, emptyView(sessionId));
        expect(some.stale).toBe(false);
        for (const part of parts) expect(JSON.stringify(some)).not.toContain(part);
      }),
      { numRuns: 200 },
    );
  });
});
