import { expect, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { makeSecretMask, maskPieceChars, maskSecrets, piecesOf } from "./mask-secrets";

test("pieces cover a text, overlap, and are no longer than the limit", () => {
  expect([...piecesOf(0, 5)]).toEqual([]);
  const length = maskPieceChars * 2 + 10;
  expect([...piecesOf(length, 20)]).toEqual([
    { from: 0, next: maskPieceChars, end: maskPieceChars + 20 },
    { from: maskPieceChars, next: maskPieceChars * 2, end: length },
    { from: maskPieceChars * 2, next: length, end: length },
  ]);
});

test("a long line is searched piece by piece", () => {
  const stepsFor = (pieces: number): number =>
    [...makeSecretMask(["hunter2-hunter2"])("x".repeat(maskPieceChars * pieces))].length;
  expect(stepsFor(40)).toBe(stepsFor(1) * 40);
  expect(stepsFor(1)).toBeGreaterThan(1);
});

const border = maskPieceChars;
const places = Array.from({ length: 60 }, (_, index) => border - 50 + index);

test.each([
  ["a secret", "hunter2-hunter2", ["hunter2-hunter2"], []],
  ["two that touch", "hunter2-hunter2other-secret-9", ["hunter2-hunter2", "other-secret-9"], []],
  ["two that overlap", "hunter2-hunter2-other-9", ["hunter2-hunter2", "hunter2-other-9"], []],
  ["the start of one", "hunter2-hunt", ["hunter2-hunter2"], []],
  ["the end of one", "ter2-hunter2", ["hunter2-hunter2"], []],
  ["a whole line", "a line of a longer value", [], ["a line of a longer value"]],
  ["a short key", " abc12 ", ["abc12"], []],
  ["a part of a word", " xabc12 abc12y ", ["abc12"], []],
  ["an encoded one", Buffer.from("hunter2-hunter2").toString("hex"), ["hunter2-hunter2"], []],
])("%s is masked alike wherever a piece ends", (_, text, secrets, whole) => {
  const mask = makeSecretMask(secrets, whole);
  const alone = runSteps(mask(`.${text}.`));
  for (const place of places) {
    const before = "-".repeat(place);
    expect(runSteps(mask(`${before}.${text}.`))).toBe(before + alone);
  }
});

test("a text without a secret is returned as it is", () => {
  const text = "x".repeat(maskPieceChars + 1);
  expect(maskSecrets(text, ["hunter2-hunter2"])).toBe(text);
});
