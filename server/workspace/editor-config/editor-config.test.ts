import { describe, expect, test } from "vitest";
import { parseEditorConfig, readFileStyle } from "./editor-config";
import { makeEditorConfigGlob } from "./editor-config-glob";
import { readStyleOf } from "./read-style";

/** Cases of the tests of the EditorConfig specification (editorconfig-core-test, glob). */
test.each([
  ["*", "a.c", true],
  ["*", ".hidden", true],
  ["a*e.c", "ae.c", true],
  ["a*e.c", "abcde.c", true],
  ["Bar/*", "Bar/foo.txt", true],
  ["Bar/*", "Bar/deep/foo.txt", false],
  ["*.py", "deep/below/x.py", true],
  ["/top.py", "top.py", true],
  ["/top.py", "sub/top.py", false],
  ["som?.c", "some.c", true],
  ["som?.c", "som.c", false],
  ["som?.c", "so/som/.c", false],
  ["a?b.c", "a/b.c", false],
  ["[ab].a", "a.a", true],
  ["[ab].a", "c.a", false],
  ["[!ab].b", "c.b", true],
  ["[!ab].b", "a.b", false],
  ["[d-g].c", "f.c", true],
  ["[d-g].c", "h.c", false],
  ["ab[e/]cd.i", "ab[e/]cd.i", true],
  ["ab[e/]cd.i", "abecd.i", false],
  ["*.{py,js,html}", "test.html", true],
  ["*.{py,js,html}", "test.pyc", false],
  ["{single}.b", "{single}.b", true],
  ["{single}.b", "single.b", false],
  ["{}.c", "{}.c", true],
  ["a{b,c,}.d", "a.d", true],
  ["{word,{also},this}.g", "{also}.g", true],
  ["{a\\,b,cd}.txt", "a,b.txt", true],
  ["{some,a{*c,b}[ef]}.j", "abe.j", true],
  ["{some,a{*c,b}[ef]}.j", "abg.j", false],
  ["{3..120}", "3", true],
  ["{3..120}", "60", true],
  ["{3..120}", "121", false],
  ["{3..120}", "060", false],
  ["{3..120}", "5a", false],
  ["{-3..3}.c", "-2.c", true],
  ["a**z.c", "a/z.c", true],
  ["a**z.c", "amnz.c", true],
  ["a**z.c", "am/nz.c", true],
  ["b/**z.c", "b/x/z.c", true],
  ["c/**/z.c", "c/y/z.c", true],
  ["c/**/z.c", "c/z.c", true],
  ["c/**/z.c", "c/yz.c", false],
  ["**/d.c", "x/y/d.c", true],
  ["**/d.c", "d.c", true],
  ["**/d.c", "xd.c", false],
  ["**/test/**", "test/a.ts", true],
  ["**/test/**", "src/test/deep/a.ts", true],
  ["**/test/**", "latest/a.ts", false],
  ["{**/a,b/c}.ts", "a.ts", true],
  ["{**/a,b/c}.ts", "x/b/c.ts", false],
  ["a\\*b.c", "a*b.c", true],
  ["a\\*b.c", "axb.c", false],
  ["文*.txt", "文件.txt", true],
])("the glob %s and the path %s: %s", (glob, path, expected) => {
  expect(makeEditorConfigGlob(glob)(path)).toBe(expected);
});

test("a hostile glob is compared in bounded time", () => {
  const matches = makeEditorConfigGlob(`${"**a".repeat(300)}b`);
  expect(matches("a".repeat(4_000))).toBe(false);
});

const styleOf = (path: string, ...texts: readonly (readonly [text: string, path?: string])[]) =>
  readFileStyle(texts.map(([text, relative = path]) => ({ config: parseEditorConfig(text), path: relative })));

describe("the style of a file", () => {
  test("has all properties, of which later sections override earlier ones", () => {
    const text = `\uFEFF; comment
root = true
[*]
indent_style = Space
indent_size = 2
end_of_line = crlf
insert_final_newline = true
trim_trailing_whitespace = TRUE
max_line_length = 100
nonsense
[*.md]
# comment
trim_trailing_whitespace = false
max_line_length = off
[Makefile]
indent_style = tab
tab_width = 8
`;
    const base = {
      indentStyle: "space",
      indentSize: 2,
      tabWidth: 2,
      lineEnding: "\r\n",
      insertsFinalNewline: true,
      trimsWhitespace: true,
      maxLineLength: 100,
    };
    expect(styleOf("src/a.ts", [text])).toEqual(base);
    const { maxLineLength: _, ...rest } = base;
    expect(styleOf("a.md", [text])).toEqual({ ...rest, trimsWhitespace: false });
    expect(styleOf("lib/Makefile", [text])).toEqual({ ...base, indentStyle: "tab", tabWidth: 8 });
  });

  test("takes the nearest file first and none above a root", () => {
    const above = "[*]\nindent_size = 8\nmax_line_length = 70\n";
    const middle = "[*]\nindent_size = 4\nend_of_line = lf\n";
    const near = "[*.ts]\nindent_size = 3\n";
    expect(styleOf("", [near, "a.ts"], [middle, "src/a.ts"], [above, "lib/src/a.ts"])).toEqual({
      indentSize: 3,
      tabWidth: 3,
      lineEnding: "\n",
      maxLineLength: 70,
    });
    expect(styleOf("", [near, "a.ts"], [`root=true\n${middle}`, "src/a.ts"], [above, "lib/src/a.ts"])).toEqual({
      indentSize: 3,
      tabWidth: 3,
      lineEnding: "\n",
    });
  });

  test.each([
    ["indent_size = tab\ntab_width = 4", { indentSize: 4, tabWidth: 4 }],
    ["indent_style = tab\ntab_width = 4", { indentStyle: "tab", indentSize: 4, tabWidth: 4 }],
    ["indent_style = space\ntab_width = 4", { indentStyle: "space", tabWidth: 4 }],
    ["indent_size = 2\n[*]\nindent_size = unset", {}],
    ["indent_size = -1\nindent_style = both\nend_of_line = cr\nmax_line_length = 99999", {}],
    ["end_of_line = lf # no comment here", {}],
    ["constructor = x", {}],
  ])("of %j is %j", (pairs, style) => {
    expect(styleOf("a.ts", [`[*]\n${pairs}\n`])).toEqual(style);
  });
});

test("the files of all folders up to the project are read, the nearest one first", async () => {
  const texts = new Map([
    [".editorconfig", "[src/**.ts]\nindent_size = 8\nend_of_line = lf\n"],
    ["src/.editorconfig", "[deep/*.ts]\nindent_size = 4\n"],
    ["src/deep/.editorconfig", "[*]\nindent_style = tab\n"],
  ]);
  const read: string[] = [];
  const style = await readStyleOf("src/deep/a.ts", async (path) => {
    read.push(path);
    return texts.get(path) ?? null;
  });
  expect(style).toEqual({ indentStyle: "tab", indentSize: 4, tabWidth: 4, lineEnding: "\n" });
  expect(read).toEqual([".editorconfig", "src/.editorconfig", "src/deep/.editorconfig"]);
  expect(await readStyleOf("a.ts", async () => null)).toEqual({});
});
