import { expect, test } from "vitest";
import { makeErrorSchema, withTypedFacts } from "./error-shape";

test.each([
  ["a text in place of a number", { times: "3", tool: "read" }, { tool: "read" }],
  ["a number in place of a text", { tool: 3, times: 2 }, { times: 2 }],
  ["a list with a number in place of texts", { near: ["a", 1], model: "m" }, { model: "m" }],
  ["null in place of a flag", { same: null }, {}],
])("a stored fact of a wrong type is left out: %s", (_name, facts, accepted) => {
  const stored = { code: "loop_detected", detail: "why", facts };
  expect(withTypedFacts(stored)).toEqual({ code: "loop_detected", detail: "why", facts: accepted });
  expect(makeErrorSchema().parse(stored)).toEqual({ code: "loop_detected", detail: "why", facts: accepted });
});

test("a fact that this version does not have is kept", () => {
  const stored = { code: "loop_detected", facts: { times: 3, ofLaterVersion: { a: 1 } } };
  expect(withTypedFacts(stored)).toBe(stored);
});

test("an error whose code this version does not have is no stored error", () => {
  expect(makeErrorSchema().safeParse({ code: "of_later_version" }).success).toBe(false);
});
