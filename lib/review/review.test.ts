import { describe, expect, test } from "vitest";
import { runSteps } from "../async/steps";
import { addLaterChangesSteps } from "./later-changes";
import { computeBaselineSteps, type ReviewContent, type ReviewedStep } from "./baseline";
import { acceptHunksSteps, findReviewSteps, rejectHunksSteps } from "./review-hunks";

const write = (before: ReviewContent, after: ReviewContent | undefined): ReviewedStep => ({
  kind: "write",
  before,
  after,
});
const look = (steps: readonly ReviewedStep[], now: ReviewContent) => {
  const baseline = runSteps(computeBaselineSteps(steps, now));
  return { baseline, found: runSteps(findReviewSteps(baseline, now)) };
};
const numbered = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => `${name(index)}\n`).join("");

describe("what others did", () => {
  test("in place of the agent's line marks the hunk, which shows the text agreed to", () => {
    const { found } = look([write("a\nb\nc\n", "a\nB\nc\n")], "a\nmine\nc\n");
    expect(found?.hunks).toMatchObject([
      { collides: true, lines: [{}, { kind: "remove", text: "b" }, { kind: "add", text: "mine" }, {}] },
    ]);
  });

  test("in the agent's lines is shown from the agent's version on", () => {
    const written = "a\nB\nc\n";
    const now = "a\nmine\nc\n";
    const { found } = look([write("a\nb\nc\n", written)], now);
    const later = found === null ? null : runSteps(addLaterChangesSteps(found, written, now));
    expect(later?.hunks[0]?.later).toMatchObject([
      { lines: [{}, { kind: "remove", text: "B" }, { kind: "add", text: "mine" }, {}] },
    ]);
  });

  test("among the lines the agent added is no part of the review", () => {
    const { baseline, found } = look([write(null, "1\n2\n")], "1\nmine\n2\n");
    expect(baseline.content).toBe("mine\n");
    const all = (found?.hunks ?? []).map((_hunk, hunk) => ({ hunk }));
    expect(runSteps(rejectHunksSteps(baseline, "1\nmine\n2\n", found?.hunks ?? [], all))).toBe("mine\n");
  });

  test("to delete the file leaves nothing to decide", () => {
    expect(look([write("a\n", "b\n")], null).found).toBeNull();
  });
});

test("the change of a call that did not end counts as the agent's", () => {
  expect(look([write("a\n", undefined)], "a\nb\n").found?.hunks).toHaveLength(1);
});

test("a restore brings back the baseline of that time", () => {
  const steps: readonly ReviewedStep[] = [
    write("a\n", "a\n1\n"),
    write("a\n1\n", "a\n1\n2\n"),
    { kind: "restore", before: "a\n1\n2\n", after: "a\n1\n", to: 1 },
  ];
  expect(look(steps, "a\n1\n")).toMatchObject({ baseline: { content: "a\n" }, found: { added: 1 } });
  const undone: ReviewedStep = { kind: "restore", before: "a\n1\n", after: "a\n1\n2\n", to: 2 };
  expect(look([...steps, undone], "a\n1\n2\n")).toMatchObject({ baseline: { content: "a\n" }, found: { added: 2 } });
});

describe("single lines", () => {
  const before = "a\nb\nc\n";
  const now = "a\nB\nC\nc\n";
  const { baseline, found } = look([write(before, now)], now);
  const hunks = found?.hunks ?? [];

  test("are accepted into the baseline", () => {
    const chosen = [{ hunk: 0, lines: [2] }];
    expect(runSteps(acceptHunksSteps(baseline, now, hunks, chosen)).content).toBe("a\nb\nB\nc\n");
  });

  test("are taken out of the file", () => {
    expect(runSteps(rejectHunksSteps(baseline, now, hunks, [{ hunk: 0, lines: [1, 2] }]))).toBe("a\nb\nC\nc\n");
  });
});

describe("a file is decided as a whole", () => {
  test.each<[string, ReviewContent, ReviewContent, string]>([
    ["that is binary", { id: "1", why: "binary" }, { id: "2", why: "binary" }, "binary"],
    ["of more than 20,000 lines", "a\n", numbered(20_001, String), "too_large"],
    [
      "whose texts differ too much to compare",
      numbered(19_000, (index) => `${index % 50}`),
      numbered(19_000, (index) => `${(index * index) % 47}`),
      "too_large",
    ],
  ])("%s", (_name, before, after, whole) => {
    expect(look([write(before, after)], after).found).toMatchObject({ whole, hunks: [] });
  });
});

test("a file of 10,000 lines is reviewed in slices of some thousand lines", () => {
  const before = numbered(10_000, (index) => `line ${index}`);
  const after = numbered(10_000, (index) => (index % 10 === 0 ? `changed ${index}` : `line ${index}`));
  const now = after.replace("line 5001\n", "line 5001\nmine\n");
  let slices = 0;
  const steps = computeBaselineSteps([write(before, after)], now);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) slices += 1;
  const found = findReviewSteps(step.value, now);
  for (let next = found.next(); next.done !== true; next = found.next()) slices += 1;
  // Five texts are split, numbered and compared.
  expect((15 * 10_000) / slices).toBeLessThan(5_000);
});
