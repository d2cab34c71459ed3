import { expect, test } from "vitest";
import { readJsonText } from "../written-json/read-written-input";
import { parseWrittenCall } from "./call-text";

test.each([
  ["x(a=1, b='two', c=\"three, four\")", { a: 1, b: "two", c: "three, four" }],
  ["x(a=plain words , b=True, c=None)", { a: "plain words", b: true, c: null }],
  ['x(a=1, b=[1, {"c": 2}] )', { a: 1, b: [1, { c: 2 }] }],
  ['x(a={"b": "c, d"},)', { a: { b: "c, d" } }],
  ["x(a=[,b=2)", { a: "[", b: 2 }],
  ["x(a=it's)", "a=it's"],
  ["x(a='b' c)", "a='b' c"],
  ["x(a=)", "a="],
])("the input of %s is %j", (text, input) => expect(parseWrittenCall(text)).toEqual({ name: "x", input }));

test("long texts are read", () => {
  const lines = "\n".repeat(100_000);
  expect(readJsonText(`\`\`\`${lines}x`)).toBeUndefined();
  expect(readJsonText(`\`\`\`${lines}{"a": 1}${lines}\`\`\``)).toEqual({ a: 1 });
  const open = "a=[,".repeat(25_000);
  expect(parseWrittenCall(`x(${open})`)).toEqual({ name: "x", input: open });
  expect(parseWrittenCall(`x(${open.slice(0, 2_000)})`)).toEqual({ name: "x", input: { a: "[" } });
  expect(parseWrittenCall(`x(${open}a=])`)).toEqual({ name: "x", input: { a: `${open.slice(2)}a=]` } });
  expect(parseWrittenCall(`x(${open}")`)).toEqual({ name: "x", input: `${open}"` });
  expect(parseWrittenCall(`x(a=${"b ".repeat(50_000)}")`)).toEqual({ name: "x", input: `a=${"b ".repeat(50_000)}"` });
  expect(parseWrittenCall(`x(a=1${" ".repeat(100_000)}b)`)).toEqual({
    name: "x",
    input: { a: `1${" ".repeat(100_000)}b` },
  });
});
