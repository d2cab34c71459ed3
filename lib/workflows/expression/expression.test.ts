/** The expressions of workflows: what they compute, what they refuse, and that no value becomes code. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../events/content";
import { evaluateExpression } from "./evaluate-expression";
import { ExpressionError, parseWorkflowExpression } from "./parse-expression";
import { parseCondition, parseTemplate, renderJson, renderTemplate } from "./template";

const scope = {
  inputs: { branch: "main", count: 3, dry: false, words: "one\n two\n\nthree " },
  steps: {
    tests: { output: '{"failed": 2, "names": ["a", "b"]}', ok: false, exit: 1 },
    list: { output: "", outputs: { version: "1.2" } },
  },
} as const;

const compute = (text: string): Json => evaluateExpression(parseWorkflowExpression(text), scope);

describe("an expression", () => {
  test.each<readonly [string, Json]>([
    ["inputs.branch", "main"],
    ["steps.tests.exit == 1", true],
    ["inputs.branch == 'main' and not inputs.dry", true],
    ["inputs.dry or steps.tests.ok or false", false],
    ["not (inputs.count > 2) or steps.list.output", false],
    ["'10' > 9", true],
    ["'b' > 'a'", true],
    ["'1.10' == '1.1' or '0012' == '12'", false],
    ["'1.0' == 1", true],
    ["inputs.count >= 3 and inputs.count <= 3 and inputs.count != 4", true],
    ["json(steps.tests.output).failed", 2],
    ["json(steps.tests.output).names.1", "b"],
    ["json(inputs.branch)", null],
    ["lines(inputs.words)", ["one", "two", "three"]],
    ["length(lines(inputs.words))", 3],
    ["join(lines(inputs.words), ', ')", "one, two, three"],
    ["contains(inputs.words, 'two')", true],
    ["contains(lines(inputs.words), 'tw')", false],
    ["trim('  x\\n')", "x"],
    ["steps.list.outputs.version", "1.2"],
    ["steps.nothing.here", null],
    ["inputs.constructor", null],
    ["inputs.__proto__", null],
    ["json('{\"a\": 1}').__proto__", null],
    ["inputs.branch.length", null],
  ])("%s", (text, value) => {
    expect(compute(text)).toEqual(value);
  });

  test.each([
    ["", ""],
    ["inputs.", ""],
    ["1 +", "+"],
    ["'open", "'open"],
    ["process.exit(1)", "("],
    ["eval('1')", "eval"],
    ["lines()", ""],
    ["contains('a')", ""],
    ["a b", "b"],
    ["a = b", "= b"],
    ["a[0]", "[0]"],
    [`${"(".repeat(40)}1${")".repeat(40)}`, "("],
    [`${"not ".repeat(40)}true`, "not"],
    [`'${"x".repeat(1_200)}'`, "'xxxxxxxxxxxxxxxxxxx"],
  ])("%j is refused near %j", (text, near) => {
    expect(() => parseWorkflowExpression(text)).toThrow(ExpressionError);
    try {
      parseWorkflowExpression(text);
    } catch (error) {
      expect(error).toMatchObject({ near });
    }
  });

  test("of any text is read or refused, and never anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        try {
          parseWorkflowExpression(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });

  test("makes no long text out of short ones", () => {
    expect(() => compute(`join(lines('${"a\\n".repeat(200)}'), '${"x".repeat(500)}')`)).toThrow(ExpressionError);
  });
});

describe("a template", () => {
  test("takes values as they are: what they contain is never read again", () => {
    const hostile = { inputs: { x: "${{ steps.secret.output }} $(rm -rf ~) ${HOME}" } };
    expect(renderTemplate("<${{ inputs.x }}>", hostile)).toBe(`<${hostile.inputs.x}>`);
  });

  test("ends at the braces outside of a quoted text", () => {
    expect(renderTemplate("${{ '}}' }}-${{ \"it's\" }}", {})).toBe("}}-it's");
    expect(() => parseTemplate("a ${{ b")).toThrow(ExpressionError);
  });

  test("keeps the type of a value that is all of it, in every part of an object", () => {
    const value = {
      n: "${{ inputs.count }}",
      list: ["${{ lines(inputs.words) }}"],
      text: "n=${{ inputs.count }}",
      yes: true,
    };
    expect(renderJson(value, scope)).toEqual({ n: 3, list: [["one", "two", "three"]], text: "n=3", yes: true });
  });

  test("of a condition is one expression, with or without braces", () => {
    expect(parseCondition("${{ inputs.dry }}")).toEqual(parseCondition("inputs.dry"));
    expect(() => parseCondition("${{ inputs.dry }} x")).toThrow(ExpressionError);
  });
});
