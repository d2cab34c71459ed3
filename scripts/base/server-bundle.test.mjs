import { rolldown } from "rolldown";
import { beforeAll, expect, it } from "vitest";
import { finalServerBundle } from "./server-bundle.mjs";

const { output, ...input } = finalServerBundle;
let chunks;

beforeAll(async () => {
  const bundle = await rolldown(input);
  const generated = await bundle.generate(output);
  await bundle.close();
  chunks = new Map(generated.output.map((chunk) => [chunk.fileName, chunk]));
});

const fileOf = (path) => [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith(path))).fileName;

/** Returns the files that are loaded with those of `paths`. */
function filesOf(...paths) {
  const found = new Set();
  const waiting = paths.map(fileOf);
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (found.has(name) || !chunks.has(name)) continue;
    found.add(name);
    waiting.push(...chunks.get(name).imports);
  }
  return found;
}

const start = ["server/main.ts", "server/serve.ts", "server/home.ts", "server/compose.ts"];

it("puts every file directly into the folder, and the programs of workers beside main.js", () => {
  expect([...chunks.keys()].filter((name) => name.includes("/"))).toEqual([]);
  for (const name of ["main.js", "page-worker.js", "openapi-worker.js", "import-worker.js"])
    expect(chunks.has(name), name).toBe(true);
});

it("imports no Node module but node:module: an import reads all exports, and node:http's load the client of fetch", () => {
  const external = [...chunks.values()].flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  const builtins = external.filter((name) => name.startsWith("node:"));
  expect(new Set(builtins)).toEqual(new Set(["node:module"]));
});

it("loads few files until the page, the store and the core", () => {
  expect(filesOf(...start.slice(0, 2)).size).toBeLessThanOrEqual(6);
  expect(filesOf(...start.slice(0, 3)).size).toBeLessThanOrEqual(8);
  expect(filesOf(...start).size).toBeLessThanOrEqual(12);
});

it("loads nothing of a later step of the start with an earlier one, a worker or a client", () => {
  for (const [index, path] of start.entries())
    for (const later of start.slice(index + 1)) expect(filesOf(path), path).not.toContain(fileOf(later));
  const others = ["page-worker.ts", "openapi-worker.ts", "import-worker.ts", "run-prompt.ts", "run-doctor.ts"];
  for (const path of others) for (const step of start.slice(1)) expect(filesOf(path), path).not.toContain(fileOf(step));
});

it("loads drizzle after the start", () => {
  expect(filesOf(...start)).not.toContain(fileOf("typed-database.ts"));
});

it("has no character outside of Latin-1, which would double the memory of its file", () => {
  for (const { fileName, code } of chunks.values()) expect(/[^\0-\xff]/.test(code), fileName).toBe(false);
});

it("has no ajv: no schema of an MCP server is compiled", () => {
  for (const { fileName, code } of chunks.values()) expect(code.includes("ajv"), fileName).toBe(false);
});
