/** Arguments with nested objects and lists: schema for the model, repair, and answers to mistakes. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { defineTool } from "../core/define-tool";
import { readParameterShapes } from "./parameter-shapes";
import { repairArguments } from "./repair-arguments";

const planSchema = z.object({
  title: z.string(),
  steps: z.array(z.object({ path: z.string(), line: z.optional(z.int()), done: z.optional(z.boolean()) })),
  tags: z.optional(z.array(z.string())),
  sizes: z.optional(z.array(z.int())),
  owner: z.optional(z.object({ name: z.string(), teams: z.optional(z.array(z.string())) })),
});

const plan = defineTool<z.infer<typeof planSchema>>({
  name: "plan",
  kind: "other",
  schema: planSchema,
  example: { title: "Port", steps: [{ path: "src/main.ts" }] },
  limits: () => ({ bytes: 1_000, keep: "head" }),
  target: ({ title }) => title,
  access: () => [],
  locks: () => ({ paths: [], shell: false }),
  create: () => ({ run: async () => ({ output: [], facts: {} }) }),
});

test("the schema for the model has the nested members, in order and without bounds", () => {
  expect(JSON.stringify(plan.parameters)).toBe(
    JSON.stringify({
      type: "object",
      properties: {
        title: { type: "string" },
        steps: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, line: { type: "integer" }, done: { type: "boolean" } },
            required: ["path"],
          },
        },
        tags: { type: "array", items: { type: "string" } },
        sizes: { type: "array", items: { type: "integer" } },
        owner: {
          type: "object",
          properties: { name: { type: "string" }, teams: { type: "array", items: { type: "string" } } },
          required: ["name"],
        },
      },
      required: ["title", "steps"],
    }),
  );
});

const right = { title: "Port", steps: [{ path: "a.ts", line: 3, done: true }] };

test("nested arguments of the right types are taken as they are", () => {
  const input = { ...right, tags: ["x"], sizes: [1], owner: { name: "Ada", teams: ["core"] } };
  expect(plan.parse(input)).toEqual({ ok: true, input, repaired: false });
});

describe("repaired nested arguments", () => {
  test.each<[name: string, input: { readonly [name: string]: Json }, repaired: { readonly [name: string]: Json }]>([
    ["a list as JSON text", { steps: '[{"path":"a.ts","line":3,"done":true}]' }, {}],
    ["items as JSON text", { steps: ['{"path":"a.ts","line":3,"done":true}'] }, {}],
    ["one object where a list is wanted", { steps: { path: "a.ts", line: 3, done: true } }, {}],
    ["one object as JSON text", { steps: '{"path":"a.ts","line":3,"done":true}' }, {}],
    ["spelling and types of members", { steps: [{ Path: "a.ts", line: "3", done: "yes" }] }, {}],
    ["null for an optional member", { steps: [{ path: "a.ts", line: null }] }, { steps: [{ path: "a.ts" }] }],
    ["one text where a list is wanted", { tags: "x" }, { tags: ["x"] }],
    ["a list of texts as JSON text", { tags: '["x","y"]' }, { tags: ["x", "y"] }],
    ["numbers in a list of texts", { tags: [1, "x"] }, { tags: ["1", "x"] }],
    ["one number as text where a list is wanted", { sizes: "7" }, { sizes: [7] }],
    ["numbers as text in a list", { sizes: ["7", 8] }, { sizes: [7, 8] }],
    ["an object as JSON text", { owner: '{"name":"Ada","teams":"core"}' }, { owner: { name: "Ada", teams: ["core"] } }],
  ])("%s", (_name, input, repaired) => {
    expect(plan.parse({ ...right, ...input })).toEqual({ ok: true, input: { ...right, ...repaired }, repaired: true });
  });
});

test.each<readonly [string, { readonly [name: string]: Json }]>([
  ["a member named like a wrapper", { input: { a: 1 } }],
  ["members named like parameters of other tools", { target: "prod", params: { x: 1 }, timeout_ms: 5 }],
])("%s in free-form data is kept", (_name, data) => {
  const shapes = readParameterShapes(
    z.toJSONSchema(z.object({ data: z.looseObject({ name: z.optional(z.string()) }) })),
  );
  expect(repairArguments({ data }, shapes)?.values).toEqual({ data });
});

test("broken JSON is not an item of a list", () => {
  expect(plan.parse({ ...right, tags: '["a' })).toMatchObject({ ok: false });
});

test("no value for an optional object is dropped without a word", () => {
  expect(plan.parse({ ...right, owner: "null" })).toEqual({ ok: true, input: right, repaired: false });
});

test("members that the schema does not declare keep their names", () => {
  const shapes = readParameterShapes({
    properties: {
      env: { type: "object", properties: {} },
      at: { type: "object", properties: { line: { type: "integer" } } },
    },
  });
  const env = { NODE_ENV: "test", "x-Y": [1] };
  expect(repairArguments({ env: JSON.stringify(env), at: { line: "3", byName: "a" } }, shapes)?.values).toEqual({
    env,
    at: { line: 3, byName: "a" },
  });
});

describe("a mistake in nested arguments is answered with its place", () => {
  test.each<[name: string, input: { readonly [name: string]: Json }, answer: string]>([
    ["a missing member", { steps: [{ path: "a" }, { line: 1 }] }, 'plan needs "steps[1].path" (text).'],
    [
      "a wrong type",
      { steps: [{ path: "a", line: [] }] },
      '"steps[0].line" of plan must be a whole number, not a list.',
    ],
    ["a text in place of an object", { steps: ["a.ts"] }, '"steps[0]" of plan must be an object, not text.'],
    ["a text in place of a list", { steps: "a.ts" }, '"steps" of plan must be a list, not text.'],
    ["JSON text that is cut off", { steps: '[{"path":"a' }, '"steps" of plan must be a list, not text.'],
    ["a list in place of an object", { owner: ["Ada"] }, '"owner" of plan must be an object, not a list.'],
    ["a missing member of an object", { owner: {} }, 'plan needs "owner.name" (text).'],
    ["null in a list", { tags: [null] }, '"tags[0]" of plan must be text, not null.'],
  ])("%s", (_name, input, answer) => {
    const parsed = plan.parse({ ...right, ...input });
    expect(parsed.ok ? "" : parsed.messageForModel).toBe(
      `${answer} Call it like this: plan {"title":"Port","steps":[{"path":"src/main.ts"}]}`,
    );
  });
});
