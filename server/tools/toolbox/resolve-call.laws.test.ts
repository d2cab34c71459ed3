import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { resolveDirectCall } from "./find-tool";
import { resolveToolboxCall } from "./resolve-call";
import { commonCatalogue } from "./test-catalogue";

const words = fc.oneof(
  fc.constantFrom(
    "tool",
    "input",
    "name",
    "search",
    "arguments",
    "source",
    "toolbox",
    "github",
    "page",
    "__proto__",
    "x",
  ),
  fc.constantFrom(
    ...commonCatalogue.tools.map(({ name }) => name),
    "create_issue",
    "read",
    "list",
    "describe",
    "function",
  ),
);
const texts = fc.oneof(
  words,
  fc.string(),
  fc.tuple(words, fc.string()).map(([name, text]) => `${name}(${text})`),
);

/** JSON that resembles calls. */
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(words, tie("value"), { maxKeys: 4 }),
    tie("value").map((value) => JSON.stringify(value)),
  ),
}));

test("any input runs a tool that can be called, or has a short answer", () => {
  fc.assert(
    fc.property(json, (input) => {
      const resolved = resolveToolboxCall(input, commonCatalogue);
      if (resolved.kind === "run") expect(resolved.tool.obstacle).toBeNull();
      else {
        expect(resolved.text).not.toBe("");
        expect(estimateTokens(resolved.text)).toBeLessThanOrEqual(600);
      }
    }),
    { numRuns: lawRuns(3_000) },
  );
});

test("the exact name of each tool means the tool, whatever its input", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...commonCatalogue.tools),
      fc.dictionary(fc.constantFrom("a", "b"), json),
      (tool, input) => {
        expect(resolveDirectCall(tool.name, commonCatalogue)).toBe(tool);
        const resolved = resolveToolboxCall({ tool: tool.name, input }, commonCatalogue);
        if (resolved.kind === "run") expect(resolved).toEqual({ kind: "run", tool, input });
        else expect(resolved.text).toContain(tool.name);
      },
    ),
    { numRuns: lawRuns(500) },
  );
});
