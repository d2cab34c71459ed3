import { describe, expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { ModelMessage } from "../../provider";
import { alternateRoles } from "./turn-order";

const callId = asId<CallId>("c1");
const system: ModelMessage = { role: "system", text: "S" };
const user = (text: string, images?: readonly string[]): ModelMessage => ({
  role: "user",
  text,
  images,
});
const assistantMessage = (text: string): ModelMessage => ({ role: "assistant", text });
const called: ModelMessage = { role: "assistant", text: "", calls: [{ callId, name: "ls", input: {} }] };
const result: ModelMessage = { role: "tool", callId, name: "ls", text: "a.ts" };

/** "u:A | a:B": role and text of each message. */
const shown = (messages: readonly ModelMessage[]): string =>
  messages.map(({ role, text }) => `${role[0] ?? ""}:${text.replaceAll("\n", "/")}`).join(" | ");

describe("alternating messages", () => {
  test.each<readonly [string, readonly ModelMessage[], string]>([
    [
      "an alternating conversation is unchanged",
      [system, user("A"), assistantMessage("B"), user("C")],
      "s:S | u:A | a:B | u:C",
    ],
    ["users are joined by an empty line", [system, user("A"), user("B"), user("C")], "s:S | u:A//B//C"],
    ["a user without text adds nothing", [user("A"), user(""), user("B")], "u:A//B"],
    [
      "results are answered",
      [user("A"), called, result, assistantMessage("B"), user("C")],
      "u:A | a: | t:a.ts | a:B | u:C",
    ],
    ["the user speaks after results", [user("A"), called, result, user("B")], "u:A | a: | t:a.ts | a:Noted. | u:B"],
    [
      "an answer after an answer",
      [user("A"), assistantMessage("B"), assistantMessage("C"), user("D")],
      "u:A | a:B | u:Continue. | a:C | u:D",
    ],
    [
      "a call follows an answer",
      [user("A"), assistantMessage("B"), called, result],
      "u:A | a:B | u:Continue. | a: | t:a.ts",
    ],
    ["the assistant speaks first", [system, assistantMessage("A"), user("B")], "s:S | u:Continue. | a:A | u:B"],
    ["the assistant speaks last", [system, user("A"), assistantMessage("B")], "s:S | u:A | a:B | u:Continue."],
    ["a system text alone", [system], "s:S | u:Continue."],
  ])("%s", (_name, messages, expected) => {
    expect(shown(alternateRoles(messages))).toBe(expected);
  });

  test("images stay with the text they belong to, and text never follows images", () => {
    expect(alternateRoles([user("A"), user("B", ["i1"])])).toEqual([user("A\n\nB", ["i1"])]);
    expect(shown(alternateRoles([user("A", ["i1"]), user("B")]))).toBe("u:A | a:Noted. | u:B");
  });

  test("an alternating list is unchanged", () => {
    const once = alternateRoles([
      assistantMessage("A"),
      user("B"),
      user("C"),
      called,
      result,
      user("D"),
      assistantMessage("E"),
      assistantMessage("F"),
    ]);
    expect(alternateRoles(once)).toEqual(once);
  });
});
