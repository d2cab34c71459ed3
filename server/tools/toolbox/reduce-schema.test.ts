import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { cpuRatio } from "@/lib/testing/test-cpu";
import { computeHash } from "@/server/base/id";
import { readParameterShapes } from "../arguments/parameter-shapes";
import { reducedVersion, reduceSchema } from "./reduce-schema";

/** The reduced form of a property with this schema, in a definition with these `$defs`. */
function reduceProperty(value: Json, definitions: Json = {}): Json | undefined {
  const reduced = reduceSchema({ type: "object", properties: { value }, $defs: definitions });
  if (!reduced.ok) throw new Error(reduced.detail);
  readParameterShapes(reduced.parameters);
  return readPath(reduced.parameters, ["properties", "value"]);
}

const readPath = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (one, name) => (typeof one === "object" && one !== null ? Reflect.get(one, name) : undefined),
    value,
  );

const emptyObject = { type: "object", properties: {} };

describe("a value", () => {
  test.each<readonly [name: string, schema: Json, reduced: Json]>([
    ["keeps its type", { type: "string", format: "uri", pattern: "(a+)+$", default: "x" }, { type: "string" }],
    ["of a type in capitals", { type: "STRING" }, { type: "string" }],
    ["without a type", { title: "Anything" }, {}],
    [
      "without a type, of its default",
      { default: 10, description: "How many." },
      { type: "number", description: "How many" },
    ],
    ["without a type, with a list as its default", { default: [] }, {}],
    ["that is `true`", true, {}],
    ["of an unknown type", { type: "file" }, {}],
    ["of the type null", { type: "null" }, {}],
    [
      "with members",
      { properties: { x: { type: "number" } } },
      { type: "object", properties: { x: { type: "number" } } },
    ],
    ["with items", { items: { type: "integer" } }, { type: "array", items: { type: "integer" } }],
    ["of a list without items", { type: "array" }, { type: "array", items: {} }],
    [
      "of a list described by place",
      { prefixItems: [{ type: "string" }, { type: "number" }] },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    ],
    [
      "of a list described by place, older",
      { items: [{ type: "string" }] },
      { type: "array", items: { type: "string" } },
    ],
    ["of a map", { type: "object", additionalProperties: { type: "string" } }, emptyObject],
    ["of several types", { type: ["string", "number"] }, { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["of one type or null", { type: ["string", "null"] }, { type: "string" }],
    ["of alternatives", { oneOf: [{ type: "string" }, emptyObject] }, { anyOf: [{ type: "string" }, emptyObject] }],
    ["of one alternative or null", { anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string" }],
    ["of equal alternatives", { anyOf: [{ type: "string", format: "a" }, { type: "string" }] }, { type: "string" }],
    ["without alternatives", { anyOf: [] }, {}],
    ["of a constant", { const: "a" }, { type: "string", enum: ["a"] }],
    ["that is always true", { const: true }, { type: "boolean" }],
    ["that is always null", { const: null }, {}],
    ["of enumerated values", { enum: ["a", "b", "a", null] }, { type: "string", enum: ["a", "b"] }],
    ["of enumerated values of two types", { enum: ["a", 1] }, { enum: ["a", 1] }],
    ["of enumerated truth values", { enum: [true, false] }, { type: "boolean" }],
    [
      "of enumerated values and a truth value",
      { enum: ["auto", false] },
      { anyOf: [{ type: "string", enum: ["auto"] }, { type: "boolean" }] },
    ],
    ["of enumerated lists", { type: "array", enum: [["a"], ["b"]] }, { type: "array", items: {} }],
    ["without enumerated values", { type: "string", enum: [] }, { type: "string" }],
    [
      "of parts that all apply",
      {
        allOf: [
          { properties: { a: { type: "string" } }, required: ["a", "b", "c"] },
          { properties: { b: { type: "integer" }, a: { enum: ["x"] } } },
        ],
      },
      {
        type: "object",
        properties: { a: { type: "string", enum: ["x"] }, b: { type: "integer" } },
        required: ["a", "b"],
      },
    ],
    ["of a number that is whole", { allOf: [{ type: "number" }, { type: "integer" }] }, { type: "integer" }],
    [
      "of values both parts allow",
      { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
      { type: "string", enum: ["b"] },
    ],
    [
      "of an object whose alternatives require members",
      { properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", properties: { a: {}, b: {} } },
    ],
    [
      "of an object whose alternatives add members",
      {
        properties: { kind: { type: "string" } },
        required: ["kind"],
        oneOf: [{ properties: { x: { type: "number" } } }, { properties: { y: { type: "number" } }, required: ["y"] }],
      },
      {
        anyOf: [
          {
            type: "object",
            properties: { x: { type: "number" }, kind: { type: "string" } },
            required: ["kind"],
          },
          {
            type: "object",
            properties: { y: { type: "number" }, kind: { type: "string" } },
            required: ["y", "kind"],
          },
        ],
      },
    ],
  ])("%s", (_name, schema, reduced) => {
    expect(reduceProperty(schema)).toEqual(reduced);
  });

  test.each<readonly [string, string]>([
    ["The path. Relative to the root.", "The path"],
    ["two\nlines\u202e\u0007", "two lines"],
    [`${"long ".repeat(40)}`, `${"long ".repeat(19).trimEnd()}…`],
  ])("has the description %j as %j", (description, short) => {
    expect(reduceProperty({ type: "string", description })).toEqual({ type: "string", description: short });
  });
});

const longName = "n".repeat(65);
const badNames = ["a\nb", "a\u2028b", "a\u0085b", "a\u202eb", "a\u200bb", "a\0b", " a", "a ", longName];

describe("a member whose name cannot be part of a line", () => {
  test.each(badNames)("is left out: %j", (name) => {
    const properties: Json = { [name]: { type: "string" }, a: {} };
    expect(reduceProperty({ type: "object", properties })).toEqual({ type: "object", properties: { a: {} } });
    expect(reduceSchema({ properties })).toEqual({ ok: true, parameters: { type: "object", properties: { a: {} } } });
  });

  test.each(badNames)("makes the definition unusable if it is required: %j", (name) => {
    const detail = "it requires a parameter whose name has line breaks, hidden characters or more than 64 characters";
    const properties = { [name]: { type: "string" } };
    expect(reduceSchema({ properties, required: [name] })).toEqual({ ok: false, detail });
    expect(reduceSchema({ properties: { a: { items: { properties, required: [name] } } } })).toEqual({
      ok: false,
      detail,
    });
    expect(reduceSchema({ properties: { [name]: { required: true } } })).toEqual({ ok: false, detail });
  });

  test("is not one with blanks, letters of any language or 64 characters", () => {
    const properties = { "a b": {}, façade: {}, 标题: {}, "$.a-b/c@d": {}, [longName.slice(1)]: {} };
    expect(reduceSchema({ properties })).toEqual({ ok: true, parameters: { type: "object", properties } });
  });
});

describe("required members", () => {
  const requiredOf = (properties: Json, required: Json): Json | undefined => {
    const reduced = reduceSchema({ type: "object", properties, required });
    return reduced.ok ? readPath(reduced.parameters, ["required"]) : reduced.detail;
  };

  test.each<readonly [name: string, properties: Json, required: Json, reduced: Json | undefined]>([
    ["that exist", { a: {}, b: {} }, ["b"], ["b"]],
    ["that do not exist", { a: {} }, ["b", "toString", "__proto__"], undefined],
    [
      "that may be null",
      { a: { type: ["string", "null"] }, b: { type: "string", nullable: true } },
      ["a", "b"],
      undefined,
    ],
    ["that may be null as an alternative", { a: { anyOf: [{ type: "null" }, { type: "string" }] } }, ["a"], undefined],
    ["in a list among the members", { a: { type: "string" }, required: ["a"] }, null, undefined],
    ["marked in the member", { a: { type: "string", required: true } }, null, ["a"]],
    ["that are no names", { a: {} }, [1, null, "a"], ["a"]],
  ])("%s", (_name, properties, required, reduced) => {
    expect(requiredOf(properties, required)).toEqual(reduced);
  });
});

describe("references", () => {
  test.each<readonly [name: string, schema: Json, definitions: Json, reduced: Json]>([
    ["to a definition", { $ref: "#/$defs/a" }, { a: { type: "string" } }, { type: "string" }],
    [
      "keep their own description",
      { $ref: "#/$defs/a", description: "mine" },
      { a: { type: "string", description: "its" } },
      { type: "string", description: "mine" },
    ],
    ["with escapes", { $ref: "#/$defs/a~1b%20~0c" }, { "a/b ~c": { type: "string" } }, { type: "string" }],
    ["to nothing", { $ref: "#/$defs/b" }, {}, {}],
    ["to a member of every object", { $ref: "#/$defs/__proto__/constructor" }, {}, {}],
    ["to another document", { $ref: "https://example.org/a.json#/a" }, { a: { type: "string" } }, {}],
    ["with a broken escape", { $ref: "#/$defs/%zz" }, { "%zz": { type: "string" } }, { type: "string" }],
    [
      "that contain themselves",
      { $ref: "#/$defs/a" },
      { a: { properties: { next: { $ref: "#/$defs/a" }, all: { items: { $ref: "#/$defs/a" } } } } },
      { type: "object", properties: { next: emptyObject, all: { type: "array", items: emptyObject } } },
    ],
    ["that are nothing but themselves", { $ref: "#/$defs/a" }, { a: { $ref: "#/$defs/a" } }, {}],
    ["to the whole definition", { $ref: "#" }, {}, emptyObject],
    [
      "in references, to a depth of 4",
      { $ref: "#/$defs/a1" },
      Object.fromEntries(
        [1, 2, 3, 4, 5].map((index) => [`a${index}`, { properties: { next: { $ref: `#/$defs/a${index + 1}` } } }]),
      ),
      [1, 2, 3, 4].reduce<Json>((next) => ({ type: "object", properties: { next } }), emptyObject),
    ],
  ])("%s", (_name, schema, definitions, reduced) => {
    expect(reduceProperty(schema, definitions)).toEqual(reduced);
  });
});

describe("the parameters of a tool", () => {
  test.each<readonly [name: string, schema: unknown]>([
    ["a text", "x"],
    ["nothing", undefined],
    ["null", null],
    ["a list", [1]],
    ["a schema of a text", { type: "string" }],
    ["alternatives that are not all objects", { anyOf: [{ type: "object" }, { type: "string" }] }],
    ["a description alone", { type: "object", description: "No parameters." }],
    ["an odd member list", { type: "object", properties: [], required: {} }],
    ["a function", () => 1],
  ])("%s are empty", (_name, schema) => {
    expect(reduceSchema(schema)).toEqual({ ok: true, parameters: emptyObject });
  });

  test("of alternative objects have the members of all, required if they are in each", () => {
    expect(
      reduceSchema({
        oneOf: [
          { properties: { id: { type: "string" }, by: { const: "id" } }, required: ["id", "by"] },
          { properties: { name: { type: "string" }, by: { const: "name" } }, required: ["name", "by"] },
        ],
      }),
    ).toEqual({
      ok: true,
      parameters: {
        type: "object",
        properties: {
          id: { type: "string" },
          by: {
            anyOf: [
              { type: "string", enum: ["id"] },
              { type: "string", enum: ["name"] },
            ],
          },
          name: { type: "string" },
        },
        required: ["by"],
      },
    });
  });

  test("named like members of every object are members of their own", () => {
    const schema: Json = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{}}}',
    );
    const reduced = reduceSchema(schema);
    expect(JSON.stringify(reduced)).toBe(
      '{"ok":true,"parameters":{"type":"object","properties":{"constructor":{"type":"number"},"toString":{}}}}',
    );
    expect(Reflect.get({}, "type")).toBeUndefined();
  });
});

describe("a definition that is not read", () => {
  test.each<readonly [name: string, schema: unknown, detail: string]>([
    [
      "because of its size",
      { properties: { a: { enum: ["x".repeat(71_000)] } } },
      "its definition has 70 KB; at most 64 KB are read",
    ],
    [
      "because of its huge size",
      { description: Array.from({ length: 20_000 }, () => "x".repeat(100)) },
      "its definition has more than 1,024 KB; at most 64 KB are read",
    ],
    ["because of its levels", nest(17), "its definition has more than 16 levels"],
    ["because of its many levels", nest(2_000), "its definition has more than 16 levels"],
    ["because of levels of parts", nestIn("allOf", 3_000), "its definition has more than 16 levels"],
  ])("%s", (_name, schema, detail) => {
    expect(reduceSchema(schema)).toEqual({ ok: false, detail });
  });

  test.each([15, 16, 17])("of %i levels is read up to 16", (levels) => {
    expect(reduceSchema(nest(levels)).ok).toBe(levels <= 16);
    expect(reduceSchema(nestIn("allOf", levels)).ok).toBe(levels <= 16);
  });

  test.each([65_535, 65_536, 65_537])("of %i characters is read up to 65,536", (chars) => {
    const made = (text: string) => ({ title: text });
    const schema = made("x".repeat(chars - '{"title":"",}'.length));
    expect(`{"title":"${schema.title}",}`).toHaveLength(chars);
    expect(reduceSchema(schema).ok).toBe(chars <= 65_536);
  });

  test("contains itself as a value", () => {
    const schema: { [name: string]: unknown } = { type: "object" };
    schema.properties = schema;
    expect(reduceSchema(schema)).toMatchObject({ ok: false });
  });
});

/** A schema of so many levels, the outermost an object. */
function nest(levels: number): Json {
  let schema: Json = { type: "string" };
  for (let level = 2; level < levels; level += 1) schema = { type: "array", items: schema };
  return { type: "object", properties: { value: schema } };
}

function nestIn(keyword: string, levels: number): Json {
  let schema: Json = { type: "object" };
  for (let level = 1; level < levels; level += 1) schema = { [keyword]: [schema] };
  return schema;
}

describe("a hostile definition", () => {
  const refs = (count: number, name: string): Json =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: `#/$defs/${name}` }]));

  test("whose references multiply stays within the limits", () => {
    const $defs = {
      a: { properties: refs(400, "b") },
      b: { properties: refs(400, "c") },
      c: { properties: refs(400, "d") },
    };
    const reduced = reduceSchema({ type: "object", properties: refs(400, "a"), $defs });
    expect(reduced).toMatchObject({ ok: true });
    expect(JSON.stringify(reduced).length).toBeLessThan(66_000);
  });

  test.each<readonly [name: string, make: (count: number) => Json]>([
    [
      "parts that all apply",
      (count) => ({ allOf: Array.from({ length: count }, (_, index) => ({ properties: { [`p${index}`]: {} } })) }),
    ],
    [
      "alternatives",
      (count) => ({ anyOf: Array.from({ length: count }, (_, index) => ({ properties: { [`p${index}`]: {} } })) }),
    ],
    [
      "alternatives of an object",
      (count) => ({
        properties: Object.fromEntries(Array.from({ length: count / 2 }, (_, index) => [`q${index}`, {}])),
        anyOf: Array.from({ length: count / 2 }, (_, index) => ({ properties: { [`p${index}`]: {} } })),
      }),
    ],
    ["references", (count) => ({ properties: refs(count, "a"), $defs: { a: { description: "x".repeat(20_000) } } })],
    [
      "required names",
      (count) => ({
        properties: refs(count / 2, "a"),
        required: Array.from({ length: count }, (_, index) => `p${index}`),
      }),
    ],
  ])("with many %s is reduced in linear time", (_name, make) => {
    const [small, large] = [make(150), make(1_500)];
    for (const schema of [small, large]) expect(reduceSchema(schema)).toMatchObject({ ok: true });
    const repeat = (schema: Json, times: number) => () => {
      for (let time = 0; time < times; time += 1) reduceSchema(schema);
    };
    expect(cpuRatio(repeat(large, 10), repeat(small, 100), 5)).toBeLessThan(5);
  });
});

/** Schemas with each keyword that the reduced form depends on. */
const sampleSchemas: readonly Json[] = [
  {
    type: "object",
    properties: { a: { type: "STRING", description: "First. Second.", format: "uri" } },
    required: ["a"],
  },
  { properties: { a: { type: ["string", "null"] }, b: { const: 5 }, c: { enum: ["x", 1, true] } } },
  { properties: { a: { oneOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] } } },
  {
    properties: { a: { allOf: [{ properties: { x: {} } }, { required: ["x"] }] }, b: { $ref: "#/$defs/B" } },
    $defs: { B: { type: "number" } },
  },
  { properties: { a: { $ref: "#" }, "bad\nname": {}, list: { type: "array" } }, additionalProperties: true },
  { type: "object", properties: { a: { type: "string", description: "x".repeat(300) } } },
  { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
  {
    type: "object",
    properties: { a: { type: "file" }, b: { prefixItems: [{ type: "string" }] }, c: { nullable: true } },
  },
  true,
];

test("another reduced form has another version", () => {
  const forms = computeHash(JSON.stringify(sampleSchemas.map((schema) => reduceSchema(schema))));
  // A change here needs another `reducedVersion`: the former forms are in the stores of users.
  expect([reducedVersion, forms.slice(0, 12)]).toEqual([3, "72e52a7807ad"]);
});
