import fc from "fast-check";
import { expect, test } from "vitest";
import { sortMembers, toSortedJson } from "./sorted-json";

const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "2", "10", "1", "b", "a"));
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** The members of all objects in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

test("the order of members makes no other text, and nothing is lost", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(toSortedJson(reversed(value))).toBe(toSortedJson(value));
      expect(JSON.parse(toSortedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("names are ordered by their UTF-16 units; numbers come first", () => {
  expect(toSortedJson({ b: 1, "10": 2, a: [{ d: 1, c: "x" }, null], "9": true })).toBe(
    '{"9":true,"10":2,"a":[{"c":"x","d":1},null],"b":1}',
  );
});

test("a copy that is there already is used", () => {
  const part = { b: 1, a: 2 };
  const copy = sortMembers(part);
  const sorted = sortMembers({ z: part, y: [part] }, (one) => (one === part ? copy : undefined));
  expect(JSON.stringify(sorted)).toBe('{"y":[{"a":2,"b":1}],"z":{"a":2,"b":1}}');
});
