/** Similar lines of a failed edit and placeholders: results, and bounded work between two yields. */
import { expect, test } from "vitest";
import { runSteps, type Steps } from "@/lib/async/steps";
import { formatNearestLines } from "./nearest-lines";
import { findNewPlaceholder } from "../change/placeholder";

const lines = Array.from({ length: 60_000 }, (_, index) => `const value${index} = compute(${index});`);
const file = lines.join("\n");

const countYields = (steps: Steps<unknown>): number => {
  let pauses = 0;
  for (const _pause of steps) pauses += 1;
  return pauses;
};

test("quotes the line with most of the words, at any position", () => {
  for (const index of [0, 30_000, 59_999])
    expect(runSteps(formatNearestLines(file, `const value${index} = compile(${index});`))).toContain(
      `${index + 1}\t${lines[index]}`,
    );
});

test.each<[string, number, Steps<unknown>]>([
  ["the nearest lines of many similar ones", 5_000, formatNearestLines(file, "const value7 = compile(7);")],
  ["the nearest lines without a similar one", 5_000, formatNearestLines(file, "something else")],
  ["placeholders of a file", 600, findNewPlaceholder(file, "// ... existing code ...")],
  ["placeholders of a new text", 600, findNewPlaceholder("", file)],
])("%s are looked for in slices of at most %i lines", (_what, most, steps) => {
  expect(lines.length / (countYields(steps) + 1)).toBeLessThan(most);
});
