import { expect, test } from "vitest";
import { readTrialFields, readTrialInput } from "./trial-fields";

const fields = readTrialFields({
  type: "object",
  properties: { tags: { type: "array" }, name: { type: "string" }, any: {}, count: { type: "integer" } },
  required: ["name"],
});

test("required fields are first", () => {
  expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ["name", "string", true],
    ["tags", "array", false],
    ["any", "any", false],
    ["count", "integer", false],
  ]);
  expect(readTrialFields(null)).toEqual([]);
});

test("a text is what it is, other kinds are JSON, empty fields are left out", () => {
  expect(readTrialInput(fields, { name: "12", tags: '["a"]', any: "plain", count: " " })).toEqual({
    ok: true,
    input: { name: "12", tags: ["a"], any: "plain" },
  });
  expect(readTrialInput(fields, { name: " ", tags: "a, b" })).toEqual({ ok: false, field: "name", problem: "missing" });
});

test.each([
  ["integer", "ten", "whole_number"],
  ["integer", "1.5", "whole_number"],
  ["number", "1,5", "number"],
  ["number", '"1"', "number"],
  ["boolean", "yes", "boolean"],
  ["array", "a, b", "list"],
  ["array", '{"a": 1}', "list"],
  ["object", "[1]", "object"],
  ["null", "nothing", "json"],
])("a field of type %s refuses %s and says what it must be", (type, text, problem) => {
  const typedFields = readTrialFields({ type: "object", properties: { limit: { type } } });
  expect(readTrialInput(typedFields, { limit: text })).toEqual({ ok: false, field: "limit", problem });
});

test.each([
  ["integer", "-3", -3],
  ["number", "1.5", 1.5],
  ["boolean", "true", true],
  ["array", "[]", []],
  ["object", "{}", {}],
])("a field of type %s takes %s", (type, text, limit) => {
  const typedFields = readTrialFields({ type: "object", properties: { limit: { type } } });
  expect(readTrialInput(typedFields, { limit: text })).toEqual({ ok: true, input: { limit } });
});

test("a field has its description, and choices where its values are listed", () => {
  const shown = readTrialFields({
    type: "object",
    properties: {
      state: { type: "string", enum: ["open", "closed"], description: "Which tickets" },
      deep: { type: "boolean" },
      level: { enum: [1, "two", null] },
      name: { type: "string" },
    },
  });
  expect(shown.map(({ description, choices }) => [description, choices])).toEqual([
    ["Which tickets", ["open", "closed"]],
    ["", ["true", "false"]],
    ["", ["1", '"two"', "null"]],
    ["", []],
  ]);
  const typed = { state: "open", deep: "false", level: '"two"' };
  expect(readTrialInput(shown, typed)).toEqual({ ok: true, input: { state: "open", deep: false, level: "two" } });
});
