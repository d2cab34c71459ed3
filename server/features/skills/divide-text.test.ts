/** Long and hostile texts in sections. */
import { expect, test } from "vitest";
import { cpuRatio } from "@/lib/testing/test-cpu";
import { runSteps } from "@/lib/async/steps";
import { divideText } from "./divide-text";

test("a text of very many headings keeps all its text, and has at most 1,000 of them", () => {
  const text = Array.from({ length: 3_000 }, (_, index) => `# Step ${index}`).join("\n");
  const sections = runSteps(divideText(text, 40));
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
    return () => expect(runSteps(divideText(text, 500)).length).toBeGreaterThan(0);
  };
  expect(cpuRatio(divide(24_000), divide(3_000), 32)).toBeLessThan(32);
});

test.each([
  ["short lines", "a"],
  ["line breaks", ""],
  ["headings", "# a"],
])("250 KB of %s are divided in many steps", (_what, line) => {
  const lines = Math.floor(250_000 / (line.length + 1));
  const steps = divideText(`start\n${`${line}\n`.repeat(lines)}end`, 500);
  let count = 0;
  while (steps.next().done !== true) count += 1;
  // Each line is read three times: to find the headings, to count the whole, and to fill the sections.
  expect(count).toBeGreaterThan((3 * lines) / 2_000);
});
