/** Long and hostile texts in sections. */
import { expect, test } from "vitest";
import { cpuRatio } from "@/lib/testing/test-cpu";
import { divideText } from "./divide-text";

test("a text of very many headings keeps all its text, and has at most 1,000 of them", () => {
  const text = Array.from({ length: 3_000 }, (_, index) => `# Step ${index}`).join("\n");
  const sections = divideText(text, 40);
  expect(sections.map((section) => section.text).join("\n")).toBe(text);
  expect(sections.some(({ title }) => title === "Step 998")).toBe(true);
  expect(sections.some(({ title }) => title === "Step 2000")).toBe(false);
});

test.each([
  ["headings", "# a\n## b\n"],
  ["short lines", "a\n"],
  ["one line", "a "],
])("%s are divided in linear time", (_what, piece) => {
  const divide = (count: number) => {
    const text = piece.repeat(count);
    return () => expect(divideText(text, 500).length).toBeGreaterThan(0);
  };
  expect(cpuRatio(divide(24_000), divide(3_000), 32)).toBeLessThan(32);
});
