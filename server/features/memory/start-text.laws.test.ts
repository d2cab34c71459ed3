/** The memory text of a session is within its share at every window, whatever the files contain. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { ownerFileNames } from "@/lib/tools/memory";
import { memoryShare, type MemoryPart, renderNotes, renderOwner } from "./start-text";

const line = fc.oneof(
  fc.constantFrom("- 2026-11-25 The tests need Docker.", "用户喜欢简短的回答。", "", "# Heading", "x".repeat(2_000)),
  fc.string({ maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const text = fc.array(line, { maxLength: 120 }).map((lines) => lines.join("\n"));
const part = (name: string): fc.Arbitrary<MemoryPart> =>
  fc.record({ name: fc.constant(name), text, isCut: fc.boolean() });

test("both texts together are within the share", () => {
  const owner = fc.tuple(...ownerFileNames.map(part));
  const notes = fc.record({
    project: part("projects/p/MEMORY.md"),
    general: part("MEMORY.md"),
    days: fc.array(part("2026-11-25.md"), { maxLength: 3 }),
  });
  const windows = fc.constantFrom(2_048, 4_096, 8_192, 8_193, 16_384, 32_768, 131_072);
  fc.assert(
    fc.property(owner, notes, windows, (files, stored, window) => {
      const first = renderOwner(files, window);
      const memory = renderNotes(stored, window, first);
      const tokens = (first === null ? 0 : estimateTokens(first)) + (memory === null ? 0 : estimateTokens(memory));
      expect(tokens).toBeLessThanOrEqual(memoryShare(window));
      expect(`${first ?? ""}${memory ?? ""}`).not.toMatch(/<\/?context/i);
    }),
    { numRuns: lawRuns(300) },
  );
});
