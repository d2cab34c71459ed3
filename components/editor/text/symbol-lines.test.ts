import { describe, expect, test } from "vitest";
import { findSymbolLines } from "./symbol-lines";

const linesOf = async (path: string, text: string) =>
  (await findSymbolLines(path, text, new AbortController().signal)).map(
    ({ name, line, endLine }) => `${name} ${line}-${endLine}`,
  );

test.each<readonly [path: string, text: string, expected: readonly string[]]>([
  [
    "a.ts",
    `export const limit = 3;

/** Loads. */
export const load = async () => {
  return 1;
};
export class Stock {
  get(id: string) {
    return id;
  }

  /** Puts. */
  put() {}
}
// end
`,
    ["limit 1-1", "load 4-6", "Stock 7-14", "get 8-10", "put 13-13"],
  ],
  ["a.py", "class A:\n    def b(self):\n        return 1\n\n\ndef c():\n    pass\n", ["A 1-3", "b 2-3", "c 6-7"]],
  ["a.md", "# One\n\ntext\n\n## Two\nmore\n\n# Three\n", ["One 1-6", "Two 5-6", "Three 8-8"]],
  ["a.sh", "one() {\n  true\n}\n\ntwo() {\n  false\n}\n", ["one 1-3", "two 5-7"]],
  ["a.txt", "text", []],
])("%s", async (path, text, expected) => {
  expect(await linesOf(path, text)).toEqual(expected);
});

test("the symbols behind the part that is parsed first have their lines", async () => {
  const text = `${"// comment\n".repeat(2_000)}function last() {\n  return 1;\n}\n`;
  expect(await linesOf("a.js", text)).toEqual(["last 2001-2003"]);
});

describe("a text that takes long to parse", () => {
  const long = Array.from(
    { length: 12_000 },
    (_each, index) => `export const load${index} = async () => [${index}, "x"];\n`,
  );

  test("is parsed in slices, between which other work runs", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    const symbols = await findSymbolLines("a.ts", long.join(""), new AbortController().signal);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect(symbols.at(0)).toMatchObject({ name: "load0", line: 1, endLine: 1 });
  });

  test("is parsed no further after an abort", async () => {
    const stop = new AbortController();
    const found = findSymbolLines("a.ts", long.join(""), stop.signal);
    stop.abort(new Error("closed"));
    await expect(found).rejects.toThrow("closed");
  });
});
