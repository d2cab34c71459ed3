import { expect, test } from "vitest";
import { type ElicitationField, readElicitationFields } from "@/lib/tools/elicitation";
import { checkForm, initialValues } from "./form-values";

const fields: readonly ElicitationField[] =
  readElicitationFields({
    type: "object",
    properties: {
      name: { type: "string" },
      count: { type: "integer", minimum: 1, default: 3 },
      agreed: { type: "boolean" },
      pets: { type: "array", items: { enum: ["cat", "dog"] } },
    },
    required: ["name"],
  }) ?? [];

test("a form begins with the defaults, a number as text", () => {
  expect(initialValues(fields)).toEqual({ name: "", count: "3", agreed: false, pets: [] });
});

test("what is typed is sent in the type of its field; what is empty is not sent", () => {
  const typed = { ...initialValues(fields), name: "Ada", count: " 4 ", agreed: true, pets: ["dog"] };
  expect(checkForm(fields, typed)).toEqual({
    problems: new Map(),
    content: { name: "Ada", count: 4, agreed: true, pets: ["dog"] },
  });
  expect(checkForm(fields, { ...typed, count: "", pets: [] }).content).toEqual({ name: "Ada", agreed: true });
});

test("every problem is found at its field", () => {
  const { problems } = checkForm(fields, { ...initialValues(fields), count: "4a" });
  expect([...problems]).toEqual([
    ["name", { kind: "required" }],
    ["count", { kind: "number" }],
  ]);
});
