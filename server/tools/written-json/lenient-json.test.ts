import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeBoundedText, readValue } from "./lenient-json";

const read = (text: string) => readValue(makeBoundedText(text), 0);

describe("readValue", () => {
  test("of plain JSON returns what JSON.parse returns", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        // A number at the end of the text may be incomplete.
        expect(read(`${text}\n`)).toEqual({ kind: "value", value: JSON.parse(text), end: text.length, whole: true });
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["{'a': 'it''s'}", "broken"],
    ["{a: 1, 'b': True, \"c\": None,}", { a: 1, b: true, c: null }],
    ['{"a": "line\nbreak\tand tab"}', { a: "line\nbreak\tand tab" }],
    ['{"a": "\\d\\."}', { a: "\\d\\." }],
    ['{"a": "\\u00e9\\n"}', { a: "é\n" }],
    ['{"a": "\\u12"}', { a: "\\u12" }],
    ['{"a": r"\\n"}', { a: "\\n" }],
    ['{"a": f"{x}"}', "broken"],
    ["{a: `x ${y}`}", "broken"],
    ['{"a": """say "hi"\n"""}', { a: 'say "hi"\n' }],
    ['{"a": (1, 2)}', { a: [1, 2] }],
    ['{"a": 1_000, "b": -0.5e1, "c": .5}', { a: 1000, b: -5, c: 0.5 }],
    ['{"a": 1 "b": 2}', "broken"],
    ['{"a": b}', "broken"],
    ['{"a": NaN}', "broken"],
    ["{1: 2}", "broken"],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
  ])("accepts %s", (text, value) => {
    const found = read(text);
    expect(found.kind === "value" ? found.value : found.kind).toEqual(value);
  });

  test.each([
    ['"', '"'],
    ["'", "'"],
    ["`", "`"],
    ['"""', '"""'],
    ["'''", "'''"],
    ["“", "”"],
    ["‘", "’"],
  ])("reads escapes between %s and %s", (open, close) => {
    const text = `[${open}a\\n\\\\${close}]`;
    expect(read(text)).toEqual({ kind: "value", value: ["a\n\\"], end: text.length, whole: true });
  });

  test.each(["<escape>", '<|"|>'])("reads backslashes between two %s as written", (quote) => {
    const text = `[${quote}a\\n\\${quote}]`;
    expect(read(text)).toEqual({ kind: "value", value: ["a\\n\\"], end: text.length, whole: true });
  });

  test.each(['{"a": [1, {"b": "c"', '{"a": [1, {"b": "c"}', '{"a": [1, {"b": "c"}]'])(
    "lacks only closers: %s",
    (text) => {
      expect(read(text)).toMatchObject({ kind: "value", value: { a: [1, { b: "c" }] }, whole: false });
    },
  );

  test("reads the braces of a template as those of one object", () => {
    expect(read('{{"a": 1}} tail')).toEqual({ kind: "value", value: { a: 1 }, end: 10, whole: true });
    expect(read('[{{"a": {"b": 1} }}, {{}}, 2] tail')).toMatchObject({ value: [{ a: { b: 1 } }, {}, 2], end: 29 });
    expect(read('{{"a": 1}')).toMatchObject({ value: { a: 1 }, whole: false });
    expect(read('{{"a": 1} tail')).toMatchObject({ kind: "broken" });
    expect(read('{"a": 1, {"b": 2}}')).toMatchObject({ kind: "broken" });
  });

  test.each([
    '{"a',
    '{"a"',
    '{"a":',
    '{"a": "b',
    '{"a": 1',
    '{"a": tru',
    '{"a": "b",',
    "{",
    "[",
    '{"a": {',
    '{"a": [1,',
    "{'a': '''b''",
  ])("is cut inside: %s", (text) => expect(read(text)).toEqual({ kind: "cut" }));
});

test("many objects in doubled braces, one after another, are not nested", () => {
  const objects = Array.from({ length: 70 }, (_, index) => ({ index }));
  const text = `[${objects.map(({ index }) => `{{"index": ${index}}}`).join(", ")}]`;
  expect(read(text)).toMatchObject({ kind: "value", value: objects });
});

test("a value is charged to the budget of its source, and none is read without a budget", () => {
  const text = '{"path": "a.txt"}';
  const source = makeBoundedText(text);
  const before = source.budget;
  readValue(source, 0);
  expect(before - source.budget).toBeGreaterThanOrEqual(text.length);
  source.budget = 0;
  expect(readValue(source, 0).kind).toBe("broken");
});
