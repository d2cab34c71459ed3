/** The search for the lines most like a failed edit, and for placeholders: what they find, in slices of bounded length. */
import { expect, test } from "vitest";
import { finish, type Steps } from "@/lib/steps";
import { nearestLines } from "./nearest-lines";
import { newPlaceholder } from "./placeholder";

const lines = Array.from({ length: 60_000 }, (_, index) => `const value${index} = compute(${index});`);
const file = lines.join("\n");

const pausesOf = (steps: Steps<unknown>): number => {
  let pauses = 0;
  for (const _pause of steps) pauses += 1;
  return pauses;
};

test("the line with most of the words is quoted, wherever it stands", () => {
  for (const index of [0, 30_000, 59_999])
    expect(finish(nearestLines(file, `const value${index} = compile(${index});`))).toContain(
      `${index + 1}\t${lines[index]}`,
    );
});

test.each<[string, number, Steps<unknown>]>([
  ["the nearest lines, when many are alike", 5_000, nearestLines(file, "const value7 = compile(7);")],
  ["the nearest lines, when none is like it", 5_000, nearestLines(file, "something else")],
  ["placeholders of a file", 600, newPlaceholder(file, "// ... existing code ...")],
  ["placeholders of a new text", 600, newPlaceholder("", file)],
])("%s are looked for in slices of at most %i lines", (_what, most, steps) => {
  expect(lines.length / (pausesOf(steps) + 1)).toBeLessThan(most);
});
