import { expect, test } from "vitest";
import { reversingRestores } from "./reversing-restores";

test.each([
  ["a restore undoes changes", [[9, 4]], []],
  [
    "one to the state before it reapplies them",
    [
      [9, 4],
      [12, 8],
    ],
    [12],
  ],
  [
    "one to another state undoes again",
    [
      [9, 4],
      [12, 7],
      [15, 9],
    ],
    [],
  ],
  [
    "reversing a reversal undoes again",
    [
      [9, 4],
      [12, 8],
      [15, 11],
    ],
    [12],
  ],
  [
    "an undo can be reversed once more",
    [
      [9, 4],
      [12, 8],
      [15, 11],
      [18, 14],
    ],
    [12, 18],
  ],
] as const)("%s", (_name, restores, reversing) => {
  expect([...reversingRestores(restores.map(([seq, toSeq]) => ({ seq, toSeq })))]).toEqual(reversing);
});
