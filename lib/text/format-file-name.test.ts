import fc from "fast-check";
import { expect, test } from "vitest";
import { formatFileName } from "./format-file-name";

test.each([
  ["a.ts", "a.ts"],
  ["My file (1).txt", "My file (1).txt"],
  ["报告.md", "报告.md"],
  ["a\nsecret.ts 12 B", '"a\\nsecret.ts 12 B"'],
  ["a\r\u001b[2K", '"a\\r\\u001b[2K"'],
  ["a\u2028b", '"a\\u2028b"'],
  ["a\u0085b", '"a\\u0085b"'],
  ["gnp\u202e.exe", '"gnp\\u202e.exe"'],
  ["  indented", '"  indented"'],
  ["... (3 more files)", '"... (3 more files)"'],
])("%j is shown as %s", (name, shown) => {
  expect(formatFileName(name)).toBe(shown);
});

test("any name gives one line, and a quoted name parses back to the name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const shown = formatFileName(name);
      expect(/[\p{Cc}\p{Zl}\p{Zp}]/u.test(shown)).toBe(false);
      expect(shown === name || JSON.parse(shown) === name).toBe(true);
    }),
  );
});
