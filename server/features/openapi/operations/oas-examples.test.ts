/** Every document of a public collection becomes tools, or says why not. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../document/parse-document";
import { readOperations } from "./read-operations";

const folder = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /^[23]\.\d.*\.(?:json|yaml)$/.test(name))
  .toSorted();

const read = (file: string) => {
  const parsed = parseDocument(readFileSync(join(folder, file), "utf8"));
  if (!parsed.ok) throw new Error(`${file}: ${JSON.stringify(parsed.error)}`);
  return readOperations(parsed.value, `https://example.com/${file}`);
};

test("the collection has documents of each version", () => {
  expect(files.length).toBeGreaterThan(100);
});

test.each(files)("%s: each operation is a tool or has a reason", (file) => {
  const { head, operations } = read(file);
  expect(operations.length + head.skipped.length).toBe(head.operations);
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  for (const { name, parameters, request } of operations) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const names = Object.keys(JSON.parse(JSON.stringify(parameters)).properties);
    expect(request.fields.map(({ field }) => field).toSorted()).toEqual(names.toSorted());
  }
});
/** `name(fields)` of each operation. */
const signatures = (file: string): readonly string[] =>
  read(file).operations.map(({ name, request }) => `${name}(${request.fields.map(({ field }) => field).join(" ")})`);

describe("what the documents become", () => {
  test.each(["2.0/json/petstore.json", "3.0/json/petstore.json", "3.1/json/petstore.json"])("%s", (file) => {
    expect(signatures(file)).toEqual(
      expect.arrayContaining([
        "updateUser(username id body_username firstName lastName email password phone userStatus)",
        "findPetsByStatus(status)",
        "getPetById(petId)",
        "updatePetWithForm(petId name status)",
        "createUsersWithArrayInput(body)",
        "logoutUser()",
      ]),
    );
  });

  test("operations without ids are named by method and path", () => {
    const { operations } = read("3.0/json/star-trek.json");
    expect(operations).toHaveLength(120);
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["get_animal", "get_animal_search", "post_animal_search"]),
    );
    expect(operations.find(({ name }) => name === "post_animal_search")?.request.body).toMatchObject({ type: "form" });
  });

  test("references in a circle are cut, not followed", () => {
    expect(signatures("3.0/json/circular-request-bodies.json").length).toBeGreaterThan(0);
    for (const { parameters } of read("3.0/json/schema-circular.json").operations)
      expect(JSON.stringify(parameters)).not.toContain("$ref");
  });

  test("keys are no parameters", () => {
    const { head, operations } = read("3.1/json/security.json");
    expect(head.schemes).toEqual(
      expect.arrayContaining([
        { name: "apiKey_query", place: "query", label: "apiKey" },
        { name: "apiKey_header", place: "header", label: "X-API-KEY" },
        { name: "apiKey_cookie", place: "cookie", label: "api_key" },
        { name: "basic", place: "basic", label: "basic" },
        { name: "bearer", place: "bearer", label: "bearer" },
      ]),
    );
    for (const { request } of operations) expect(request.fields).toEqual([]);
    expect(operations.find(({ name }) => name === "get_anything_apiKey")?.request.security).toEqual([["apiKey_query"]]);
  });

  test("an operation at another host than the document's has the address of its own", () => {
    const { head, operations } = read("3.0/json/server-path-level.json");
    expect(head.skipped).toEqual([]);
    expect(operations.find(({ request }) => request.path === "/operation-server-variables")?.request.addresses).toEqual(
      ["https://operation.example.com/v3"],
    );
  });

  test("an upload of a file is left out; one with a file beside texts sends the texts", () => {
    const { head, operations } = read("3.0/json/file-uploads.json");
    expect(head.skipped.map(({ operation, kind, detail }) => `${operation} ${kind} ${detail}`)).toEqual([
      "POST /anything/image-png body_type image/png",
      "PUT /anything/multipart-formdata file ",
    ]);
    expect(operations.map(({ request }) => request.fields.map(({ field }) => field))).toEqual([["orderId", "userId"]]);
  });
});
