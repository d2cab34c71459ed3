import { describe, expect, test } from "vitest";
import { countHidden, splitHidden } from "./hidden-characters";

const marked = (text: string): string =>
  splitHidden(text)
    .map((part) => (part.kind === "text" ? part.text : `[${part.kind} ${part.name}]`))
    .join("");

describe("splitHidden", () => {
  test.each([
    ["a carriage return without a line feed", "safe\rrm -rf x", "safe[control CR]rm -rf x"],
    ["an escape sequence", "a\u001b[2Kb", "a[control ESC][2Kb"],
    ["a null", "a\u0000b", "a[control NUL]b"],
    ["a C1 control", "a\u009bb", "a[control U+009B]b"],
    ["delete", "a\u007fb", "a[control DEL]b"],
    ["backspaces", "rm\b\bls", "rm[control BS][control BS]ls"],
    ["a bidirectional override", "x\u202etxt.exe", "x[bidi RLO]txt.exe"],
    ["isolates", "\u2066a\u2069", "[bidi LRI]a[bidi PDI]"],
    ["a zero-width space", "r\u200bm", "r[invisible ZWSP]m"],
    ["a byte order mark", "\ufeffls", "[invisible BOM]ls"],
    ["a soft hyphen", "a\u00adb", "a[invisible SHY]b"],
    ["a no-break space", "ls\u00a0-l", "ls[invisible NBSP]-l"],
    ["an ideographic space", "ls\u3000-l", "ls[invisible U+3000]-l"],
    ["a Hangul filler", "a\u3164b", "a[invisible U+3164]b"],
    ["tag letters", "a\u{e0041}b", "a[invisible U+E0041]b"],
    ["a variation selector", "a\ufe00b", "a[invisible U+FE00]b"],
    ["an empty Braille cell", "a\u2800b", "a[invisible U+2800]b"],
    ["private use", "a\ue000b", "a[invisible U+E000]b"],
    ["a lone surrogate", "a\ud800b", "a[control U+D800]b"],
    ["a line separator", "a\u2028b", "a[invisible LS]b"],
  ])("%s is marked", (_, text, expected) => expect(marked(text)).toBe(expected));

  test.each([
    ["a tab and a line feed", "a\tb\nc"],
    ["Chinese", "修复，运行测试。"],
    ["emoji with joiners", "👩‍💻 ❤️ 1️⃣ 👍🏽"],
    ["accents", "e\u0301 über"],
    ["Arabic", "سلام"],
  ])("%s is not marked", (_, text) => expect(marked(text)).toBe(text));

  test("a joiner outside an emoji is marked", () => expect(marked("a\u200db")).toBe("a[invisible ZWJ]b"));

  test("the parts joined equal the text", () => {
    const text = "a\u202e\u0000b\r\n\u{e0041}👩‍💻\ud800";
    expect(
      splitHidden(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
    expect(countHidden(text)).toBe(5);
  });
});
