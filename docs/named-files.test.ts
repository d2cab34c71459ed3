/** The documents for contributors name files and symbols: each file exists, and each symbol is declared in its file. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = [
  "AGENTS.md",
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/glossary.md",
  "docs/node-versions.md",
  "docs/protocol.md",
  ...readdirSync(join(root, "docs/adr")).map((name) => `docs/adr/${name}`),
];

const pathPattern = "(?:lib|server|components|app|e2e|scripts|docs|bin|zh-CN)/[\\w.*/-]+";
/** `symbol` in `path`, or `symbol` (`path`). */
const symbolWithFile = new RegExp(`\`([\\w.]+)\`\\s(?:(?:in|of|from)\\s|\\()\`(${pathPattern})\``, "g");

/** `path`: a sentence with `symbol`. */
const fileWithSymbols = new RegExp(`\`(${pathPattern})\`: ((?:[^\`.]|\`(?!${pathPattern})[^\`]*\`)*)`, "g");

/** Pairs of a symbol and the file that the text names together with it. */
const findNamedSymbols = (prose: string): readonly (readonly [symbol: string, path: string])[] => [
  ...[...prose.matchAll(symbolWithFile)].map(([, symbol = "", path = ""]) => [symbol, path] as const),
  ...[...prose.matchAll(fileWithSymbols)].flatMap(([, path = "", sentence = ""]) =>
    [...sentence.matchAll(/`(\w+)`/g)].map(([, symbol = ""]) => [symbol, path] as const),
  ),
];

/** The text without examples in blocks. */
const readProse = (file: string): string => readFileSync(join(root, file), "utf8").replaceAll(/^```[^]*?^```$/gm, "");

/** A catalogue is named after its language, a module without its extension; of a pattern, the folder counts. */
const findNamed = (path: string): string | undefined => {
  const full = join(root, path.startsWith("zh-CN/") ? `components/messages/${path}` : path.replace(/\/[^/]*\*.*$/, ""));
  return [full, `${full}.ts`].find((file) => existsSync(file));
};

const sourceOf = (path: string): string => {
  const found = findNamed(path) ?? "";
  const files = statSync(found).isDirectory() ? readdirSync(found).map((name) => join(found, name)) : [found];
  return files.map((file) => (statSync(file).isFile() ? readFileSync(file, "utf8") : "")).join("\n");
};

const declares = (source: string, name: string): boolean =>
  new RegExp(`\\b(?:const|let|function|class|interface|type|get)\\s+${name}\\b|\\b${name}\\??\\s*[:(<=]`).test(source);

describe.each(documents)("%s", (document) => {
  const prose = readProse(document);

  test("names only files that exist", () => {
    const named = [...prose.matchAll(new RegExp(`\`(${pathPattern})\``, "g"))].map(([, path = ""]) => path);
    // Placeholders of the recipes.
    const real = named.filter((path) => !/NAME|\btool-name\b/.test(path));
    expect(real.length).toBeGreaterThan(0);
    expect(real.filter((path) => findNamed(path) === undefined)).toEqual([]);
  });

  test("names symbols with the file that declares them", () => {
    const missing = findNamedSymbols(prose).flatMap(([symbol, path]) => {
      if (/NAME/.test(path)) return [];
      const source = sourceOf(path);
      return symbol.split(".").every((name) => declares(source, name)) ? [] : [`${symbol} in ${path}`];
    });
    expect(missing).toEqual([]);
  });
});
