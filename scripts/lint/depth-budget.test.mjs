// The depth budget: how much code one feature may have, and how far one idea may be spread over files.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const productFolders = ["app", "components", "lib", "server"];

/** Product lines of a feature's server side without a row in `featureLines`. */
const defaultLines = 1500;

/** Features with more, and why. Lower a row when its feature shrinks. */
const featureLines = {
  // Two transports, OAuth, approvals bound to a definition, prompts, resources and questions; 6,000 were planned.
  mcp: 8300,
  // Finds, verifies, downloads, resumes, starts and measures models and programs for three systems; 4,200 were planned.
  engine: 4500,
  // Four messengers with protocols of their own, each with pairing, limits and sessions.
  channels: 3600,
  // Definitions in two formats, scripts as tools, listeners, and stored copies of enabled files; 2,500 were planned.
  extensions: 3200,
  // OpenAPI 2 to 3.2 with references, parameters, bodies and sign-in; 2,500 were planned.
  openapi: 2800,
};

/** Most files, in percent of the product's, that exactly one other product file imports (25 were planned). */
const maxFilesWithOneUser = 43;
/** Most exports, in percent, whose name exactly one other product file contains (40 were planned). */
const maxExportsUsedOnce = 49;

const isProduct = (path) =>
  /\.tsx?$/.test(path) &&
  !/\.(?:test|laws)\.|(?:^|\/)(?:testing|fixtures|corpora|corpus)\/|\/test-[^/]*$|contract/.test(path);

const files = new Map(
  productFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => `${folder}/${path}`)
      .filter((path) => isProduct(path) && statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  ),
);
const share = (part, whole) => Math.round((part / whole) * 1000) / 10;

/** Returns the product file that `source` names in `importer`; undefined = none. */
function targetOf(source, importer) {
  const base = source.startsWith("@/") ? source.slice(2) : join(dirname(importer), source);
  return [base, `${base}.ts`, `${base}.tsx`].find((path) => files.has(path));
}

it("keeps every feature within its lines", () => {
  const counted = {};
  for (const [path, text] of files) {
    const name = /^server\/features\/([^/]+)\//.exec(path)?.[1];
    if (name !== undefined) counted[name] = (counted[name] ?? 0) + text.split("\n").length - 1;
  }
  const over = Object.entries(counted).filter(([name, lines]) => lines > (featureLines[name] ?? defaultLines));
  expect(over).toEqual([]);
  expect(Object.keys(featureLines).filter((name) => (counted[name] ?? 0) <= featureLines[name] * 0.9)).toEqual([]);
});

it("keeps files with a single user below their share", () => {
  const users = new Map();
  for (const [path, text] of files)
    for (const [, source] of text.matchAll(/(?:from\s+|import\(\s*)["']([.@][^"']*)["']/g)) {
      const target = targetOf(source, path);
      if (target !== undefined) users.set(target, (users.get(target) ?? new Set()).add(path));
    }
  const single = [...users.values()].filter(({ size }) => size === 1).length;
  expect(share(single, files.size)).toBeLessThanOrEqual(maxFilesWithOneUser);
});

it("keeps exports with a single user below their share", () => {
  const mentions = new Map();
  for (const text of files.values())
    for (const word of new Set(text.match(/\b[A-Za-z_$][\w$]*\b/g))) mentions.set(word, (mentions.get(word) ?? 0) + 1);
  const names = [...files.values()].flatMap((text) =>
    [
      ...text.matchAll(
        /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|type|class|enum|const|let|function\*?) (\w+)/gm,
      ),
    ].map(([, name]) => name),
  );
  const once = names.filter((name) => mentions.get(name) === 2).length;
  expect(share(once, names.length)).toBeLessThanOrEqual(maxExportsUsedOnce);
});
