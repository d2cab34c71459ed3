import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { renderCatalogue } from "./catalogue-text";
import { makeTestCatalogue, type TestTool } from "./test-catalogue";

const texts = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "Reads a file. More.", "读取文件。", "12 34"),
);
const tools = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,30}$/),
    description: texts,
    isPinned: fc.boolean(),
    properties: fc.dictionary(
      fc.string({ maxLength: 12 }),
      fc.constantFrom<Json[]>({ type: "string" }, { enum: ["A", "b"] }, {}),
      {
        maxKeys: 6,
      },
    ),
    obstacle: fc.constantFrom<CatalogueTool["obstacle"][]>(null, null, null, { kind: "off" }),
  }),
  { maxLength: 12 },
);
const catalogues = fc
  .dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), fc.tuple(tools, texts), { maxKeys: 8 })
  .map(
    (sources): Catalogue =>
      makeTestCatalogue(
        Object.fromEntries(
          Object.entries(sources).map(([id, [all]]) => [
            id,
            all.map((one): TestTool => ({ ...one, name: `${id}__${one.name}` })),
          ]),
        ),
        Object.fromEntries(Object.entries(sources).map(([id, [, instructions]]) => [id, instructions])),
      ),
  );

const isUsed = (name: string): boolean => name.length % 3 === 0;

/** Names of the tools in a text, each as often as the catalogue has it. */
function shownNames(text: string, { tools: all }: Catalogue): readonly string[] {
  const words = new Set(text.split(/[\s,()]+/).map((word) => word.replace(/:$/, "")));
  return all.flatMap(({ name, obstacle }) => (obstacle === null && words.has(name) ? [name] : []));
}

test("the text is never longer than its limit, and the same each time", () => {
  fc.assert(
    fc.property(catalogues, fc.integer({ min: 0, max: 1_500 }), (catalogue, maxTokens) => {
      const text = renderCatalogue(catalogue, maxTokens, isUsed);
      expect(estimateTokens(text ?? "")).toBeLessThanOrEqual(maxTokens);
      expect(renderCatalogue(catalogue, maxTokens, isUsed)).toBe(text);
    }),
    { numRuns: lawRuns(1_000) },
  );
});

test("more room never shows fewer tools, and enough room shows all", () => {
  fc.assert(
    fc.property(catalogues, (catalogue) => {
      let before = 0;
      for (let maxTokens = 0; maxTokens < 400; maxTokens += 7) {
        const shown = shownNames(renderCatalogue(catalogue, maxTokens, isUsed) ?? "", catalogue).length;
        expect(shown).toBeGreaterThanOrEqual(before);
        before = shown;
      }
      const callable = catalogue.tools.flatMap(({ name, obstacle }) => (obstacle === null ? [name] : []));
      expect(shownNames(renderCatalogue(catalogue, 20_000, isUsed) ?? "", catalogue)).toEqual(callable);
    }),
    { numRuns: lawRuns(200) },
  );
});

test("a sentence is shown only if all names are", () => {
  fc.assert(
    fc.property(catalogues, fc.integer({ min: 0, max: 800 }), (catalogue, maxTokens) => {
      const text = renderCatalogue(catalogue, maxTokens, isUsed) ?? "";
      if (!text.includes("\n- ")) return;
      const callable = catalogue.tools.flatMap(({ name, obstacle }) => (obstacle === null ? [name] : []));
      expect(shownNames(text, catalogue)).toEqual(callable);
    }),
    { numRuns: lawRuns(1_000) },
  );
});
