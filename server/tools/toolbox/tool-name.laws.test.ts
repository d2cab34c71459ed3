import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { nameTools, toSourceId } from "./tool-name";

const names = fc.oneof(
  fc.string({ maxLength: 90 }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("a.b", "a/b", "a b", "a_b", "", "..", "读", "写", "x".repeat(70), `${"x".repeat(70)}y`),
);

test("names of different tools are different, short, and the same in any order", () => {
  fc.assert(
    fc.property(names, fc.uniqueArray(names, { maxLength: 8 }), (server, tools) => {
      const source = toSourceId(server);
      expect(source).toMatch(/^(?!.*__)[a-z0-9-][a-z0-9_-]{0,23}$/);
      const found = nameTools(source, tools);
      expect(new Set(found).size).toBe(tools.length);
      for (const name of found) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(name.startsWith(`${source}__`)).toBe(true);
      }
      expect(nameTools(source, tools.toReversed()).toReversed()).toEqual(found);
    }),
    { numRuns: lawRuns(2_000) },
  );
});
