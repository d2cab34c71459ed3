/** Operations of small documents: names, fields, clashes, and the reasons of those that are no tools. */
import { describe, expect, test } from "vitest";
import { parseDocument } from "../document/parse-document";
import { readOperations } from "./read-operations";

const read = (document: object, base: string | null = null) => {
  const parsed = parseDocument(
    JSON.stringify({ openapi: "3.1.0", servers: [{ url: "https://a.example.com" }], ...document }),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return readOperations(parsed.value, base);
};
const namesOf = (paths: object) => read({ paths }).operations.map(({ name }) => name);
const skipsOf = (document: object) =>
  read(document).head.skipped.map(({ operation, kind, detail }) => `${operation}: ${kind} ${detail}`);
const only = (operation: object, more: object = {}, path = "/pets/{id}") =>
  read({ paths: { [path]: { post: operation } }, ...more }).operations[0];
const json = (schema: object, required?: boolean) => ({
  requestBody: { content: { "application/json": { schema } }, ...(required === undefined ? {} : { required }) },
});

describe("names", () => {
  test("an id is sanitised; without one, method and path are the name", () => {
    expect(
      namesOf({
        "/repos/{owner}/{repo}": { get: { operationId: "repos/get" }, delete: {} },
        "/pets/{id}": { get: {} },
        "/": { get: {} },
        "/a.b/{x}-{y}": { get: { operationId: "  !! " } },
      }),
    ).toEqual(["repos_get", "delete_repos_by_owner_by_repo", "get_pets_by_id", "get", "get_a_b_by_x_-_by_y"]);
  });

  test("equal ids become different names of at most 64 characters", () => {
    const long = "x".repeat(90);
    const names = namesOf({
      "/a": { get: { operationId: "list" }, post: { operationId: "list" } },
      "/b": { get: { operationId: "list" } },
      "/post/a": { get: { operationId: "post_a" } },
      "/c": { get: { operationId: long }, post: { operationId: `${long}y` } },
    });
    expect(names.slice(0, 3)).toEqual(["list", "post_a", "get_b"]);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});

test("paths that differ in their fragments only get different names", () => {
  const path = `/${"x".repeat(90)}`;
  const names = namesOf({ [`${path}#a`]: { get: {} }, [`${path}#b`]: { get: {} }, [`${path}#c`]: { get: {} } });
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
});

test("versions that are objects have no text", () => {
  const version = { toString: 1 };
  expect(read({ info: { version }, paths: { "/a": { get: {} } } }).head.version).toBe("");
  expect(parseDocument(JSON.stringify({ openapi: version }))).toMatchObject({ error: { reason: "version" } });
});

test("an operation that is too large to be read at once is skipped", () => {
  const parameters = Array.from({ length: 3_000 }, (_, index) => ({
    name: `p${index}`,
    in: "query",
    schema: { description: "x".repeat(90) },
  }));
  expect(skipsOf({ paths: { "/a": { get: { parameters } } } })).toEqual([
    expect.stringMatching(/^GET \/a: schema it has \d+ KB$/),
  ]);
});

describe("fields", () => {
  test("a header with a key of the owner is no field, in whatever case it is written", () => {
    const operation = only(
      {
        security: [{ key: [] }],
        parameters: [{ name: "x-api-key", in: "header", schema: { type: "string" } }],
      },
      { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-Key" } } } },
      "/pets",
    );
    expect(operation?.request.fields).toEqual([]);
  });

  test("names of a prototype are names; __proto__ cannot be one", () => {
    const named = (required: boolean) => ({
      parameters: ["constructor", "toString", "__proto__"].map((name) => ({ name, in: "query", required })),
    });
    const operation = only(named(false), {}, "/pets");
    expect(operation?.request.fields.map(({ field }) => field)).toEqual(["constructor", "toString"]);
    expect(skipsOf({ paths: { "/pets": { post: named(true) } } })).toEqual(["POST /pets: parameter __proto__"]);
  });

  test("parameters and members of the body are one object; a clash gets its place", () => {
    const operation = only({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer" } },
        { name: "id", in: "query", schema: { type: "string" } },
      ],
      ...json({ type: "object", properties: { id: { type: "string" }, tag: { type: "string" } }, required: ["tag"] }),
    });
    expect(operation?.parameters).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        query_id: { type: "string" },
        body_id: { type: "string" },
        tag: { type: "string" },
      },
      required: ["id", "tag"],
    });
    expect(operation?.request.fields.map(({ field, in: place, name }) => [field, place, name])).toEqual([
      ["id", "path", "id"],
      ["query_id", "query", "id"],
      ["body_id", "body", "id"],
      ["tag", "body", "tag"],
    ]);
  });

  test("those of the operation replace those of the path; an undeclared one of the path is a text", () => {
    const { operations } = read({
      paths: {
        "/a/{x}/{y}": {
          parameters: [
            { name: "x", in: "path", required: true, schema: { type: "string" } },
            { name: "q", in: "query", schema: { type: "string" } },
          ],
          get: { parameters: [{ name: "q", in: "query", required: true, schema: { type: "integer" } }] },
        },
      },
    });
    expect(operations[0]?.parameters).toEqual({
      type: "object",
      properties: { x: { type: "string" }, q: { type: "integer" }, y: { type: "string" } },
      required: ["x", "q", "y"],
    });
  });

  test("a body that is no object is one field; parts that are merged are fields", () => {
    expect(only(json({ type: "array", items: { type: "string" } }))?.request.body?.whole).toBe("body");
    const merged = only(
      json({ allOf: [{ $ref: "#/components/schemas/A" }, { properties: { b: { type: "integer" } } }] }),
      { components: { schemas: { A: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } } } },
    );
    expect(merged?.parameters).toEqual({
      type: "object",
      properties: { id: { type: "string" }, a: { type: "string" }, b: { type: "integer" } },
      required: ["id", "a"],
    });
  });

  test("what only answers have is no field", () => {
    const operation = only(
      json({ type: "object", properties: { id: { type: "string", readOnly: true }, name: { type: "string" } } }),
    );
    expect(operation?.request.fields.map(({ field }) => field)).toEqual(["id", "name"]);
    expect(operation?.request.fields[0]?.in).toBe("path");
  });

  test("a body that may be absent requires nothing", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(only(json(schema, false), {}, "/a")?.parameters).not.toHaveProperty("required");
    expect(only(json(schema), {}, "/a")?.parameters).toHaveProperty("required", ["a"]);
  });

  const form = "application/x-www-form-urlencoded";
  const empty = { type: "object", properties: {} };
  const readOnly = { type: "object", properties: { id: { type: "string", readOnly: true } } };
  test.each<[type: string, schema: object | undefined, required: boolean | undefined, sends: string]>([
    [form, { ...empty, additionalProperties: false }, false, "nothing"],
    [form, empty, undefined, "nothing"],
    [form, readOnly, undefined, "nothing"],
    [form, { type: "object", additionalProperties: false }, undefined, "nothing"],
    [form, { type: ["object", "null"], properties: {} }, false, "nothing"],
    [form, { $ref: "#/components/schemas/Empty" }, false, "nothing"],
    [form, { type: "string" }, false, "nothing"],
    [form, empty, true, "an empty body"],
    ["multipart/form-data", empty, false, "nothing"],
    ["multipart/form-data", empty, true, "an empty body"],
    ["application/json", readOnly, undefined, "nothing"],
    ["application/json", readOnly, true, "an empty body"],
    [form, { type: "object" }, undefined, "body"],
    [form, { ...empty, additionalProperties: { type: "string" } }, false, "body"],
    ["multipart/form-data", undefined, true, "body"],
    ["application/form-data", undefined, true, "body"],
  ])("a body of type %s with the schema %j, required: %s, sends %s", (type, schema, required, sends) => {
    const content = { [type]: schema === undefined ? {} : { schema } };
    const requestBody = { content, ...(required === undefined ? {} : { required }) };
    const operation = only({ requestBody }, { components: { schemas: { Empty: empty } } }, "/a");
    const { fields = [], body } = operation?.request ?? {};
    expect(operation).toBeDefined();
    expect(fields.map(({ field }) => field)).toEqual(sends === "body" ? ["body"] : []);
    expect(body?.isRequired).toBe(sends === "nothing" ? undefined : sends === "an empty body" || required !== false);
    expect(body?.whole).toBe(sends === "body" ? "body" : undefined);
  });

  test("headers of the request as a whole are no fields", () => {
    const names = ["Authorization", "Content-Type", "accept", "Cookie", "Host", "Content-Length", "X-Own"];
    const operation = only({ parameters: names.map((name) => ({ name, in: "header", schema: { type: "string" } })) });
    expect(operation?.request.fields.map(({ field }) => field)).toEqual(["X-Own", "id"]);
  });

  test("the key of a scheme that the document also lists as a parameter is no field", () => {
    const operation = only(
      { parameters: [{ name: "api_key", in: "header", schema: { type: "string" } }], security: [{ key: [] }] },
      { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "api_key" } } } },
      "/a",
    );
    expect(operation?.request.fields).toEqual([]);
  });
});

describe("operations that are no tools", () => {
  const file = { properties: { photo: { type: "string", format: "binary" } } };
  const circle = { components: { parameters: { A: { $ref: "#/components/parameters/A" } } } };
  test.each([
    [
      { parameters: [{ $ref: "https://other.example.com/p.json#/A" }] },
      {},
      "foreign_reference https://other.example.com/p.json#/A",
    ],
    [json({ $ref: "./pet.yaml" }), {}, "foreign_reference ./pet.yaml"],
    [
      json({ $ref: "#/components/schemas/A" }),
      { components: { schemas: { A: { properties: { b: { items: { $ref: "file:///etc/passwd" } } } } } } },
      "foreign_reference file:///etc/passwd",
    ],
    [json({ $ref: "#/components/schemas/Gone" }), {}, "missing_reference #/components/schemas/Gone"],
    [{ parameters: [{ $ref: "#/components/parameters/A" }] }, circle, "circular_reference #/components/parameters/A"],
    [{ requestBody: { required: true, content: { "application/xml": {} } } }, {}, "body_type application/xml"],
    [
      {
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { properties: { photo: { type: "string", format: "binary" } }, required: ["photo"] },
            },
          },
        },
      },
      {},
      "file photo",
    ],
    [{ requestBody: { content: { "multipart/form-data": { schema: file } } } }, {}, "file "],
    [
      { requestBody: { required: true, content: { "multipart/form-data": { schema: { type: "array" } } } } },
      {},
      "body_type multipart without fields",
    ],
    [
      { parameters: [{ name: "q", in: "querystring", required: true, content: { "text/plain": {} } }] },
      {},
      "parameter q",
    ],
    [{ parameters: [{ name: "bad\r\nname", in: "header", required: true, schema: {} }] }, {}, "parameter bad\r\nname"],
    [{ servers: [{ url: "https://{place}.example.com" }] }, {}, "other_host "],
  ])("%#: %j", (operation, more, reason) => {
    expect(skipsOf({ paths: { "/a": { post: operation, get: {} } }, ...more })).toEqual([`POST /a: ${reason}`]);
  });

  test("methods that are not sent are named", () => {
    expect(skipsOf({ paths: { "/a": { trace: {}, query: {}, additionalOperations: { COPY: {} } } } })).toEqual([
      "TRACE /a: method TRACE",
      "QUERY /a: method QUERY",
      "COPY /a: method COPY",
    ]);
  });

  test("of 2,001 operations, 2,000 are tools", () => {
    const paths = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`/p${index}`, { get: {} }]));
    const { head, operations } = read({ paths });
    expect(head.operations).toBe(2_001);
    expect(operations).toHaveLength(2_000);
    expect(head.skipped).toEqual([{ operation: "GET /p2000", kind: "limit", detail: "2000" }]);
  });

  test("parts of any form are survived", () => {
    for (const paths of [null, 3, [], { "/a": null }, { "/a": { get: null, post: 3 } }, { a: { get: {} } }])
      expect(read({ paths }).operations).toEqual([]);
    const damaged = {
      get: { parameters: "x", requestBody: 3, operationId: {}, security: [null], servers: "x", summary: 1 },
    };
    expect(read({ paths: { "/a": damaged }, info: 3, components: [] }).operations).toHaveLength(1);
  });
});

test("own addresses are those of the operation, else those of its path", () => {
  const servers = [{ url: "https://a.example.com/v2/" }, { url: "https://b.example.com" }];
  const own = ["https://a.example.com/v2", "https://b.example.com"];
  expect(only({ servers }, {}, "/a")?.request.addresses).toEqual(own);
  const { operations } = read({
    paths: { "/a": { servers, get: {}, post: { servers: [{ url: "https://c.example.com" }] } } },
  });
  expect(operations.map(({ request }) => request.addresses)).toEqual([own, ["https://c.example.com"]]);
  expect(only({}, {}, "/a")?.request.addresses).toBeUndefined();
});

test("the hash is another for another request, and the same for another order", () => {
  const one = only({ parameters: [{ name: "a", in: "query", schema: { type: "string" } }] }, {}, "/a");
  const other = only({ parameters: [{ name: "a", in: "header", schema: { type: "string" } }] }, {}, "/a");
  const same = only({ parameters: [{ schema: { type: "string" }, in: "query", name: "a" }] }, {}, "/a");
  expect(other?.parameters).toEqual(one?.parameters);
  expect(other?.hash).not.toBe(one?.hash);
  expect(same?.hash).toBe(one?.hash);
});

describe("the hash of an operation is another", () => {
  const hashOf = (scheme: object, more: object = {}) =>
    only({ security: [{ key: [] }] }, { components: { securitySchemes: { key: scheme, ...more } } }, "/a")?.hash;
  const header = { type: "apiKey", in: "header", name: "X-Key" };
  test.each<[string, object]>([
    ["in the query", { ...header, in: "query" }],
    ["in a cookie", { ...header, in: "cookie" }],
    ["by another name", { ...header, name: "X-Other" }],
    ["as a token", { type: "http", scheme: "bearer" }],
    ["as a pair", { type: "http", scheme: "basic" }],
    ["from a sign-in", { type: "oauth2", flows: {} }],
    ["not at all", { type: "mutualTLS" }],
  ])("where the key is sent %s", (_where, scheme) => expect(hashOf(scheme)).not.toBe(hashOf(header)));

  test("not where a scheme changes that it does not use", () => {
    expect(hashOf(header, { other: { ...header, in: "query" } })).toBe(hashOf(header));
  });
});

describe("references", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const post = (name: string) => ({ post: json(ref(name)) });

  test("of a cycle lead to all that the cycle leads to, whichever operation comes first", () => {
    const schemas = {
      A: { properties: { gone: ref("Gone"), b: ref("B") } },
      B: { properties: { a: ref("A") } },
      C: { properties: { c: ref("C") } },
    };
    const skips = skipsOf({ paths: { "/a": post("A"), "/b": post("B"), "/c": post("C") }, components: { schemas } });
    const detail = "missing_reference #/components/schemas/Gone";
    expect(skips).toEqual([`POST /a: ${detail}`, `POST /b: ${detail}`]);
  });

  test("may be a chain of any length", () => {
    const length = 20_000;
    const schemas = Object.fromEntries(
      Array.from({ length }, (_, at) => [`S${at}`, { properties: { next: ref(`S${at + 1}`) } }]),
    );
    const paths = { "/a": post("S0"), "/b": post("S1") };
    const end = { [`S${length}`]: { type: "string" } };
    expect(skipsOf({ paths, components: { schemas: { ...schemas, ...end } } })).toEqual([]);
    const detail = `missing_reference #/components/schemas/S${length}`;
    expect(skipsOf({ paths, components: { schemas } })).toEqual([`POST /a: ${detail}`, `POST /b: ${detail}`]);
  });
});
