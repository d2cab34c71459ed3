import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { ModelRequest } from "../../provider";
import { ollamaChatBody } from "../../ollama/ollama-messages";
import { openAiChatBody } from "../../openai/openai-request";
import { findPreset } from "../../presets";
import { wireTool } from "./wire-tool";

test("both wires send a nested schema as it is stored", () => {
  const step = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const parameters = { type: "object", properties: { steps: { type: "array", items: step } } };
  const tool = { name: "plan", description: "Plan.", parameters };
  const request: ModelRequest = {
    provider: "x",
    model: "m",
    messages: [{ role: "user", text: "hi" }],
    tools: [tool],
    numCtx: 4_096,
    think: false,
    keepAliveMinutes: 5,
    maxOutputTokens: 100,
  };
  const { quirks } = findPreset("custom");
  const openAi = openAiChatBody(request, { quirks, temperature: undefined, without: new Set(), outputTokens: 100 });
  for (const body of [ollamaChatBody(request, false), openAi])
    expect(JSON.stringify(body)).toContain(`"tools":${JSON.stringify([{ type: "function", function: tool }])}`);
});

const sent = (parameters: Json): Json => wireTool({ name: "plan", description: "Plan.", parameters });
const wire = (parameters: Json): Json => ({
  type: "function",
  function: { name: "plan", description: "Plan.", parameters },
});
const object = (properties: Json, more: object = {}): Json => ({ type: "object", properties, ...more });

test.each<readonly [name: string, schema: Json, typed: Json]>([
  ["the default", { default: 10, description: "Count." }, { type: "number", default: 10, description: "Count." }],
  ["a list as default", { default: [] }, { type: "array", default: [] }],
  ["the enumerated values", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
  ["a description alone", { description: "Any." }, { type: "string", description: "Any." }],
  [
    "a title and an empty default",
    { title: "Value", default: null },
    { type: "string", title: "Value", default: null },
  ],
  ["its members", { properties: {} }, { type: "object", properties: {} }],
  ["its items", { items: { description: "One." } }, { type: "array", items: { type: "string", description: "One." } }],
])("a value without a type gets one from %s, also within a list or an alternative", (_name, schema, typed) => {
  const within = (node: Json): Json =>
    object({ a: node, b: { type: "array", items: node }, c: { anyOf: [node, { type: "null" }] } });
  expect(sent(within(schema))).toEqual(wire(within(typed)));
});

test("a value of which nothing is known is left out, unless a call needs it", () => {
  const schema = object({ a: {}, b: {}, c: { type: "string" } }, { required: ["b", "c", "d"] });
  expect(sent(schema)).toEqual(
    wire(object({ b: { type: "string" }, c: { type: "string" } }, { required: ["b", "c"] })),
  );
});

test.each<readonly [name: string, schema: Json]>([
  ["no alternatives", { anyOf: [{}, {}] }],
  ["no values", { enum: [] }],
])("a value with %s is one of unknown type", (_name, schema) => {
  expect(sent(object({ a: schema }))).toEqual(wire(object({})));
});

test("a list of required names among the members is dropped", () => {
  const schema = object({ coin: { type: "string" }, required: ["coin"] });
  expect(sent(schema)).toEqual(wire(object({ coin: { type: "string" } })));
});

test("a tool without parameters is sent with an empty list of them", () => {
  expect(sent({})).toEqual(wire(object({})));
});
