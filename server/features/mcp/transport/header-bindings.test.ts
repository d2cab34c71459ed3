import { expect, test } from "vitest";
import { hasValidHeaderBindings } from "./header-bindings";

const region = { type: "string", "x-mcp-header": "Region" };

test.each([
  ["none", { type: "object", properties: { a: { type: "null" } } }],
  [
    "one, and one below it",
    { properties: { region, more: { properties: { zone: { ...region, "x-mcp-header": "Zone" } } } } },
  ],
  ["a parameter of this name", { properties: { "x-mcp-header": { type: "string" } } }],
  ["an example of a binding", { properties: { a: { type: "object", default: region, enum: [region] } } }],
])("%s is valid", (_title, schema) => {
  expect(hasValidHeaderBindings(schema)).toBe(true);
});

test.each([
  ["the schema itself", { type: "string", "x-mcp-header": "Region" }],
  ["an element", { properties: { a: { type: "array", items: region } } }],
  ["a choice", { properties: { a: { anyOf: [region] } } }],
  ["a property of a choice", { anyOf: [{ properties: { region } }] }],
  ["a definition", { $defs: { region } }],
  ["a number", { properties: { a: { ...region, type: "number" } } }],
  ["null", { properties: { a: { ...region, type: "null" } } }],
  ["no type", { properties: { a: { "x-mcp-header": "Region" } } }],
  ["an empty name", { properties: { a: { ...region, "x-mcp-header": "" } } }],
  ["a name with a space", { properties: { a: { ...region, "x-mcp-header": "My Region" } } }],
  ["a name that is no text", { properties: { a: { ...region, "x-mcp-header": 1 } } }],
  ["a name in two cases", { properties: { a: region, b: { ...region, "x-mcp-header": "REGION" } } }],
])("%s is invalid", (_title, schema) => {
  expect(hasValidHeaderBindings(schema)).toBe(false);
});
