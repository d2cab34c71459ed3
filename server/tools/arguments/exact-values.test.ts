/** Arguments of another program in the wrong type: converted where nothing is lost, else answered with one sentence. */
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { parseExternalArguments } from "../toolbox/parse-external-arguments";
import { repairArguments } from "./repair-arguments";
import { readParameterShapes, type ToolArguments } from "./parameter-shapes";

const parse = (schema: Json, value: Json) =>
  parseExternalArguments(
    { name: "api__get", parameters: { type: "object", properties: { value: schema }, required: ["value"] } },
    { value },
  );

const integer = { type: "integer" };
const number = { type: "number" };
const text = { type: "string" };
const boolean = { type: "boolean" };
const list = (items: Json): Json => ({ type: "array", items });
const object = (schema: Json): Json => ({ type: "object", properties: { id: schema } });
const either = (...anyOf: readonly Json[]): Json => ({ anyOf });

/** As JSON.parse reads the digits: the last ones are lost. */
const long: Json = JSON.parse("12345678901234567890");

test.each<readonly [schema: Json, value: Json, exact: Json]>([
  [integer, "5", 5],
  [integer, "-5", -5],
  [integer, "9007199254740991", 9_007_199_254_740_991],
  [integer, "3 ", 3],
  [integer, "3.0", 3],
  [integer, "05", 5],
  [integer, "+5", 5],
  [integer, "1e3", 1_000],
  [integer, "-0", 0],
  [number, "0.5", 0.5],
  [number, "-3", -3],
  [number, "19.90", 19.9],
  [number, "0.50", 0.5],
  [number, "20.0", 20],
  [number, ".5", 0.5],
  [number, "1.", 1],
  [number, " 0.5", 0.5],
  [number, "-007.10", -7.1],
  [number, "1.9e27", 1.9e27],
  [number, "1e-7", 1e-7],
  [number, "10000000000000000000000", 1e22],
  // Other programs print more digits than are needed.
  [number, "0.10000000000000001", 0.1],
  [number, "0.30000000000000004", 0.1 + 0.2],
  [number, 3.7, 3.7],
  [number, 1e300, 1e300],
  [boolean, "true", true],
  [boolean, "False", false],
  [boolean, 1, true],
  [text, 5, "5"],
  [text, 9_007_199_254_740_991, "9007199254740991"],
  [text, true, "true"],
  [text, "12345678901234567890", "12345678901234567890"],
  [text, " 5 ", " 5 "],
  [text, ["one"], "one"],
  [{ enum: [1, 2] }, "2", 2],
  [{ enum: ["1", "2"] }, 2, "2"],
  [either(integer, { enum: ["all"] }), "5", 5],
  [either(integer, text), "5", "5"],
  [either(integer, number), "5", 5],
  [list(integer), ["1", 2], [1, 2]],
  [list(integer), "[1,2]", [1, 2]],
  [list(integer), "5", [5]],
  [list(text), "1.10", ["1.10"]],
  [list(text), "12345678901234567890", ["12345678901234567890"]],
  [list(text), '["12345678901234567890"]', ["12345678901234567890"]],
  [list(object(integer)), '{"id":"5"}', [{ id: 5 }]],
  [object(integer), { id: "5" }, { id: 5 }],
  [object(integer), { id: null }, {}],
  [object(text), '{"id":5}', { id: "5" }],
  [object(number), '{"id": 1.9e27}', { id: 1.9e27 }],
  [object({}), '{"id": 10000000000000000000000, "price": 19.90}', { id: 1e22, price: 19.9 }],
  [object({}), '{"id": "12345678901234567890", "a\\"": 1}', { id: "12345678901234567890", 'a"': 1 }],
  [list(number), "[0.30000000000000004,1e300]", [0.1 + 0.2, 1e300]],
])("%j takes %j as %j", (schema, value, exact) => {
  expect(parse(schema, value)).toMatchObject({ ok: true, input: { value: exact } });
});

describe("what would be changed is answered", () => {
  const lossy = [3.7, "3.7", "90 seconds", "5,0", "1e", "0x10", "5 5", "--5", "$5", "1_000", "٣", "", "many"];
  test.each([...lossy, "1e22", "3.00000000000000000001", "9007199254740993", "12345678901234567890", long, true, null])(
    "an integer from %j",
    (value) => {
      expect(parse(integer, value)).toMatchObject({ ok: false });
      expect(parse(list(integer), [value])).toMatchObject({ ok: false });
      expect(parse(list(object(integer)), [{ id: value ?? "x" }])).toMatchObject({ ok: value === "" });
    },
  );

  test.each([
    ...lossy.slice(2),
    ".",
    "Infinity",
    "NaN",
    "1e400",
    "1e-400",
    "9007199254740993",
    "12345678901234567890",
    true,
    null,
  ])("a number from %j", (value) => {
    expect(parse(number, value)).toMatchObject({ ok: false });
  });

  test.each(["", "maybe", "on", 2, -1, null])("a truth value from %j", (value) => {
    expect(parse(boolean, value)).toMatchObject({ ok: false });
  });

  test.each([long, 1.1, -0, 1e300, null, ["a", "b"], { a: 1 }])("a text from %j", (value) => {
    expect(parse(text, value)).toMatchObject({ ok: false });
    expect(parse(object(text), { id: value ?? 1.1 })).toMatchObject({ ok: false });
  });

  test.each<readonly [schema: Json, value: Json]>([
    // One branch reads it as true, the other one as 1.
    [either(boolean, integer), "1"],
    [either(integer, boolean), 3.7],
    [either(integer, text), 3.7],
    [{ enum: [1, 2] }, "1.0"],
    [{ enum: ["1", "2"] }, 1.5],
    [list(text), "[12345678901234567890]"],
    [list({}), "[12345678901234567890]"],
    [object(text), '{"id":12345678901234567890}'],
    [object({}), '{"other":{"id":12345678901234567890}}'],
    [object({}), '{"a\\"":"1","id":-9007199254740993}'],
    [number, `0.${"3".repeat(400)}`],
  ])("%j from %j", (schema, value) => {
    expect(parse(schema, value)).toMatchObject({ ok: false });
  });

  const call = 'Call it like this: toolbox {"tool":"api__get","input":{"value":';
  test.each<readonly [schema: Json, value: Json, sentence: string]>([
    [text, long, `must be text, not a number; give it as a string, in quotes. ${call}"..."}}`],
    [
      either(boolean, text),
      1.1,
      `must be true or false or text, not a number; give it as a string, in quotes. ${call}`,
    ],
    [integer, 3.7, `must be a whole number, not 3.7. ${call}<whole number>}}`],
    [
      integer,
      long,
      `must be a whole number, not 12345678901234567000, which is too large to be exact. ${call}<whole number>}}`,
    ],
    [integer, "90 seconds", `must be a whole number, not text. ${call}<whole number>}}`],
  ])("%j from %j in one sentence", (schema, value, sentence) => {
    const parsed = parse(schema, value);
    expect(parsed.ok ? "" : parsed.messageForModel).toContain(`"value" of api__get ${sentence}`);
  });

  test("the example keeps what was right and names the type of the rest", () => {
    const properties = {
      amount: number,
      to: text,
      count: integer,
      now: boolean,
      lines: list({ type: "object", properties: { price: number, note: text }, required: ["price"] }),
    };
    const parameters = { type: "object", properties, required: ["amount", "to", "now", "lines"] };
    const parseWith = (values: ToolArguments) => {
      const parsed = parseExternalArguments({ name: "pay", parameters }, values);
      return parsed.ok ? "" : parsed.messageForModel;
    };
    const values: ToolArguments = {
      amount: "20 EUR",
      to: "Ann",
      count: 7,
      lines: [{ price: "2.50" }, { price: "x", note: "n" }],
    };
    expect(parseWith({ ...values, other: "o" })).toBe(
      '"amount" of pay must be a number, not text. Call it like this: toolbox {"tool":"pay","input":{"amount":<number>,"to":"Ann","now":<true or false>,"lines":[{"price":2.5},{"price":<number>,"note":"n"}],"count":7,"other":"o"}}',
    );
    expect(parseWith({ ...values, to: "A".repeat(400) })).toContain(
      'toolbox {"tool":"pay","input":{"amount":<number>,"to":"...","now":<true or false>,"lines":[{"price":<number>}]}}',
    );
  });
});

describe("a built-in tool", () => {
  const shape = (name: string) => readParameterShapes({ properties: { [name]: text }, required: [name] });
  test.each<readonly [name: string, value: Json, result: Json]>([
    ["content", 3.7, "3.7"],
    ["content", 5, "5"],
    ["content", { id: 5 }, '{\n  "id": 5\n}\n'],
    ["content", long, long],
    ["content", { id: long }, { id: long }],
    ["content", { ids: [{ id: long }] }, { ids: [{ id: long }] }],
    ["old_string", long, long],
  ])("takes %s %j as %j: digits that are lost are not written", (name, value, result) => {
    expect(repairArguments({ [name]: value }, shape(name))?.values).toEqual({ [name]: result });
  });
});
