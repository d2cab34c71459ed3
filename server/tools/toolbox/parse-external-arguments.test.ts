import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { formatExampleCall } from "./example-call";
import { parseExternalArguments } from "./parse-external-arguments";
import { reduceSchema } from "./reduce-schema";

function makeTool(schema: Json, name = "fs__search"): { readonly name: string; readonly parameters: Json } {
  const reduced = reduceSchema(schema);
  if (!reduced.ok) throw new Error(reduced.detail);
  return { name, parameters: reduced.parameters };
}

const search = makeTool({
  properties: {
    rootPath: { type: "string" },
    pattern: { type: "string" },
    limit: { type: "integer" },
    ratio: { type: "number" },
    isDeep: { type: "boolean" },
    kinds: { type: "array", items: { enum: ["file", "folder"] } },
    filter: { type: "object", properties: { content: { type: "string" }, minSize: { type: "integer" } } },
    extra: {},
  },
  required: ["rootPath", "pattern"],
});

const right = { rootPath: "src", pattern: "*.ts" };

describe("a valid input is taken as it is", () => {
  test.each<{ readonly [name: string]: Json }>([
    right,
    { ...right, extra: null },
    {
      ...right,
      limit: 3,
      ratio: 0.5,
      isDeep: false,
      kinds: ["file"],
      filter: { content: "x", other: [1] },
      extra: { a: 1 },
    },
    { ...right, unknown_member: "null", Other: null, offset: 3 },
  ])("%j", (input) => {
    const { extra, ...others } = input;
    const result = extra === null ? { input: others, repaired: true } : { input, repaired: false };
    expect(parseExternalArguments(search, input)).toEqual({ ok: true, ...result });
  });
});

describe("a clear mistake is repaired", () => {
  test.each<readonly [name: string, input: Json, values: { readonly [name: string]: Json }]>([
    [
      "numbers and truth values as text",
      { ...right, limit: "3", ratio: "0.5", isDeep: "yes" },
      { limit: 3, ratio: 0.5, isDeep: true },
    ],
    ["JSON in a text", JSON.stringify({ ...right, limit: 3 }), { limit: 3 }],
    ["JSON in a text in a text", JSON.stringify(JSON.stringify(right)), {}],
    [
      "JSON in a member",
      { ...right, kinds: '["file"]', filter: '{"minSize":"3"}' },
      { kinds: ["file"], filter: { minSize: 3 } },
    ],
    ["one item where a list is wanted", { ...right, kinds: "FILE" }, { kinds: ["file"] }],
    ["null for absent", { ...right, limit: null, filter: { minSize: null } }, { filter: {} }],
    ["a word for absent", { ...right, limit: "none", kinds: null }, {}],
    ["a wrapper", { arguments: right }, {}],
    ["a wrapper with JSON text", { input: JSON.stringify(right) }, {}],
    ["names in another spelling", { root_path: "src", Pattern: "*.ts", "is-deep": true }, { isDeep: true }],
    ["an unknown member beside it", { ...right, limit: "3", maxDepth: "2" }, { limit: 3, maxDepth: "2" }],
  ])("%s", (_name, input, values) => {
    expect(parseExternalArguments(search, input)).toEqual({ ok: true, input: { ...right, ...values }, repaired: true });
  });

  test("a name that may be one of two members is none of them", () => {
    const tool = makeTool({ properties: { "created>": { type: "string" }, "created<": { type: "string" } } });
    const input = { created: "2024" };
    expect(parseExternalArguments(tool, input)).toEqual({ ok: true, input, repaired: false });
  });

  test("a bare text is the only required member", () => {
    const tool = makeTool({ properties: { page: { type: "integer" }, url: { type: "string" } }, required: ["url"] });
    expect(parseExternalArguments(tool, "https://example.org")).toEqual({
      ok: true,
      input: { url: "https://example.org" },
      repaired: true,
    });
  });
});

describe("names of built-in parameters have no meaning", () => {
  const write = makeTool({
    properties: {
      path: { type: "string" },
      content: { type: "string" },
      timeout: { type: "integer" },
      offset: { type: "integer" },
      limit: { type: "integer" },
    },
  });

  test.each<{ readonly [name: string]: Json }>([
    { file: "a", dir: "b", query: "c" },
    { timeout: 60_000, timeout_ms: 5 },
    { end_line: 3, view_range: [1, 2], start: 1 },
  ])("%j stays", (input) => {
    expect(parseExternalArguments(write, input)).toEqual({ ok: true, input, repaired: false });
  });

  test.each<Json>([["a", "b"], { a: 1 }])("a content of %j is not text", (content) => {
    expect(parseExternalArguments(write, { content })).toMatchObject({ ok: false });
    const nested = makeTool({
      properties: { parts: { type: "array", items: { properties: { content: { type: "string" } } } } },
    });
    expect(parseExternalArguments(nested, { parts: [{ content }] })).toMatchObject({ ok: false });
  });
});

describe("a tool without declared parameters", () => {
  const open = makeTool({ type: "object" });
  test.each<readonly [input: Json, values: Json]>([
    [null, {}],
    ["", {}],
    ["{}", {}],
    [{ arguments: {} }, {}],
    [
      { any: 1, other: null },
      { any: 1, other: null },
    ],
    [{ input: { a: 1 } }, { input: { a: 1 } }],
  ])("gets %j as %j", (input, values) => {
    expect(parseExternalArguments(open, input)).toMatchObject({ ok: true, input: values });
  });
});

describe("an input that does not fit is answered with one sentence and the right call", () => {
  const callWith = (input: string): string => `Call it like this: toolbox {"tool":"fs__search","input":${input}}`;
  const call = callWith('{"rootPath":"...","pattern":"..."}');
  test.each<readonly [name: string, input: Json, sentence: string]>([
    [
      "a missing member",
      { rootPath: "src" },
      `fs__search needs "pattern" (text). ${callWith('{"rootPath":"src","pattern":"..."}')}`,
    ],
    [
      "another type",
      { ...right, limit: "many" },
      `"limit" of fs__search must be a whole number, not text. ${callWith('{"rootPath":"src","pattern":"*.ts","limit":<whole number>}')}`,
    ],
    [
      "another value",
      { ...right, kinds: ["files"] },
      `"kinds[0]" of fs__search must be "file" or "folder", not "files"; the nearest is "file". ${callWith('{"rootPath":"src","pattern":"*.ts","kinds":["file"]}')}`,
    ],
    ["a list", [right, right], `The input of fs__search must be a JSON object. ${call}`],
    ["broken JSON", '{"rootPath": "src', `The input of fs__search must be a JSON object. ${call}`],
  ])("%s", (_name, input, messageForModel) => {
    expect(parseExternalArguments(search, input)).toEqual({ ok: false, messageForModel });
  });

  test("the example has a value of each type", () => {
    const names = ["text", "whole", "number", "truth", "list", "object", "one", "either", "any"];
    const tool = makeTool(
      {
        properties: {
          text: { type: "string" },
          whole: { type: "integer" },
          number: { type: "number" },
          truth: { type: "boolean" },
          list: { type: "array", items: { type: "string" } },
          object: { properties: { x: { type: "number" }, y: { type: "number" } }, required: ["y"] },
          one: { enum: ["b", "a"] },
          either: { anyOf: [{ type: "integer" }, { type: "string" }] },
          any: {},
          optional: {},
        },
        required: names,
      },
      "x",
    );
    const parsed = parseExternalArguments(tool, {});
    const text = parsed.ok ? "" : parsed.messageForModel;
    const example =
      '{"tool":"x","input":{"text":"...","whole":1,"number":1,"truth":true,"list":["..."],"object":{"y":1},"one":"b","either":1,"any":"..."}}';
    expect(formatExampleCall(tool)).toBe(`toolbox ${example}`);
    // After a call by the model, the example has no made-up values that could be sent as they are.
    const typed =
      '{"tool":"x","input":{"text":"...","whole":<whole number>,"number":<number>,"truth":<true or false>,"list":["..."],"object":{"y":<number>},"one":"b","either":<whole number>,"any":"..."}}';
    expect(text).toBe(`x needs "text" (text). Call it like this: toolbox ${typed}`);
    expect(parseExternalArguments(tool, JSON.parse(example).input)).toMatchObject({ ok: true });
  });

  test("a very long example is left out", () => {
    const names = Array.from({ length: 40 }, (_, index) => `parameter_${index}`);
    const tool = makeTool({
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      required: names,
    });
    expect(parseExternalArguments(tool, {})).toEqual({
      ok: false,
      messageForModel:
        'fs__search needs "parameter_0" (text). Call it like this: toolbox {"tool":"fs__search","input":{...}}',
    });
  });
});

test("members named like those of every object are members like others", () => {
  const input: Json = JSON.parse('{"rootPath":"src","pattern":"*","__proto__":{"limit":"x"},"constructor":1}');
  const parsed = parseExternalArguments(search, input);
  expect(parsed.ok && JSON.stringify(parsed.input)).toBe(JSON.stringify(input));
});
