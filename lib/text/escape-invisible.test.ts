import { describe, expect, test } from "vitest";
import { escapeInvisible } from "./escape-invisible";

describe("invisible characters are escaped", () => {
  const cases: readonly [name: string, text: string, shown: string][] = [
    ["plain text", "npm test -- a\tb\nc", "npm test -- a\tb\nc"],
    ["other scripts and pictures", "echo 你好 café 👩‍💻 ✌️", "echo 你好 café 👩‍💻 ✌️"],
    ["a colour sequence", "a\u001b[31mb", "a\\u{1b}[31mb"],
    ["a carriage return that would cover the line", "rm -rf /\rls", "rm -rf /\\u{d}ls"],
    ["a backspace", "rm\b\bls", "rm\\u{8}\\u{8}ls"],
    ["an eight-bit control sequence", "a\u009b31mb", "a\\u{9b}31mb"],
    ["an override of direction", "a\u202eb", "a\\u{202e}b"],
    ["an isolate", "a\u2066b", "a\\u{2066}b"],
    ["a character without width", "r\u200bm", "r\\u{200b}m"],
    ["a joiner outside a picture", "r\u200dm", "r\\u{200d}m"],
    ["a selector outside a picture", "r\ufe0fm\u034f", "r\\u{fe0f}m\\u{34f}"],
    ["a byte order mark", "\ufeffls", "\\u{feff}ls"],
    ["a special space", "a\u00a0b\u3000c", "a\\u{a0}b\\u{3000}c"],
    ["a filler that looks like a space", "a\u3164b\u2800c", "a\\u{3164}b\\u{2800}c"],
    ["a line separator", "a\u2028b", "a\\u{2028}b"],
    ["tags of the supplementary plane", "a\u{e0061}b", "a\\u{e0061}b"],
    ["half a surrogate pair", "a\ud800b", "a\\u{d800}b"],
  ];
  test.each(cases)("%s", (_name, text, shown) => {
    expect(escapeInvisible(text)).toBe(shown);
  });
});
