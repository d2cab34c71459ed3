import { parseDocument } from "yaml";
import { expect, test } from "vitest";
import { cpuRatio } from "@/lib/testing/test-cpu";
import { parseYaml } from "./parse-yaml";

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

test("a value is parsed as the package parses it", () => {
  const text = "# first\na:\n  b: [1, two, {c: null}]\n  d: |\n    # text\n    - more\ne: &x 1\nf: *x\n";
  const { document, faults } = parseYaml(text);
  expect(faults).toEqual([]);
  expect(document?.toJS()).toEqual(parseDocument(text).toJS());
  expect(String(document)).toBe(String(parseDocument(text)));
  expect(parseYaml("").document?.toJS()).toBeNull();
});

test.each([
  ["a repeated key", "a: 1\nb: 2\na: 3\n", "DUPLICATE_KEY", 3],
  ["a repeated key that is quoted", "a: 1\n'a': 2\n", "DUPLICATE_KEY", 2],
  ["a repeated key in a list in a map", "a:\n  - b: 1\n    c: 2\n    b: 3\n", "DUPLICATE_KEY", 4],
  ["a repeated key in brackets", "x: {a: 1, a: 2}\n", "DUPLICATE_KEY", 1],
  ["a second document", "a: 1\n---\na: 2\n", "MULTIPLE_DOCS", 2],
  ["an open quotation mark", 'a: 1\nb: "c\n', "MISSING_CHAR", 3],
])("%s is a fault with its line", (_, text, code, line) => {
  const { faults } = parseYaml(text);
  expect(faults.map((one) => [one.code, one.line])).toEqual([[code, line]]);
});

test("keys of different types and the same key of different maps are no repetition", () => {
  expect(parseYaml("1: a\n'1': b\nc: {d: 1}\ne: {d: 1}\n").faults).toEqual([]);
});

const size = 262_144;
test.each([
  ["20,000 keys", repeat(20_000, (index) => `k${index}: ${index}\n`)],
  ["20,000 sections", repeat(20_000, (index) => `k${index}:\n  a: 1\n`)],
  ["20,000 keys in brackets", `{${repeat(20_000, (index) => `k${index}: 1,`)}}`],
  ["20,000 anchors", repeat(20_000, (index) => `- &a${index} 1\n`)],
  ["20,000 errors", repeat(20_000, (index) => `@a${index}: 1\n`)],
  ["broken escapes", `a: "${"\\q".repeat(size / 2)}"`],
  ["lines without text", "\n".repeat(size)],
  ["lists in lists", "- ".repeat(size / 2)],
  ["values in values", ": ".repeat(1_400)],
  ["values in keys", "? : ".repeat(700)],
  ["lists in brackets", "[".repeat(size)],
])("%s are refused at a part of the text", (_, text) => {
  const { document, faults } = parseYaml(text);
  expect(document).toBeNull();
  expect(faults.map(({ code }) => code)).toEqual(["TOO_COMPLEX"]);
});

test.each([
  ["one text of many lines", `a: |\n${"  word - [x]: 'y'\n".repeat(size / 20)}`],
  ["one quoted text of many lines", `a: "${"word\n  ".repeat(size / 10)}"`],
])("%s counts as one value", (_, text) => {
  expect(parseYaml(text).faults).toEqual([]);
});

test("the errors of a text are reported up to a number", () => {
  expect(parseYaml(`a: "${"\\q".repeat(4_000)}"`).faults).toHaveLength(100);
  expect(parseYaml(repeat(600, () => "a: 1\n")).faults).toHaveLength(100);
});

test("the lines of all keys of a map are found in linear time", () => {
  const findLines = (count: number) => () => {
    const { lineOf } = parseYaml(
      repeat(count, (index) => `k${index}: 1\n`),
      10 * count,
    );
    const lines = Array.from({ length: count }, (_, index) => lineOf([`k${index}`]));
    expect(lines.at(-1)).toBe(count);
  };
  expect(cpuRatio(findLines(4_000), findLines(500), 32)).toBeLessThan(32);
});
