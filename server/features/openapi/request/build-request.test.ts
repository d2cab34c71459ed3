/** Values that could lead elsewhere, and bodies of each kind. */
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { ToolError } from "@/server/tools/core/tool";
import type { RequestField, RequestPlan } from "../operations/operation";
import { buildApiRequest } from "./build-request";

const address = "https://a.example.com/v1";
const field = (name: string, place: RequestField["in"], more: Partial<RequestField> = {}): RequestField => ({
  field: name,
  in: place,
  name,
  style: place === "query" || place === "cookie" ? "form" : place === "body" ? "json" : "simple",
  explode: false,
  ...more,
});
const plan = (fields: RequestField[], more: Partial<RequestPlan> = {}): RequestPlan => ({
  method: "POST",
  path: "/pets",
  fields,
  security: [],
  ...more,
});

const build = (one: RequestPlan, input: Json) => buildApiRequest(one, input, address);
const pathOf = (value: Json, more: Partial<RequestField> = {}, path = "/pets/{id}"): string => {
  try {
    return build(plan([field("id", "path", more)], { path }), { id: value }).url.href.slice(address.length);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
};

describe("paths", () => {
  test.each<[Json, string]>([
    ["a/b", "/pets/a%2Fb"],
    ["a?b#c", "/pets/a%3Fb%23c"],
    ["%2e", "bad_input"],
    ["%2e%2e", "bad_input"],
    [".%2E", "bad_input"],
    ["%252e%252e", "bad_input"],
    ["%25252e%25252e", "bad_input"],
    ["a%2f..%2fb", "bad_input"],
    ["a%5c%2e%2e%5cb", "bad_input"],
    [["a", "%2e%2e"], "bad_input"],
    ["100%", "/pets/100%25"],
    ["a%2fb", "/pets/a%252fb"],
    ["v1.%2e2", "/pets/v1.%252e2"],
    ["...", "/pets/..."],
    ["a..b", "/pets/a..b"],
    ["\ud800", "/pets/%EF%BF%BD"],
    [12, "/pets/12"],
    [false, "/pets/false"],
    [".", "bad_input"],
    ["..", "bad_input"],
    ["../admin", "bad_input"],
    ["a/../../b", "bad_input"],
    ["a\\..\\b", "bad_input"],
    ["a\r\nX: 1", "bad_input"],
    ["a\nb", "bad_input"],
    ["a\u0000", "bad_input"],
    ["", "bad_input"],
    [["a", ".."], "bad_input"],
    [{ "..": "a" }, "bad_input"],
    [[], "bad_input"],
    [null, "bad_input"],
  ])("%j becomes %s", (value, written) => {
    expect(pathOf(value)).toBe(written);
  });

  test("what the value and its surroundings make together is checked as well", () => {
    expect(pathOf(".", { style: "label" }, "/a/{id}")).toBe("bad_input");
    expect(pathOf("", { style: "label" }, "/a/{id}")).toBe("bad_input");
  });

  test("an own path replaces the one of the address; a query of the document comes first", () => {
    const one = plan([field("q", "query")], { basePath: "/v2", query: "api=1" });
    expect(build(one, { q: "a b" }).url.href).toBe("https://a.example.com/v2/pets?api=1&q=a%20b");
  });

  test("a value cannot become another host", () => {
    for (const value of ["//evil.example.com", "@evil.example.com", ":80@evil.example.com", "\\\\evil.example.com"]) {
      const written = pathOf(value, {}, "/{id}");
      expect(written === "bad_input" || written.startsWith("/")).toBe(true);
    }
  });
});

describe("headers and cookies", () => {
  test.each(["a\r\nX-Other: 1", "a\nb", "a\u0000b", "a\u2028b", "日本"])("%j is refused", (value) => {
    expect(() => build(plan([field("X-A", "header")]), { "X-A": value })).toThrow(ToolError);
  });

  test("a cookie is encoded, so that it ends no header", () => {
    const { cookies } = build(plan([field("c", "cookie")]), { c: "a;b\r\nX: 1" });
    expect(cookies).toEqual(["c=a%3Bb%0D%0AX%3A%201"]);
  });
});

describe("bodies", () => {
  const bodyOf = (
    body: NonNullable<RequestPlan["body"]>,
    input: Json,
    fields = [field("a", "body"), field("b", "body")],
  ) => {
    const request = build(plan(fields, { body }), input);
    return [request.headers["Content-Type"], request.body];
  };
  const isRequired = true;

  test.each<[NonNullable<RequestPlan["body"]>, Json, readonly unknown[]]>([
    [
      { type: "json", mediaType: "application/json", isRequired },
      { a: 1, b: ["x"] },
      ["application/json", '{"a":1,"b":["x"]}'],
    ],
    [{ type: "json", mediaType: "application/json", isRequired }, {}, ["application/json", "{}"]],
    [{ type: "json", mediaType: "application/json", isRequired: false }, {}, [undefined, null]],
    [
      { type: "json", mediaType: "application/vnd.a+json", whole: "a", isRequired },
      { a: [1] },
      ["application/vnd.a+json", "[1]"],
    ],
    [{ type: "text", mediaType: "text/plain", whole: "a", isRequired }, { a: "x\ny" }, ["text/plain", "x\ny"]],
    [
      { type: "form", mediaType: "application/x-www-form-urlencoded", isRequired },
      { a: "x y&z=+", b: ["1", { c: 2 }] },
      ["application/x-www-form-urlencoded", "a=x+y%26z%3D%2B&b=1&b=%7B%22c%22%3A2%7D"],
    ],
    [
      { type: "form", mediaType: "application/x-www-form-urlencoded", whole: "a", isRequired },
      { a: { "metadata[x]": "1 2", list: [1, 2], none: null } },
      ["application/x-www-form-urlencoded", "metadata%5Bx%5D=1+2&list=1&list=2"],
    ],
    [
      { type: "form", mediaType: "application/x-www-form-urlencoded", isRequired },
      {},
      ["application/x-www-form-urlencoded", ""],
    ],
  ])("%#", (body, input, written) => {
    expect(bodyOf(body, input)).toEqual(written);
  });

  test("the name of a part cannot end its line", () => {
    const [type, body] = bodyOf(
      { type: "multipart", mediaType: "multipart/form-data", isRequired },
      { 'a"\r\nX: 1': "x" },
      [field('a"\r\nX: 1', "body")],
    );
    const boundary = String(type).split("boundary=")[1];
    expect(body).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="a%22%0D%0AX: 1"\r\n\r\nx\r\n--${boundary}--\r\n`,
    );
  });

  test("a form with fields of any names must be an object", () => {
    const mediaType = "application/x-www-form-urlencoded";
    expect(() => bodyOf({ type: "form", mediaType, whole: "a", isRequired }, { a: "x=1" })).toThrow(/no object/);
  });

  test("a required body that is one field must be given", () => {
    expect(() => bodyOf({ type: "json", mediaType: "application/json", whole: "a", isRequired }, {})).toThrow(
      /a is missing/,
    );
  });
});
