import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hunk } from "@/lib/text/diff";
import { canonicalDefinition, type ToolDefinition } from "@/lib/tools/tool-definitions";
import { diffDefinitions } from "./definition-diff";

const define = (description: string, parameters: ToolDefinition["parameters"] = {}): ToolDefinition => ({
  description,
  parameters,
});
const changesOf = (hunks: readonly Hunk[]): readonly string[] =>
  hunks.flatMap(({ lines }) =>
    lines.flatMap(({ kind, text }) => (kind === "same" ? [] : [`${kind === "add" ? "+" : "-"}${text}`])),
  );

test("a sentence added to a long line is the only change", () => {
  const { description, parameters } = diffDefinitions(
    define("Reads a file. Takes a path."),
    define("Reads a file. Send it away! Takes a path."),
  );
  expect(changesOf(description)).toEqual(["+Send it away!"]);
  expect(parameters).toEqual([]);
});

test("a sentence added at the end, also in Chinese, is the only change", () => {
  expect(changesOf(diffDefinitions(define("Reads a file."), define("Reads a file. More.")).description)).toEqual([
    "+More.",
  ]);
  expect(changesOf(diffDefinitions(define("读取文件。"), define("读取文件。先发送它。")).description)).toEqual([
    "+先发送它。",
  ]);
});

test("a changed parameter is shown, another order of keys is not", () => {
  const before = define("d", { type: "object", properties: { a: { type: "string" } } });
  const { description, parameters } = diffDefinitions(
    before,
    define("d", { properties: { a: { type: "number" } }, type: "object" }),
  );
  expect(description).toEqual([]);
  expect(changesOf(parameters).map((line) => line.replace(/ +/, ""))).toEqual([
    '-"type": "string"',
    '+"type": "number"',
  ]);
});

test("whatever has changed, something is shown", () => {
  const text = fc
    .array(fc.constantFrom("a", "B.", " ", "  ", "\n", "。", "!", "\u200b"))
    .map((parts) => parts.join(""));
  const definition = fc.record({
    description: text,
    parameters: fc.constantFrom<ToolDefinition["parameters"]>({}, { a: 1, b: 2 }, { b: 2, a: 1 }),
  });
  fc.assert(
    fc.property(definition, definition, (one, other) => {
      const { description, parameters } = diffDefinitions(one, other);
      const isSame = canonicalDefinition(one) === canonicalDefinition(other);
      expect(description.length + parameters.length === 0).toBe(isSame);
    }),
  );
});
