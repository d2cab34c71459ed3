import { describe, expect, test } from "vitest";
import type { Json } from "../events/content";
import {
  checkElicited,
  type ElicitedValue,
  type FieldProblem,
  findFieldProblem,
  readElicitationFields,
} from "./elicitation";

const form = (properties: { readonly [name: string]: Json }, required: readonly string[] = []): Json => ({
  type: "object",
  properties,
  required,
});
const fieldOf = (schema: { readonly [name: string]: Json }, isRequired = false) => {
  const [field] = readElicitationFields(form({ a: schema }, isRequired ? ["a"] : [])) ?? [];
  if (field === undefined) throw new Error("no field");
  return field;
};

describe("a form", () => {
  test("has a field for each value that can be shown", () => {
    const fields = readElicitationFields(
      form(
        {
          name: { type: "string", title: "Name", description: "Yours", default: "Ada" },
          age: { type: "integer", minimum: 1, maximum: 150 },
          agreed: { type: "boolean", default: true },
          pet: { type: "string", enum: ["cat", "dog"], enumNames: ["Cat"], default: "dog" },
          hero: { type: "string", oneOf: [{ const: "h1", title: "Batman" }], default: "none" },
          tags: {
            type: "array",
            items: { anyOf: [{ const: "x" }, { const: "y", title: "Y" }] },
            default: ["y", "z"],
            maxItems: 9,
          },
          odd: { type: "object" },
        },
        ["name"],
      ),
    );
    expect(fields).toMatchObject([
      {
        name: "name",
        kind: "text",
        title: "Name",
        description: "Yours",
        initial: "Ada",
        isRequired: true,
        format: null,
      },
      { name: "age", kind: "number", title: "age", isInteger: true, minimum: 1, maximum: 150, initial: null },
      { name: "agreed", kind: "boolean", initial: true },
      {
        name: "pet",
        kind: "choice",
        options: [
          { value: "cat", label: "Cat" },
          { value: "dog", label: "dog" },
        ],
        initial: "dog",
      },
      { name: "hero", kind: "choice", options: [{ value: "h1", label: "Batman" }], initial: "" },
      { name: "tags", kind: "choices", initial: ["y"], minItems: 0, maxItems: 2 },
    ]);
  });

  test.each<[string, Json]>([
    ["is no object", "text"],
    ["has no properties", { type: "object" }],
    ["has none that can be shown", form({ a: { type: "object" } })],
    ["requires one that cannot be shown", form({ a: { type: "null" }, b: { type: "string" } }, ["a"])],
    ["has too many", form(Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, { type: "string" }])))],
    [
      "has choices that are no texts",
      form({ a: { type: "integer", enum: [1, 2] }, b: { type: "array", items: {} } }, ["b"]),
    ],
  ])("that %s is not shown", (_, schema) => {
    expect(readElicitationFields(schema)).toBeNull();
  });

  test.each([
    ["password", {}],
    ["a", { title: "API key" }],
    ["a", { description: "Your access token" }],
    ["a", { title: "密码" }],
  ])("marks a field that asks for a secret: %s %o", (name, more) => {
    expect(readElicitationFields(form({ [name]: { type: "string", ...more } }))).toMatchObject([{ isSecret: true }]);
  });

  test("marks no other field, and no choice", () => {
    const fields = readElicitationFields(
      form({ city: { type: "string" }, token: { type: "string", enum: ["a"] }, opinion: { type: "string" } }),
    );
    expect(fields?.map(({ isSecret }) => isSecret)).toEqual([false, false, false]);
  });

  test("never runs a pattern of the server", () => {
    const field = fieldOf({ type: "string", pattern: "^(a+)+$" });
    expect(findFieldProblem(field, `${"a".repeat(40)}!`)).toBeNull();
  });
});

describe("a value", () => {
  const email = { type: "string", format: "email" };
  const date = { type: "string", format: "date" };
  const moment = { type: "string", format: "date-time" };
  const uri = { type: "string", format: "uri" };
  const tags = { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 2, maxItems: 2 };
  test.each<[{ readonly [name: string]: Json }, ElicitedValue | undefined, FieldProblem["kind"] | null]>([
    [{ type: "string" }, undefined, null],
    [{ type: "string", minLength: 2 }, "a", "minLength"],
    [{ type: "string", maxLength: 2 }, "abc", "maxLength"],
    [{ type: "string" }, 5, "required"],
    [email, "ada@example.com", null],
    [email, "ada@example", "email"],
    [email, "a b@example.com", "email"],
    [uri, "https://example.com/a", null],
    [uri, "example.com", "uri"],
    [date, "2026-11-26", null],
    [date, "2026-13-26", "date"],
    [date, "26.11.2026", "date"],
    [moment, "2026-11-26T14:30:00Z", null],
    [moment, "2026-11-26", "date-time"],
    [{ type: "number" }, 1.5, null],
    [{ type: "number" }, Number.NaN, "number"],
    [{ type: "number" }, "1", "number"],
    [{ type: "integer" }, 1.5, "integer"],
    [{ type: "integer", minimum: 3 }, 2, "minimum"],
    [{ type: "integer", maximum: 3 }, 4, "maximum"],
    [{ type: "boolean" }, false, null],
    [{ type: "boolean" }, "yes", "choice"],
    [{ type: "string", enum: ["a"] }, "a", null],
    [{ type: "string", enum: ["a"] }, "b", "choice"],
    [tags, ["a", "b"], null],
    [tags, ["a"], "minItems"],
    [tags, ["a", "b", "c"], "maxItems"],
    [tags, ["a", "z"], "choice"],
    [tags, [], null],
  ])("of %o: %o has the problem %s", (schema, value, kind) => {
    expect(findFieldProblem(fieldOf(schema), value)?.kind ?? null).toBe(kind);
  });

  test("is required where the form says so", () => {
    expect(findFieldProblem(fieldOf({ type: "string" }, true), "")).toEqual({ kind: "required" });
    expect(findFieldProblem(fieldOf(tags, true), [])).toEqual({ kind: "minItems", limit: 2 });
  });

  test("of no field is not sent, and an answer with one that does not fit is none", () => {
    const fields = readElicitationFields(form({ a: { type: "string" }, b: { type: "integer" } }, ["a"])) ?? [];
    expect(checkElicited(fields, { a: "x", other: "y", b: 4 })).toEqual({ a: "x", b: 4 });
    expect(checkElicited(fields, { a: "x", b: "" })).toEqual({ a: "x" });
    expect(checkElicited(fields, { a: "x", b: 1.5 })).toBeNull();
    expect(checkElicited(fields, {})).toBeNull();
  });
});
