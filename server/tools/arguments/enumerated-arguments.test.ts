/** Arguments with numbers, enumerated values and alternatives: schema for the model, repair, and answers to mistakes. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { defineTool } from "../core/define-tool";
import type { Tool } from "../core/tool";
import { findMismatch, readParameterShapes, toParameterSchema } from "./parameter-shapes";
import { repairArguments } from "./repair-arguments";

const chartSchema = z.object({
  order: z.enum(["asc", "desc"]),
  scale: z.optional(z.number()),
  width: z.optional(z.literal([1, 2, 4])),
  zoom: z.optional(z.literal(["auto", 2])),
  at: z.optional(z.union([z.int(), z.object({ line: z.int(), column: z.optional(z.int()) })])),
  where: z.optional(z.union([z.boolean(), z.array(z.string()), z.object({ path: z.string() })])),
  weights: z.optional(z.array(z.number())),
  none: z.optional(z.enum(["none", "all"])),
});

const makeChart = <I>(schema: z.ZodMiniType<I>): Tool<I> =>
  defineTool<I>({
    name: "chart",
    kind: "other",
    schema,
    example: { order: "asc" },
    limits: () => ({ bytes: 1_000, keep: "head" }),
    target: () => "",
    access: () => [],
    locks: () => ({ paths: [], shell: false }),
    create: () => ({ run: async () => ({ output: [], facts: {} }) }),
  });
const chart = makeChart(chartSchema);

const types = {
  size: { type: "number" },
  order: { type: "string", enum: ["asc", "desc"] },
  width: { type: "number", enum: [1, 2] },
  zoom: { enum: ["auto", 2] },
  value: {},
  at: { anyOf: [{ type: "integer" }, { type: "array", items: { type: "string", enum: ["top", "end"] } }] },
};

test("the schema for the model has the types of its source", () => {
  const schema = { type: "object", properties: types, required: ["order"] };
  expect(JSON.stringify(toParameterSchema(readParameterShapes(schema)))).toBe(JSON.stringify(schema));
});

test.each<readonly [string, Json]>([
  ["an empty enumeration", { enum: [] }],
  ["values that are neither texts nor numbers", { enum: [true] }],
  ["alternatives without a branch", { anyOf: [] }],
  ["a constant without a type", { anyOf: [{ type: "string" }, { const: 1 }] }],
  ["an unknown type", { type: "null" }],
])("a schema with %s is refused", (_name, value) => {
  expect(() => readParameterShapes({ properties: { value } })).toThrow();
});

test.each<{ readonly [name: string]: Json }>([
  { scale: 3.5, width: 4, zoom: "auto", weights: [0.5, -1], none: "none" },
  { at: 3, where: false },
  { at: { line: 3 }, where: ["a", "b"], zoom: 2 },
  { where: { path: "a" } },
])("%j is taken as it is", (value) => {
  const input = { order: "desc", ...value };
  expect(chart.parse(input)).toEqual({ ok: true, input, repaired: false });
});

describe("repaired arguments", () => {
  test.each<[name: string, input: { readonly [name: string]: Json }, right: { readonly [name: string]: Json }]>([
    ["a number as text", { scale: "3.5" }, { scale: 3.5 }],
    ["a number with blanks and sign", { scale: " -.5 " }, { scale: -0.5 }],
    ["a number with an exponent", { scale: "1e3" }, { scale: 1_000 }],
    ["numbers as text in a list", { weights: '["0.5", 1]' }, { weights: [0.5, 1] }],
    ["one number where a list is wanted", { weights: "0.5" }, { weights: [0.5] }],
    ["a value in another letter case", { order: "DESC" }, { order: "desc" }],
    ["a value in quotes and blanks", { order: ' "desc" ' }, { order: "desc" }],
    ["a value in other quotes and another case", { order: "'Desc'" }, { order: "desc" }],
    ["an enumerated number as text", { width: "4" }, { width: 4 }],
    ["a number among texts", { zoom: "2" }, { zoom: 2 }],
    ["an alternative as text", { at: "3" }, { at: 3 }],
    ["an alternative as JSON text", { at: '{"line":"3","column":null}' }, { at: { line: 3 } }],
    ["members of an alternative", { at: { Line: "3" } }, { at: { line: 3 } }],
    ["the first branch that accepts it repaired", { where: "yes" }, { where: true }],
    ["a later branch, if the earlier ones do not", { where: "src" }, { where: ["src"] }],
    ["null for an optional member", { at: null, scale: null, zoom: null }, {}],
    ["a word for nothing", { at: "none", scale: "", zoom: "null" }, {}],
    ["a word for nothing that is a value", { none: "None" }, { none: "none" }],
  ])("%s", (_name, input, right) => {
    expect(chart.parse({ order: "asc", ...input })).toMatchObject({ ok: true, input: { order: "asc", ...right } });
    expect(
      repairArguments({ order: "asc", ...input }, readParameterShapes(z.toJSONSchema(chartSchema)))?.values,
    ).toEqual({ order: "asc", ...right });
  });

  const values = readParameterShapes({ properties: { value: { enum: ["a", "A", "1", 1, "true"] } } });
  test.each<[given: Json, repaired: Json]>([
    ["a", "a"],
    [" A ", "A"],
    ["'1'", "'1'"],
    [true, "true"],
    [["a"], ["a"]],
  ])("of values that differ by case or type, %j becomes %j", (value, repaired) => {
    expect(repairArguments({ value }, values)?.values).toEqual({ value: repaired });
  });

  test("a branch that accepts the value as it is wins over one that needs a repair", () => {
    const shapes = readParameterShapes({
      properties: { value: { anyOf: [{ type: "integer" }, { type: "number" }, { type: "string" }] } },
    });
    for (const value of [3, 3.5, "3", " x "]) expect(repairArguments({ value }, shapes)?.values).toEqual({ value });
  });

  test.each<{ readonly [name: string]: Json }>([
    { pageSize: 3, sortBy: "asc" },
    { page_size: 3, SortBy: "asc" },
  ])("names declared in camel case are read in any spelling: %j", (input) => {
    const shapes = readParameterShapes({ properties: { pageSize: { type: "number" }, sortBy: types.order } });
    expect(repairArguments(input, shapes)).toMatchObject({ values: { pageSize: 3, sortBy: "asc" }, rest: {} });
  });
});

describe("a mistake is answered with what is allowed", () => {
  test.each<[name: string, input: { readonly [name: string]: Json }, answer: string]>([
    ["text for a number", { scale: "big" }, '"scale" of chart must be a number, not text.'],
    ["a missing value", { order: null }, 'chart needs "order" ("asc" or "desc").'],
    ["an empty value", { order: "" }, 'chart needs "order" ("asc" or "desc").'],
    [
      "a wrong value near an allowed one",
      { order: "descending" },
      '"order" of chart must be "asc" or "desc", not "descending"; the nearest is "desc".',
    ],
    [
      "a misspelt value without a common pair of letters",
      { order: "dsec" },
      '"order" of chart must be "asc" or "desc", not "dsec"; the nearest is "desc".',
    ],
    ["a wrong value", { order: "up" }, '"order" of chart must be "asc" or "desc", not "up".'],
    ["a wrong number", { width: 3 }, '"width" of chart must be 1, 2 or 4, not 3.'],
    ["a list for a value", { zoom: [2] }, '"zoom" of chart must be "auto" or 2, not a list.'],
    [
      "none of the alternatives",
      { at: "first" },
      '"at" of chart must be a whole number or an object with "line", not text.',
    ],
    [
      "items that no alternative accepts",
      { where: [{}] },
      '"where" of chart must be true or false, a list (each item text) or an object with "path", not a list.',
    ],
    ["a wrong number in a list", { weights: [1, "x"] }, '"weights[1]" of chart must be a number, not text.'],
  ])("%s", (_name, input, answer) => {
    const parsed = chart.parse({ order: "asc", ...input });
    expect(parsed.ok ? "" : parsed.messageForModel).toBe(`${answer} Call it like this: chart {"order":"asc"}`);
  });

  test("of many values, the first and the nearest are named", () => {
    const zones = Array.from({ length: 40 }, (_, index) => `zone-${String.fromCharCode(97 + (index % 26))}${index}`);
    const parsed = makeChart(z.object({ zone: z.enum([...zones, "Europe/Berlin"]) })).parse({ zone: "Berlin/Europe" });
    expect(parsed.ok ? "" : parsed.messageForModel).toMatch(
      /^"zone" of chart must be "zone-a0", .*"zone-l11" or one of 29 other values, not "Berlin\/Europe"; the nearest is "Europe\/Berlin"\. /,
    );
  });
});

test("parameters and values named like members of every object are treated like others", () => {
  const source = {
    type: "object",
    properties: {
      constructor: { type: "integer" },
      toString: { type: "string", enum: ["valueOf", "__proto__"] },
      options: { type: "object", properties: { constructor: { type: "boolean" } }, required: ["constructor"] },
    },
    required: ["constructor", "options"],
  };
  const shapes = readParameterShapes(source);
  const right = { constructor: 3, toString: "__proto__", options: { constructor: true } };
  expect(repairArguments({ constructor: "3", toString: "VALUEOF", options: { Constructor: "yes" } }, shapes)).toEqual({
    values: { constructor: 3, toString: "valueOf", options: { constructor: true } },
    rest: {},
    repaired: true,
  });
  expect(repairArguments(right, shapes)).toEqual({ values: right, rest: {}, repaired: false });
  const polluting: Json = JSON.parse('{"__proto__": {"options": {"constructor": true}}}');
  expect(repairArguments(polluting, shapes)?.values).toEqual({});
  expect(findMismatch({}, shapes)).toMatchObject({ path: "constructor", value: undefined });
  expect(findMismatch({ constructor: 1, options: {} }, shapes)).toMatchObject({ path: "options.constructor" });
});

test.each<[name: string, value: Json]>([
  ["blanks before text", `${" ".repeat(200_000)}x`],
  ["digits before text", `${"1".repeat(200_000)}x`],
  ["blanks after digits", `1${" ".repeat(200_000)}x`],
])("a value with very many %s is refused in linear time", (_name, value) => {
  const shapes = readParameterShapes({ properties: { count: { type: "integer" }, scale: { type: "number" } } });
  expect(repairArguments({ count: value, scale: value }, shapes)?.values).toEqual({ count: value, scale: value });
  expect(repairArguments(value, shapes)?.values).toEqual({ count: value });
});
