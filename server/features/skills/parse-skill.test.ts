/** Content that is read from a SKILL.md, and the warnings about it. */
import { describe, expect, test } from "vitest";
import { parseSkill } from "./parse-skill";
import { skillFile } from "./test-skills";

const parse = (text: string | Uint8Array, folder = "pdf") =>
  parseSkill(typeof text === "string" ? new TextEncoder().encode(text) : text, folder);
/** A file whose frontmatter has these lines. */
const withLines = (lines: string): string => `---\n${lines}\n---\nBody.\n`;

describe("a skill as the standard describes it", () => {
  test("has its name, description and text, and no warning", () => {
    expect(parse(skillFile("pdf", "Fills in forms. Use it for PDF files.", "# Steps\n\n1. Look."))).toMatchObject({
      name: "pdf",
      description: "Fills in forms. Use it for PDF files.",
      body: "# Steps\n\n1. Look.",
      isManual: false,
      warnings: [],
    });
  });

  test.each([
    ["all optional fields", "license: Apache-2.0\ncompatibility: Needs git.\nmetadata:\n  author: a\n  version: '1.0'"],
    ["fields of other programs", "model: best\nargument-hint: '[file]'\nversion: 2"],
  ])("may have %s", (_what, lines) => {
    expect(parse(withLines(`name: pdf\ndescription: Reads.\n${lines}`)).warnings).toEqual([]);
  });

  test.each([
    ["a folded description", "description: >\n  Fills in\n  forms.", "Fills in forms."],
    ["a literal description", "description: |\n  Fills in\n  forms.", "Fills in\nforms."],
    ["a quoted description", 'description: "Use when: a form"', "Use when: a form"],
    ["a description in Chinese", "description: 填写表单。", "填写表单。"],
    ["a number as its description", "description: 2026", "2026"],
  ])("may have %s", (_what, line, description) => {
    expect(parse(withLines(`name: pdf\n${line}`))).toMatchObject({ description, warnings: [] });
  });

  test("can be for the user alone", () => {
    expect(parse(withLines("name: pdf\ndescription: a\ndisable-model-invocation: true")).isManual).toBe(true);
  });

  test("is called by a name in letters of any script", () => {
    expect(parse(skillFile("填写-表单", "a"), "填写-表单")).toMatchObject({ name: "填写-表单", warnings: [] });
  });
});

/** A map whose values are made of ever more copies of the first one. */
const bomb = [
  "name: pdf",
  "description: Reads.",
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ..."bcdefghi".split("").map((key, at) => `${key}: &${key} [${`*${"abcdefgh"[at]}, `.repeat(9)}]`),
].join("\n");

describe.each<readonly [what: string, text: string | Uint8Array, warning: object]>([
  ["without frontmatter", "# PDF\n\nText.", { kind: "no_frontmatter" }],
  ["that is empty", "", { kind: "no_frontmatter" }],
  ["whose frontmatter has no end", "---\nname: pdf\ndescription: a\n", { kind: "unclosed_frontmatter" }],
  ["whose frontmatter is a list", withLines("- a\n- b"), { kind: "broken_yaml", line: 2 }],
  ["whose frontmatter is no YAML", withLines("name: pdf\ndescription: 'a\nb: ]"), { kind: "broken_yaml" }],
  [
    "whose description is half a list",
    withLines('name: pdf\ndescription: [oops: "unclosed'),
    { kind: "broken_yaml", line: 3 },
  ],
  [
    "whose description is half a map",
    withLines("name: pdf\ndescription: {a: b\nlicense: x"),
    { kind: "broken_yaml", line: 3 },
  ],
  [
    "whose description is half a quotation",
    withLines('name: pdf\n\ndescription: "a\nlicense: x'),
    { kind: "broken_yaml", line: 4 },
  ],
  [
    "whose metadata are half a list",
    withLines("name: pdf\ndescription: a\nmetadata:\n  a: [b"),
    { kind: "broken_yaml", line: 4 },
  ],
  ["whose frontmatter has too many keys", withLines(`name: pdf\n${"a: b\n".repeat(700)}`), { kind: "broken_yaml" }],
  [
    "whose frontmatter has too many lines",
    withLines(`name: pdf\ndescription: a\n${"a:\n".repeat(2_100)}`),
    { kind: "broken_yaml" },
  ],
  ["whose frontmatter is nested without end", withLines(`name: pdf\na: ${"[".repeat(9_000)}`), { kind: "broken_yaml" }],
  [
    "whose frontmatter is too large",
    withLines(`name: pdf\ndescription: ${"a".repeat(17_000)}`),
    { kind: "frontmatter_large" },
  ],
  ["without a description", withLines("name: pdf"), { kind: "no_description" }],
  ["with an empty description", withLines("name: pdf\ndescription: ''"), { kind: "no_description" }],
  ["whose description is an alias", withLines("name: pdf\na: &a b\ndescription: *a"), { kind: "no_description" }],
  ["of 300 KB", skillFile("pdf", "a", "x".repeat(300_000)), { kind: "too_large", limit: 262_144 }],
  ["that is binary", new Uint8Array([45, 45, 45, 10, 0, 1, 2]), { kind: "not_text" }],
  ["in another encoding", new Uint8Array([45, 45, 45, 10, 0xe4, 0xf6, 0xfc]), { kind: "not_text" }],
])("a skill %s", (_what, text, warning) => {
  test("cannot be used, and the reason is the first warning", () => {
    const { warnings, name } = parse(text);
    expect(warnings[0]).toMatchObject(warning);
    expect(name).toBe("pdf");
  });
});

test.each<readonly [what: string, text: string, warning: object, result: object]>([
  ["no name", withLines("description: a"), { kind: "no_name", detail: "pdf" }, { name: "pdf" }],
  ["a name unlike its folder", skillFile("forms", "a"), { kind: "name_differs", detail: "pdf" }, { name: "forms" }],
  ["a name in capitals", skillFile("PDF Tools", "a"), { kind: "bad_name", detail: "pdf-tools" }, { name: "pdf-tools" }],
  ["two hyphens in its name", skillFile("p--df", "a"), { kind: "bad_name" }, { name: "p-df" }],
  ["a long name", skillFile("p".repeat(80), "a"), { kind: "long_name", limit: 64 }, { name: "p".repeat(64) }],
  ["a long description", skillFile("pdf", "a".repeat(1_100)), { kind: "long_description", count: 1_100 }, {}],
  [
    "a colon in its description",
    skillFile("pdf", "Use when: a form"),
    { kind: "quoted", line: 3 },
    { description: "Use when: a form" },
  ],
  [
    "a colon in its description, before a list of several lines",
    withLines("name: pdf\ndescription: Use when: a form\ntools: [a,\n  b]\ndisable-model-invocation: true"),
    { kind: "quoted", line: 3 },
    { description: "Use when: a form", isManual: true },
  ],
  [
    "a mark at the beginning of its description",
    withLines("name: pdf\nlicense: x\ndescription: `pdf` files"),
    { kind: "quoted", line: 4 },
    { description: "`pdf` files" },
  ],
  [
    "tabs",
    withLines("name: pdf\ndescription: >\n\tReads\n\tforms"),
    { kind: "tabs", line: 4 },
    { description: "Reads forms" },
  ],
  ["a byte order mark", `\uFEFF${skillFile("pdf", "a")}`, { kind: "byte_order_mark" }, { name: "pdf" }],
  [
    "line ends of Windows",
    skillFile("pdf", "a").replaceAll("\n", "\r\n"),
    { kind: "line_ends" },
    { name: "pdf", description: "a" },
  ],
  [
    "a key twice",
    withLines("name: pdf\nname: other\ndescription: a"),
    { kind: "duplicate_key", line: 3 },
    { name: "pdf" },
  ],
  [
    "a list as its name",
    withLines("name: [a]\ndescription: a"),
    { kind: "not_text_value", line: 2, detail: "name" },
    { name: "pdf" },
  ],
  ["an alias as its name", withLines("a: &a b\nname: *a\ndescription: a"), { kind: "alias", line: 3 }, { name: "pdf" }],
  ["no text", "---\nname: pdf\ndescription: a\n---\n", { kind: "empty_body" }, { body: "" }],
  ["a very long text", skillFile("pdf", "a", "word ".repeat(6_000)), { kind: "long_body", limit: 5_000 }, {}],
  [
    "hidden characters",
    skillFile("pdf", "a", "Go\u{E0041}\u200B on"),
    { kind: "hidden_characters", count: 2, line: 6 },
    {},
  ],
  ["comments", skillFile("pdf", "a", "Go on\n<!-- run this -->"), { kind: "comments", count: 1, line: 7 }, {}],
  [
    "allowed tools",
    withLines("name: pdf\ndescription: a\nallowed-tools: Bash(*)"),
    { kind: "allowed_tools", line: 4 },
    {},
  ],
  [
    "a long compatibility",
    withLines(`name: pdf\ndescription: a\ncompatibility: ${"a".repeat(501)}`),
    { kind: "long_compatibility" },
    {},
  ],
])("a skill with %s can be used, and it is reported", (_what, text, warning, result) => {
  const skill = parse(text);
  expect(skill.warnings).toContainEqual(expect.objectContaining(warning));
  expect(skill).toMatchObject(result);
  expect(skill.warnings.map(({ kind }) => kind)).not.toContain("no_description");
});

test("a YAML bomb is read without being expanded", () => {
  expect(parse(withLines(bomb))).toMatchObject({ name: "pdf", description: "Reads.", warnings: [] });
});

test("an emoji of several characters is not hidden", () => {
  expect(parse(skillFile("pdf", "a", "Well done 👩‍💻 ❤️")).warnings).toEqual([]);
});
