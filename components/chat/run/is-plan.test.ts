import { expect, test } from "vitest";
import { asId, type MessageId, type RunId } from "@/lib/events/id";
import type { Entry } from "@/lib/view/view";
import { hasPlan, isPlan } from "./is-plan";

test.each([
  "1. Read the file\n2. Change it",
  "Here is how:\n\n- read the file",
  "* one step",
  "  3) the third",
  "## Plan\nRead it.",
  "1、读取文件",
  "1.读取文件",
  "一、修改函数",
  "```sh\nls\n```\n- then run it",
  "x".repeat(400),
])("%j is a plan", (text) => {
  expect(isPlan(text)).toBe(true);
});

test.each([
  "",
  "Hello! What shall I plan?",
  "The answer is 4.",
  "3.5 seconds",
  "-5 degrees",
  "#hashtag",
  "*No*, it is not used.",
  "```md\n# Title\n- item\n```",
  "~~~\n- item\n```\n- item\n~~~",
  " ".repeat(500),
])("%j is only an answer", (text) => {
  expect(isPlan(text)).toBe(false);
});

const message = (seq: number, role: "user" | "assistant", text: string): Entry => ({
  kind: "message",
  seq,
  messageId: asId<MessageId>(`m${seq}`),
  role,
  at: 0,
  stop: "done",
  blocks: [{ type: "text", text }],
  calls: [],
});
const start = (seq: number): Entry => ({ kind: "run_start", seq, at: 0, runId: asId<RunId>("r"), from: seq - 1 });

test("only the last answer of this run counts: no user text, no step without text, no earlier run", () => {
  const plan = "- a step";
  const has = (...entries: readonly Entry[]): boolean => hasPlan(entries, entries.length);
  expect(has(start(1), message(2, "user", "hi"), message(3, "assistant", plan))).toBe(true);
  expect(has(start(1), message(2, "assistant", plan), message(3, "assistant", " "))).toBe(true);
  expect(has(start(1), message(2, "assistant", plan), message(3, "assistant", "Fine."))).toBe(false);
  expect(has(start(1), message(2, "user", plan), message(3, "assistant", "Fine."))).toBe(false);
  expect(has(start(1), message(2, "assistant", plan), start(4), message(5, "user", "hi"))).toBe(false);
});
