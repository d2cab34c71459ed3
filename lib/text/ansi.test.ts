import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAnsiStripper, stripAnsi } from "./ansi";

describe("a whole text", () => {
  test.each([
    ["plain text with tabs", "a\tb\nc", "a\tb\nc"],
    ["colours", "\x1b[1;31mred\x1b[0m \x1b[38;5;196mx\x1b[m", "red x"],
    ["cursor movement and erasing", "\x1b[2J\x1b[Hhome\x1b[K\x1b[?25l", "home"],
    ["a title ended by BEL", "\x1b]0;evil\x07shown", "shown"],
    ["a link ended by ST", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a clipboard write", "\x1b]52;c;cm0gLXJm\x07ok", "ok"],
    ["eight-bit sequences", "\x9b31mred\x9d0;t\x9cx\x90q\x9cy", "redxy"],
    ["a device string", "\x1bPq#0;2\x1b\\z", "z"],
    ["character sets and resets", "\x1b(B\x1b)0\x1bc\x1b7\x1b8\x1b=x", "x"],
    ["an unclosed title, which ends with its line", "\x1b]0;swallow\nnext", "\nnext"],
    ["an unfinished sequence at the end", "a\x1b[31", "a"],
    ["a sequence interrupted by a line end", "\x1b[31\nx", "\nx"],
    ["a sequence interrupted by another", "\x1b[3\x1b[31mx", "x"],
    ["NUL, bell and other controls", "a\0b\x07c\x7fd\x85e", "abcde"],
    ["Windows line ends", "a\r\nb\r\r\nc\r\n", "a\nb\nc\n"],
    ["a progress bar", "10%\r50%\r100%\ndone\n", "100%\ndone\n"],
    ["a progress bar without an end", "10%\r50%", "50%"],
    ["a carriage return before nothing", "kept\r", "kept"],
    ["overstrike and spinners", "N\bNA\bAME |\b/\b-", "NAME -"],
    ["a shorter line over a longer one", "secret value\rok", "okcret value"],
    ["a command hidden behind a return", "rm -rf /\rls", "ls -rf /"],
    ["a return, an erased line and a new one", "a long line\r\x1b[Kshort\n", "short\n"],
    ["a return, all erased", "a long line\x1b[2K\rshort\n", "short\n"],
    ["erased up to the cursor", "abcdef\x1b[3D\x1b[1Kx\n", "   xef\n"],
    ["erasing at the end of a line", "abc\x1b[K\n", "abc\n"],
    ["backspaces that only move", "abc\b\bX\n", "aXc\n"],
    ["backspaces at the end of a line", "abc\b\b\n", "abc\n"],
    ["backspace, blank, backspace", "abc\b \b\n", "ab \n"],
    ["more backspaces than characters", "ab\b\b\b\bX\n", "Xb\n"],
    ["the cursor by columns", "abcdef\x1b[2GX\x1b[2CY\n", "aXcdYf\n"],
    ["the cursor beyond the end", "ab\x1b[5GX\n", "ab  X\n"],
    ["characters deleted and blanked", "abcdef\r\x1b[2P\x1b[1XZ\n", "Zdef\n"],
    ["huge counts", "ab\x1b[99999999DX\x1b[99999999C\n", "Xb\n"],
    ["private and odd sequences", "ab\x1b[?2K\x1b[1;2Hc\n", "abc\n"],
    ["a return before each line end", "a\r\nbc\r\n", "a\nbc\n"],
    ["a backspace over a pair of surrogates", "a𝒳\bb", "ab"],
    ["two backspaces over a character of double width", "a😀\b\bbc", "abc"],
    ["one backspace into a character of double width", "a😀\bb", "a b"],
    ["a backspace at the start of a line", "a\n\bb", "a\nb"],
  ])("%s", (_name, input, expected) => {
    expect(stripAnsi(input)).toBe(expected);
  });
});

describe("in pieces", () => {
  const parts = [
    "a",
    "é😀",
    "\r",
    "\n",
    "\r\n",
    "\b",
    "\x1b",
    "[",
    "31m",
    "]0;t",
    "\x07",
    "\\",
    "\x9b",
    "\x9d",
    "(",
    "0",
    "[K",
    "[2D",
    "[1K",
  ];

  test("the result does not depend on how the input is split", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), { maxLength: 8 }), (pieces) => {
        const stripper = createAnsiStripper();
        const texts = pieces.map((piece) => piece.join(""));
        const streamed = texts.map((text) => stripper.push(text)).join("") + stripper.end();
        expect(streamed).toBe(stripAnsi(texts.join("")));
      }),
      { numRuns: 2_000 },
    );
  });

  test("the output has no control characters except tab and line feed", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, "\0", "\x1b]", "\x7f")), (pieces) => {
        expect(stripAnsi(pieces.join(""))).not.toMatch(/[^\P{Cc}\t\n]/u);
      }),
    );
  });

  test("flush emits a prompt, but not a line being redrawn", () => {
    const stripper = createAnsiStripper();
    expect(stripper.push("name? ")).toBe("");
    expect(stripper.flush()).toBe("name? ");
    expect(stripper.flush()).toBe("");
    expect(stripper.push("x\n10%\r20%")).toBe("x\n");
    expect(stripper.flush()).toBe("");
    expect(stripper.push("\r30%\n")).toBe("30%\n");
  });

  test("a redrawn line follows its flushed form on a new line", () => {
    const stripper = createAnsiStripper();
    stripper.push("0%");
    expect(stripper.flush()).toBe("0%");
    expect(stripper.push("\r50%\r100%\n")).toBe("\n100%\n");
  });

  test("a flushed line overwritten in part is emitted in full on the next line", () => {
    const stripper = createAnsiStripper();
    stripper.push("secret");
    expect(stripper.flush()).toBe("secret");
    expect(stripper.push("\rXY\n")).toBe("\nXYcret\n");
    stripper.push("abc");
    expect(stripper.flush()).toBe("abc");
    expect(stripper.push("def\bX\n")).toBe("deX\n");
  });

  test("a long line without an end is emitted immediately", () => {
    const stripper = createAnsiStripper();
    expect(stripper.push("x".repeat(100_000))).toHaveLength(100_000);
    expect(stripper.push("y\n")).toBe("y\n");
    expect(stripper.push(`${"x".repeat(100_000)}\r\n`)).toBe(`${"x".repeat(100_000)}\n`);
    expect(stripper.push(`${"x".repeat(100_000)}\rover\n`)).toBe(`${"x".repeat(100_000)}\nover\n`);
  });
});
