/** By which names a key can be sent: a document cannot have it replace parts of the request. */
import { describe, expect, test } from "vitest";
import { readSchemes } from "./security-schemes";

const read = (scheme: object) => readSchemes({ components: { securitySchemes: { key: scheme } } })[0];

describe("an API key", () => {
  test.each([
    ["header", "X-API-Key"],
    ["header", "Authorization"],
    ["header", "api_key"],
    ["header", "X-Host"],
    ["header", "!#$%&'*+.^_`|~"],
    ["query", "key"],
    ["query", "api key[]"],
    ["cookie", "session.id"],
  ])("can be sent in a %s %s", (place, label) => {
    expect(read({ type: "apiKey", in: place, name: label })).toEqual({ name: "key", place, label });
  });

  test.each([
    ["header", "Host"],
    ["header", "hOST"],
    ["header", "Content-Length"],
    ["header", "Content-Type"],
    ["header", "Connection"],
    ["header", "Cookie"],
    ["header", "Transfer-Encoding"],
    ["header", "Upgrade"],
    ["header", "Expect"],
    ["header", "TE"],
    ["header", "Origin"],
    ["header", "Proxy-Authorization"],
    ["header", "X Key"],
    ["header", "X-Key:"],
    ["header", "X-Key\r\nHost"],
    ["header", "Schlüssel"],
    ["header", ""],
    ["query", ""],
    ["query", "a\r\nb"],
    ["cookie", "a=b"],
    ["cookie", "a; b"],
    ["cookie", "a\u0000b"],
    ["body", "X-Key"],
    ["constructor", "X-Key"],
  ])("cannot be sent in a %s %j, and the name is the reason", (place, label) => {
    const shown = ["apiKey", place, label].filter((part) => part !== "").join(" ");
    expect(read({ type: "apiKey", in: place, name: label })).toEqual({ name: "key", place: null, label: shown });
  });
});
