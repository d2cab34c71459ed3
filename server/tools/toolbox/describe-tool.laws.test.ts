import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { describeParameters, signatureOf } from "./describe-tool";
import { countPieceTokens } from "./line-tokens";
import { reduceSchema } from "./reduce-schema";

const texts = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("路径。", "ABC DEF", "1 2", "_"),
);
const members = fc.dictionary(
  texts,
  fc.record(
    { type: fc.constantFrom("string", "object", "array"), description: texts, enum: fc.array(texts, { maxLength: 9 }) },
    { requiredKeys: [] },
  ),
  { maxKeys: 40 },
);

test("a description is never longer than its limit, and its lines are those of the parameters", () => {
  fc.assert(
    fc.property(members, fc.integer({ min: 220, max: 600 }), (properties, maxTokens) => {
      const reduced = reduceSchema({ properties, required: Object.keys(properties).slice(0, 3) });
      if (!reduced.ok) return;
      const tool = { name: "source__tool", description: "", parameters: reduced.parameters };
      expect(signatureOf(tool).length).toBeLessThanOrEqual(200);
      const text = describeParameters(tool, maxTokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      expect(text.split("\n").length).toBeLessThanOrEqual(Object.keys(properties).length + 2);
    }),
    { numRuns: lawRuns(500) },
  );
});

test("the tokens of joined lines are at most the sum of theirs", () => {
  const line = fc.oneof(fc.string(), fc.string({ unit: "binary" }), texts).map((text) => `\n- ${text.trim()}`);
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const sum = lines.reduce((all, one) => all + countPieceTokens(one), 0);
      expect(estimateTokens(lines.join(""))).toBeLessThanOrEqual(Math.ceil(sum + 1e-6));
    }),
    { numRuns: lawRuns(2_000) },
  );
});
