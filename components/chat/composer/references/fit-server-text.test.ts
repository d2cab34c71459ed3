import { expect, test } from "vitest";
import { fitServerText } from "./fit-server-text";

const measuring = (tokens: number, maxTokens: number) => ({
  measure: async () => ({ maxTokens, sizes: [{ ok: true, tokens } as const] }),
});
const text = "one\ntwo\nthree\nfour\n";

test("a text of at most half the limit of a reference is whole", async () => {
  expect(await fitServerText(measuring(50, 100), text)).toEqual({ text, lines: null });
});

test("a longer one is cut at the end of a line, in proportion", async () => {
  expect(await fitServerText(measuring(100, 100), text)).toEqual({ text: "one\ntwo", lines: 2 });
  expect(await fitServerText(measuring(100, 100), "x".repeat(20))).toEqual({ text: "x".repeat(10), lines: 1 });
});

test("without a measure it is whole: the message is measured again when it is sent", async () => {
  expect(await fitServerText({ measure: async () => null }, text)).toEqual({ text, lines: null });
});
