/** Bad and good texts: each is read, or has one reason. */
import { expect, test } from "vitest";
import { parseDocument } from "./parse-document";
import { readAddresses } from "./servers";

test.each([
  ["", { reason: "empty" }],
  [" \n", { reason: "empty" }],
  ["<!doctype html><html></html>", { reason: "html" }],
  ["hello", { reason: "not_openapi" }],
  ["[1, 2]", { reason: "not_openapi" }],
  ['{"a": 1}', { reason: "not_openapi" }],
  ['{"mcpServers": {}}', { reason: "not_openapi" }],
  ['{"swaggerVersion": "1.2", "apis": []}', { reason: "swagger_1" }],
  ['{"swagger": "1.2"}', { reason: "swagger_1" }],
  ['{"openapi": "4.0.0"}', { reason: "version", version: "4.0.0" }],
  ["openapi: 4", { reason: "version", version: "4" }],
  ['{"swagger": "3.0"}', { reason: "version", version: "3.0" }],
  ['{"openapi": "3.1.0",\n  "paths": {\n', { reason: "syntax", line: 3, column: 1 }],
  ["openapi: 3.1.0\npaths:\n  /a: [\n", { reason: "syntax", line: 4, column: 1 }],
  ["openapi: 3.1.0\n\tpaths: {}\n", { reason: "syntax", line: 2, column: 1 }],
  [`a: &a [x]\n${"b: [*a, *a]\n".repeat(20_000)}`, { reason: "syntax", line: 1, column: 1 }],
])("%#: %j", (text, error) => {
  expect(parseDocument(text)).toEqual({ ok: false, error });
});

test.each([
  ['{"openapi": "3.0.4"}', "OpenAPI 3.0.4"],
  ['\uFEFF{"openapi": "3.2.0"}', "OpenAPI 3.2.0"],
  ["openapi: 3.1\n", "OpenAPI 3.1"],
  ["# a comment\nswagger: 2.0\npaths: {}\n", "Swagger 2.0"],
  ['{"swagger": "2.0", "paths": {}, // comments\n}'.replace("// comments", ""), "Swagger 2.0"],
])("%j is %s", (text, format) => {
  const parsed = parseDocument(text);
  expect(parsed.ok && parsed.value.format).toBe(format);
});

test.each([
  [[{ url: "https://api.example.com/v1/" }], null, ["https://api.example.com/v1"]],
  [[{ url: "/v1" }], "https://a.example.com/docs/openapi.json", ["https://a.example.com/v1"]],
  [[{ url: "/v1" }], null, []],
  [undefined, "https://a.example.com/docs/openapi.json", ["https://a.example.com"]],
  [undefined, null, []],
  [
    [{ url: "https://{host}.example.com:{port}/v1", variables: { host: { default: "eu" }, port: { default: 8443 } } }],
    null,
    ["https://eu.example.com:8443/v1"],
  ],
  [[{ url: "https://{host}.example.com" }, { url: "ftp://a.example.com" }, { url: "wss://a.example.com" }], null, []],
  [[{ url: "https://user:word@a.example.com" }, { url: 3 }, null], null, []],
])("the addresses of %j, read from %j, are %j", (servers, base, addresses) => {
  expect(readAddresses(servers, base)).toEqual(addresses);
});
