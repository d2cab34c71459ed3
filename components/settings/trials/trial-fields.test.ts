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
  expect(readTrialInput(fields, { name: "12", tags: "a, b" })).toEqual({
    ok: false,
    field: "tags",
    problem: "not_json",
  });
  expect(readTrialInput(fields, { name: " ", tags: "a, b" })).toEqual({ ok: false, field: "name", problem: "missing" });
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
