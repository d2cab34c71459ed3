import { describe, expect, test } from "vitest";
import { createAnsiStripper, stripAnsi } from "./ansi";

describe("an overwritten line equals the terminal's line", () => {
  test.each([
    ["两个字\b\b的", "两个的"],
    ["中文\rab", "ab文"],
    ["中文\ra", "a 文"],
    ["中文\rabc", "abc "],
    ["中\bX", " X"],
    ["ab\r中", "中"],
    ["abc\r中", "中c"],
    ["进度 10%\r进度 99%", "进度 99%"],
    ["进度 100%\r完成\x1b[K", "完成"],
    ["한국어\r\x1b[2C자", "한자어"],
    ["日本語\x1b[3GX", "日X 語"],
    ["日本語\x1b[2G\x1b[K", " "],
    ["日本語\r\x1b[P", " 本語"],
    ["日本語\r\x1b[2P", "本語"],
    ["日本語\r\x1b[X", "  本語"],
    ["日本\b\x1b[1Kx", "   x"],
    ["😀ok\r\x1b[2C!", "😀!k"],
    ["😀\b\b:)", ":)"],
    ["é\bx", "x"],
    ["e\u0301a\rx", "xa"],
    ["ae\u0301\bx", "ax"],
    ["ＡＢ\rab", "abＢ"],
    ["❤\ufe0f\rx", "x"],
  ])("%j reads %j", (written, shown) => {
    expect(stripAnsi(`${written}\n`)).toBe(`${shown}\n`);
  });

  test.each(["中文\rab文", "😀ok\r\x1b[2C!", "e\u0301a\rx", "日本語\x1b[3GX"])(
    "%j reads the same in parts",
    (written) => {
      const stripper = createAnsiStripper();
      expect([...written].map((piece) => stripper.push(piece)).join("") + stripper.end()).toBe(stripAnsi(written));
    },
  );

  test("the combining marks of a cell are limited", () => {
    expect(stripAnsi(`a\rb${"\u0301".repeat(100_000)}\n`).length).toBeLessThan(200);
  });
});
