import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { readParameterShapes } from "../arguments/parameter-shapes";
import { firstSentence } from "./foreign-text";
import { reduceSchema } from "./reduce-schema";

const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "d e");
const types = fc.constantFrom("string", "integer", "number", "boolean", "array", "object", "null", "file", 3, null);
const pointers = fc.constantFrom(
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/definitions/c",
  "#/properties/a",
  "other.json",
  "#x",
);
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom("One. Two.", "Reads e.g. this. And that.", "行。行", "a ".repeat(90)),
);

/** Schemas with every keyword in a right and in an odd form. */
const { schema } = fc.letrec<{ schema: unknown; members: unknown }>((tie) => {
  const schemas = fc.array(tie("schema"), { maxLength: 3 });
  const keywords = {
    type: fc.oneof(types, fc.array(types, { maxLength: 3 })),
    properties: tie("members"),
    required: fc.oneof(fc.array(names), fc.boolean()),
    items: fc.oneof(tie("schema"), schemas),
    prefixItems: schemas,
    enum: fc.array(fc.oneof(texts, fc.double(), fc.boolean(), fc.constant(null), fc.constant([])), { maxLength: 3 }),
    const: fc.jsonValue(),
    anyOf: schemas,
    oneOf: schemas,
    allOf: schemas,
    description: fc.oneof(texts, fc.integer()),
    nullable: fc.boolean(),
    $ref: pointers,
    $defs: tie("members"),
    definitions: tie("members"),
  };
  return {
    members: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.oneof(
        fc.boolean(),
        fc.constant({}),
        types.map((type) => ({ type })),
      ),
      fc.record(keywords, { requiredKeys: [] }),
      fc.record({ type: fc.constant("object"), properties: tie("members"), $defs: tie("members") }),
    ),
  };
});

test("any JSON is reduced to a readable schema, within the limits, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.oneof(schema, fc.jsonValue()), (one) => {
      const reduced = reduceSchema(one);
      if (!reduced.ok) expect(reduced.detail).toMatch(/^its definition has/);
      else {
        expect(() => readParameterShapes(reduced.parameters)).not.toThrow();
        expect(JSON.stringify(reduced.parameters).length).toBeLessThanOrEqual(66_000);
      }
    }),
    { numRuns: lawRuns(3_000) },
  );
});

test("a reduced schema is reduced to itself", () => {
  fc.assert(
    fc.property(schema, (one) => {
      const reduced = reduceSchema(one);
      if (reduced.ok) expect(reduceSchema(reduced.parameters)).toEqual(reduced);
    }),
    { numRuns: lawRuns(3_000) },
  );
});

test("the first sentence of a first sentence is the same, on one line, within its length", () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: "binary" })), fc.integer({ min: 4, max: 100 }), (text, maxChars) => {
      const sentence = firstSentence(text, maxChars);
      expect(firstSentence(sentence, maxChars)).toBe(sentence);
      expect(sentence.length).toBeLessThanOrEqual(maxChars);
      expect(sentence).not.toMatch(/[\n\r\p{Cc}]/u);
    }),
    { numRuns: lawRuns(2_000) },
  );
});
