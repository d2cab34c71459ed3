import { describe, expect, test } from "vitest";
import { asId, type CallId, type MessageId } from "@/lib/events/id";
import { toChunks } from "@/lib/view/chunks";
import type { CallView, Entry, MessageEntry } from "@/lib/view/view";
import { findSentRisk, wasWrittenByOthers } from "./sent-risk";

const secret = "correct-horse-battery";
const longQuery = `https://docs.example.com/find?q=${"a".repeat(99)}`;
const risk = (sent: string, wasSeen = false) => findSentRisk(sent, { secrets: [secret], wasSeen: () => wasSeen });

describe("a request holds a secret", () => {
  test.each([
    ["as it is", `https://docs.example.com/?k=${secret}`],
    ["in the path", `https://docs.example.com/${secret}/x`],
    ["in the host", `https://${secret}.example.com/`],
    ["in capitals", `https://docs.example.com/${secret.toUpperCase()}`],
    ["as base64", `https://docs.example.com/?k=${Buffer.from(secret).toString("base64url")}`],
    ["as hex", `https://docs.example.com/?k=${Buffer.from(secret).toString("hex")}`],
    [
      "with every character encoded",
      `https://docs.example.com/?k=${Buffer.from(secret).toString("hex").replace(/../g, "%$&")}`,
    ],
    ["with one character encoded", `https://docs.example.com/?k=%63${secret.slice(1)}`],
    ["in the words of a search", `what is ${secret}`],
  ])("%s", (_how, sent) => expect(risk(sent, true)).toBe("holds_secret"));

  test("with the shape of a key", () => {
    expect(risk(`https://docs.example.com/?k=ghp_${"a1B2".repeat(9)}`, true)).toBe("holds_secret");
  });
});

describe("a long query", () => {
  test("that only the model wrote is a risk", () => expect(risk(longQuery.concat("b"))).toBe("unseen_url"));
  test("that the conversation has is none", () => expect(risk(longQuery.concat("b"), true)).toBeNull());
  test.each(["https://docs.example.com/?q=", "docs.example.com/?q="])(
    "is known by %s and its own characters",
    (start) => {
      const text = `see ${start}${"鼠".repeat(50)}.`;
      const sent = `https://docs.example.com/?q=${encodeURIComponent("鼠".repeat(50))}`;
      expect(findSentRisk(sent, { secrets: [], wasSeen: (one) => text.includes(one) })).toBeNull();
    },
  );
  test("begins above 100 characters", () => {
    expect(risk(`https://docs.example.com/?${"a".repeat(99)}`)).toBeNull();
    expect(risk(`https://docs.example.com/?${"a".repeat(100)}`)).toBe("unseen_url");
  });
  test("is not a long search", () => {
    expect(risk("word ".repeat(60))).toBeNull();
  });
});

const message = (parts: Partial<MessageEntry>): Entry => ({
  kind: "message",
  seq: 1,
  messageId: asId<MessageId>("m_1"),
  role: "assistant",
  at: 0,
  blocks: [],
  calls: [],
  ...parts,
});

const callId = asId<CallId>("c_1");
const called = (input: string, output: string, target = "") =>
  message({
    blocks: [{ type: "call", callId, name: "bash", input: { command: input } }],
    calls: [
      {
        callId,
        name: "bash",
        kind: "shell",
        target,
        facts: {},
        state: "ok",
        approvals: [],
        output: [{ type: "text", text: output }],
      } satisfies CallView,
    ],
  });

describe("a text of the conversation", () => {
  const text = (value: string) => ({ type: "text", text: value }) as const;
  test.each([
    ["in a message of the user", message({ role: "user", blocks: [text(`see ${longQuery}`)] }), true],
    [
      "in a file the user added",
      message({ role: "user", blocks: [{ type: "reference", kind: "file", label: "a", text: longQuery }] }),
      true,
    ],
    ["in a result", called("cat notes", `see ${longQuery}`), true],
    ["in an answer of the model", message({ blocks: [text(longQuery)] }), false],
    ["in a call of the model", called(longQuery, ""), false],
    ["in the result of a call that has it", called(`echo "${longQuery}"`, longQuery), false],
    ["in the result of a call about it", called("x", longQuery, longQuery), false],
    ["nowhere", called("ls", "notes"), false],
  ])("%s", (_where, entry, wasSeen) => {
    expect(wasWrittenByOthers({ entries: toChunks([entry]) }, longQuery)).toBe(wasSeen);
  });
});
