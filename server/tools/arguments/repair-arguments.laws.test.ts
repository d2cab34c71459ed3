import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { lawRuns } from "@/lib/testing/law-runs";
import {
  acceptsValue,
  type ParameterShape,
  readParameterShapes,
  toParameterSchema,
  type ValueShape,
} from "./parameter-shapes";
import { repairArguments } from "./repair-arguments";

const words = fc.constantFrom("asc", "Desc", "none", "", "1", "3.5", " x ", "true", '{"a":1}', '["b"]', "'asc'");
const numbers = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0.5, -3.5, 1e21));
const names = fc.constantFrom("alpha", "betaGamma", "gamma_delta", "Order");

const { value: shapes } = fc.letrec<{ value: ValueShape; object: ValueShape }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<ValueShape[]>(
      { type: "string" },
      { type: "integer" },
      { type: "number" },
      { type: "boolean" },
      { type: "any" },
    ),
    fc
      .uniqueArray(fc.oneof(words, numbers), { minLength: 1, maxLength: 4 })
      .map((values): ValueShape => ({ type: "enum", values })),
    fc.array(tie("value"), { minLength: 1, maxLength: 3 }).map((branches): ValueShape => ({ type: "anyOf", branches })),
    tie("value").map((items): ValueShape => ({ type: "array", items })),
    tie("object"),
  ),
  object: fc.uniqueArray(fc.tuple(names, tie("value"), fc.boolean()), { maxLength: 3, selector: ([name]) => name }).map(
    (members): ValueShape => ({
      type: "object",
      properties: new Map(
        members.map(([name, shape, required]): [string, ParameterShape] => [name, { ...shape, required }]),
      ),
    }),
  ),
}));

/** A value that the shape accepts, with declared members only. */
function validValues(shape: ValueShape): fc.Arbitrary<Json> {
  switch (shape.type) {
    case "string":
      return words;
    case "integer":
      return fc.integer();
    case "number":
      return numbers;
    case "boolean":
      return fc.boolean();
    case "any":
      // Null is an absent argument.
      return json.filter((value) => value !== null);
    case "enum":
      return fc.constantFrom(...shape.values);
    case "anyOf":
      return fc.oneof(...shape.branches.map(validValues));
    case "array":
      return fc.array(validValues(shape.items), { maxLength: 3 });
    case "object": {
      const members = [...shape.properties];
      return fc.record(Object.fromEntries(members.map(([name, one]) => [name, validValues(one)])), {
        requiredKeys: members.flatMap(([name, one]) => (one.required ? [name] : [])),
      });
    }
  }
}

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(words, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
    tie("value").map((value) => JSON.stringify(value)),
  ),
})).value;

/** The value as the only argument of a call. */
const repair = (value: Json, shape: ValueShape): Json | undefined =>
  repairArguments({ value }, new Map([["value", { ...shape, required: true }]]))?.values.value;

test("a valid value is not changed", () => {
  const cases = shapes.chain((shape) => validValues(shape).map((value) => ({ shape, value })));
  fc.assert(
    fc.property(cases, ({ shape, value }) => {
      expect(acceptsValue(value, shape)).toBe(true);
      expect(repair(value, shape)).toEqual(value);
    }),
    { numRuns: lawRuns(1_000) },
  );
});

test("a repaired value is not changed by a second repair", () => {
  fc.assert(
    fc.property(shapes, json, (shape, value) => {
      const once = repair(value, shape);
      if (once !== undefined) expect(repair(once, shape)).toEqual(once);
    }),
    { numRuns: lawRuns(1_000) },
  );
});

test("the schema for the model is read as the same shapes", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const all = new Map([["value", { ...shape, required: true }]]);
      expect(readParameterShapes(toParameterSchema(all))).toEqual(all);
    }),
  );
});
