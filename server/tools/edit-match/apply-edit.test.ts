import { describe, expect, test } from "vitest";
import type { ErrorCode } from "@/lib/events/error";
import { applyEdit } from "./apply-edit";

type Loose = "endings" | "quotes" | "indent" | undefined;

const edited = (file: string, oldText: string, newText: string, replaceAll = false) =>
  applyEdit(file, { oldText, newText, replaceAll }, "\n");

describe("edits that match", () => {
  test.each<[name: string, file: string, oldText: string, newText: string, after: string, loose: Loose]>([
    // Exact.
    ["replaces one word", "a b c\n", "b", "x", "a x c\n", undefined],
    ["replaces several lines", "1\n2\n3\n4\n", "2\n3\n", "x\n", "1\nx\n4\n", undefined],
    ["removes lines", "1\n2\n3\n", "2\n", "", "1\n3\n", undefined],
    ["inserts after a line", "1\n2\n", "1\n", "1\nx\n", "1\nx\n2\n", undefined],
    ["fills an empty file", "", "", "a\n", "a\n", undefined],
    ["takes $ and & as they are", "price\n", "price", "$& $1 $$", "$& $1 $$\n", undefined],
    ["takes regex signs as they are", "f(a.*b)\n", "(a.*b)", "[x]", "f[x]\n", undefined],
    ["keeps a missing final newline", "a\nb", "b", "c", "a\nc", undefined],
    [
      "prefers the exact place to a loose one",
      'say \u201chi\u201d\nsay "hi"\n',
      'say "hi"',
      "bye",
      "say \u201chi\u201d\nbye\n",
      undefined,
    ],
    ["works on Chinese", "模型没有回答\n", "没有", "已经", "模型已经回答\n", undefined],
    ["works beside emoji", "a 😀 b\n", "😀", "🚀", "a 🚀 b\n", undefined],
    ["changes indentation by an exact edit", "  a\n", "  a", "    a", "    a\n", undefined],
    // Line breaks: invisible to the model.
    ["finds several lines in a file with CRLF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n", undefined],
    ["gives new lines the file's CRLF", "a\r\nb\r\n", "a", "a\nx", "a\r\nx\r\nb\r\n", undefined],
    ["gives new lines the file's LF", "a\nb\n", "a", "a\r\nx", "a\nx\nb\n", undefined],
    ["finds CRLF in a file with LF", "a\nb\nc\n", "a\r\nb", "x", "x\nc\n", undefined],
    ["keeps the line ends of a mixed file", "a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\n", undefined],
    ["a surplus final newline matches the end of the file", "a\nlast", "last\n", "new\n", "a\nnew", undefined],
    // Line ends.
    ["ignores spaces at line ends of the file", "a  \nb\n", "a\nb", "a\nx", "a  \nx\n", "endings"],
    ["ignores spaces at line ends of old_string", "a\nb\n", "a  \nb", "x\ny", "x\ny\n", "endings"],
    ["ignores a tab at a line end", "if x:\t\n  y\n", "if x:\n  y", "if z:\n  y", "if z:\t\n  y\n", "endings"],
    ["ignores spaces on empty lines", "a\n   \nb\n", "a\n\nb", "a\n\nc", "a\n   \nc\n", "endings"],
    ["ignores spaces and CRLF together", "a \r\nb\r\n", "a\nb", "a\nc", "a \r\nc\r\n", "endings"],
    // Quotes and dashes.
    [
      "ignores curly double quotes and preserves them",
      "say \u201chi\u201d now\n",
      'say "hi" now',
      'say "hi" then',
      "say \u201chi\u201d then\n",
      "quotes",
    ],
    ["ignores a curly apostrophe", "it\u2019s fine\n", "it's fine", "it's good", "it\u2019s good\n", "quotes"],
    ["ignores an en dash", "1\u20132 days\n", "1-2 days", "1-2 weeks", "1\u20132 weeks\n", "quotes"],
    ["ignores a no-break space", "10\u00a0km\n", "10 km", "10 miles", "10\u00a0miles\n", "quotes"],
    ["ignores curly quotes in old_string", 'a = "x"\n', "a = \u201cx\u201d", 'a = "y"', 'a = "y"\n', "quotes"],
    // Indentation.
    [
      "shifts two spaces to four",
      "    a {\n      b\n    }\n",
      "  a {\n    b\n  }",
      "  a {\n    c\n  }",
      "    a {\n      c\n    }\n",
      "indent",
    ],
    [
      "reads levels of 2 as levels of 4",
      "f\n    a\n        b\n",
      "  a\n    b\n",
      "  a\n    c\n",
      "f\n    a\n        c\n",
      "indent",
    ],
    [
      "reads levels of 4 as levels of 2",
      "f\n  a\n    b\n",
      "    a\n        b",
      "    a\n        c",
      "f\n  a\n    c\n",
      "indent",
    ],
    ["reads levels of 4 as tabs", "\ta\n\t\tb\n", "    a\n        b", "    a\n        c", "\ta\n\t\tc\n", "indent"],
    [
      "keeps spaces at the ends of its own lines",
      "a  \nb  \nc\n",
      "a\nb\n",
      "a\nx\nb\n",
      "a  \nx\nb  \nc\n",
      "endings",
    ],
    ["shifts from none", "    a\n    b\n", "a\nb\n", "a\nx\nb\n", "    a\n    x\n    b\n", "indent"],
    ["shifts back to less", "a\n  b\n", "    a\n      b", "    a\n      c", "a\n  c\n", "indent"],
    [
      "turns four spaces into tabs",
      "\tif (x) {\n\t\ty();\n\t}\n",
      "    if (x) {\n        y();\n    }",
      "    if (x) {\n        z();\n        w();\n    }",
      "\tif (x) {\n\t\tz();\n\t\tw();\n\t}\n",
      "indent",
    ],
    [
      "turns two spaces into tabs",
      "\ta\n\t\tb\n\t\t\tc\n",
      "  a\n    b\n      c",
      "  a\n    b\n      d",
      "\ta\n\t\tb\n\t\t\td\n",
      "indent",
    ],
    [
      "turns tabs into four spaces",
      "    a\n        b\n",
      "\ta\n\t\tb",
      "\ta\n\t\t\tx\n\t\tb",
      "    a\n            x\n        b\n",
      "indent",
    ],
    ["shifts and keeps empty lines empty", "    a\n\n    b\n", "a\n\nb", "a\n\nc", "    a\n\n    c\n", "indent"],
    ["shifts in a file with CRLF", "  a\r\n  b\r\n", "a\nb", "a\nc", "  a\r\n  c\r\n", "indent"],
    [
      "shifts with curly quotes in the file",
      "    say(\u2018a\u2019)\n    b\n",
      "say('a')\nb",
      "say('a')\nc",
      "    say(\u2018a\u2019)\n    c\n",
      "indent",
    ],
    [
      "picks the only match with a uniform shift",
      "  a\n    b\n\n  a\n  b\n",
      "    a\n      b\n",
      "    x\n      b\n",
      "  x\n    b\n\n  a\n  b\n",
      "indent",
    ],
  ])("%s", (_, file, oldText, newText, after, loose) => {
    expect(edited(file, oldText, newText)).toEqual({
      ok: true,
      text: after,
      places: 1,
      loose,
    });
  });

  test.each<[string, string, string, string, string, number]>([
    ["every match", "a b a\n", "a", "x", "x b x\n", 2],
    ["replacements that contain the old text", "a a\n", "a", "aa", "aa aa\n", 2],
    ["matches of several lines in a file with CRLF", "a\r\nb\r\na\r\nb\r\n", "a\nb\n", "x\n", "x\r\nx\r\n", 2],
    ["adjacent matches", "aaaa\n", "aa", "b", "bb\n", 2],
  ])("replace_all changes %s", (_, file, oldText, newText, after, places) => {
    expect(edited(file, oldText, newText, true)).toEqual({ ok: true, text: after, places });
  });
});

describe("refused edits", () => {
  test.each<
    [name: string, code: ErrorCode, says: string, file: string, oldText: string, newText: string, replaceAll?: boolean]
  >([
    ["for two matches", "ambiguous", "fits 2 places (lines 1 and 3)", "a\nb\na\n", "a", "x"],
    ["for many matches", "ambiguous", "fits 8 places (lines 1, 2, 3, 4, 5, 6 and more)", "a\n".repeat(8), "a", "x"],
    ["for overlapping matches", "ambiguous", "fits 2 places", "aaa\n", "aa", "b"],
    [
      "for two matches that ignore spaces at line ends",
      "ambiguous",
      "fits 2 places (lines 1 and 3)",
      "a \nb\na  \nb\n",
      "a\nb",
      "x",
    ],
    ["for two matches by indentation", "ambiguous", "fits 2 places (lines 1 and 3)", "  a\n\n    a\n", "\ta\n", "x"],
    [
      "for replace_all with two loose matches",
      "ambiguous",
      "fits 2 places",
      "\u201ca\u201d\n\u201ca\u201d\n",
      '"a"',
      "b",
      true,
    ],
    ["when a word differs", "no_match", "1\tconst total = 1;", "const total = 1;\n", "const sum = 1;", "x"],
    ["when one line of a block differs", "no_match", "2\tb = 3", "a = 1\nb = 3\nc = 4\n", "a = 1\nb = 2\nc = 4", "x"],
    ["when only letter case differs", "no_match", "Total", "Total = 1;\n", "total = 1;", "x"],
    ["when spaces inside a line differ", "no_match", "a  = 1", "a  = 1\n", "a = 1", "x"],
    ["when a line is missing between", "no_match", "was not found", "a\nx\nb\n", "a\nb", "y"],
    ["when the indentation is shifted unevenly", "no_match", "was not found", "  a\n      b\n", "a\n  b\n", "x"],
    ["when spaces cannot all become tabs", "no_match", "was not found", "\ta\n\t\t\tb\n", "    a\n        b\n", "x"],
    ["when a new line cannot be shifted back", "no_match", "was not found", "a\n  b\n", "    a\n      b", "    a\n  b"],
    [
      "when a loose match would begin inside a word",
      "no_match",
      "was not found",
      "don\u2019t xit\u2019s\n",
      "it's",
      "x",
    ],
    ["when it has line numbers", "no_match", "Leave the line numbers out", "const a = 1;\n", "1\tconst b = 1;", "x"],
    [
      "when no line is similar",
      "no_match",
      "No line is like it",
      "const a = 1;\n",
      "import zebra from 'giraffe';",
      "x",
    ],
    ["when old_string is empty", "no_match", "use write", "a\n", "", "b"],
    ["when old_string is white space that does not occur", "no_match", "was not found", "a\nb\n", "  \n  ", "x"],
    ["when both strings are the same", "no_change", "are the same", "a\n", "a", "a"],
    [
      "when it changes only preserved line ends",
      "no_change",
      "already reads like that",
      "a\r\nb\r\n",
      "a\r\nb",
      "a\nb",
    ],
    [
      "when it writes the existing quotes",
      "no_change",
      "already reads like that",
      "say \u201ca\u201d\n",
      'say "a"',
      "say \u201ca\u201d",
    ],
    ["when the file is empty and old_string is not", "no_match", "was not found", "", "a", "b"],
    ["with // ... existing code ...", "placeholder", "existing code", "a\nb\n", "a", "x\n// ... existing code ..."],
    ["with # rest of the file", "placeholder", "rest of the file", "a\nb\n", "a", "x\n# rest of the file"],
    [
      "with ... rest of code unchanged ...",
      "placeholder",
      "rest of code",
      "a\nb\n",
      "a",
      "x\n... rest of code unchanged ...",
    ],
    ["with an HTML placeholder", "placeholder", "existing", "<a>\n", "<a>", "<b>\n<!-- ... existing content ... -->"],
    ["with a JSX placeholder", "placeholder", "remaining", "<a>\n", "<a>", "<b>\n{/* ... remaining props ... */}"],
    ["with dots in a comment alone", "placeholder", "// ...", "a\n", "a", "x\n    // ..."],
    ["with a Chinese placeholder", "placeholder", "其余代码", "a\n", "a", "x\n// 其余代码保持不变"],
    [
      "with more placeholders than the old text has",
      "placeholder",
      "existing",
      "// ... existing code ...\n",
      "// ... existing code ...",
      "// ... existing code ...\na\n// ... existing code ...",
    ],
  ])("%s", (_, code, expected, file, oldText, newText, replaceAll) => {
    const outcome = edited(file, oldText, newText, replaceAll);
    expect(outcome).toMatchObject({ ok: false, code });
    expect(outcome.ok ? "" : outcome.message).toContain(expected);
  });
});

describe("lines that are not placeholders", () => {
  test.each([
    "...",
    "def f(): ...",
    "  ...rest,",
    "f(...args)",
    "// keep the connection open",
    "# existing users are migrated first",
    "// the rest of the arguments are optional flags that the parser reads one by one",
    "console.log('...');",
    "// Loading...",
    "- more to come",
    "// other imports",
    "\u2026and so on",
  ])("%s", (line) => {
    expect(edited("a\n", "a", `b\n${line}`)).toMatchObject({ ok: true });
  });

  test("a placeholder of the old text may stay", () => {
    expect(
      edited("// ... existing code ...\na\n", "// ... existing code ...\na", "// ... existing code ...\nb"),
    ).toMatchObject({ ok: true });
  });
});

describe("replace_all with loose matches only", () => {
  test.each([
    ["  a(1);\n\n    a(1);\n", "\ta(1);\n"],
    ["    a(1);\n    b();\n\n        a(1);\n        b();\n", "\ta(1);\n\tb();"],
  ])("are rejected with the exact line: %j", (file, oldText) => {
    const outcome = edited(file, oldText, "x();", true);
    expect(outcome).toMatchObject({ ok: false, code: "ambiguous" });
    const line = file.split("\n")[0] ?? "";
    if (!outcome.ok)
      expect(outcome.message).toContain(
        `replace_all needs an exact copy, with the indentation of the file. Line 1 is ${JSON.stringify(line)}`,
      );
  });
});

test("an escaped backtick or dollar is decoded to the character", () => {
  const file = "const a = `x ${b}`;\n";
  expect(edited(file, "const a = \\`x \\${b}\\`;", "const a = \\`y \\${b}\\`;")).toMatchObject({
    ok: true,
    text: "const a = `y ${b}`;\n",
    mistake: "escapes",
  });
});
