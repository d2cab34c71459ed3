/** The documents: commands and links that exist, decision records of one form, an index with every page, no outside references. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { isCommandName } from "@/lib/protocol/command";
import { helpText } from "@/server/cli/arguments/help";

const root = fileURLToPath(new URL("..", import.meta.url));
const ignored = new Set(
  readFileSync(join(root, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => line.replace(/\/$/, "")),
);

/** Files below a folder, relative to the root; hidden and ignored ones are left out. */
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || ignored.has(entry.name)) return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

const files = filesBelow("");
// The tasks of evals are projects of their own.
const documents = files.filter((file) => file.endsWith(".md") && !file.startsWith("evals/"));
const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const testParts = [
  ...readFileSync(join(root, "scripts/base/test-plan.mjs"), "utf8").matchAll(/^ {2}([a-z\d]+): /gm),
].map(([, name = ""]) => name);
const readDocument = (file: string): string => readFileSync(join(root, file), "utf8");

/** The targets of relative links, as paths from the root with their anchors. */
const linksOf = (file: string): readonly { readonly target: string; readonly anchor: string }[] =>
  [...readDocument(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, path = "", anchor = ""]) => ({
    target: path === "" ? file : relative(root, join(root, dirname(file), path)),
    anchor,
  }));

const anchorsOf = (file: string): ReadonlySet<string> =>
  new Set(
    [...readDocument(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

describe.each(documents)("%s", (file) => {
  it("mentions only commands that exist", () => {
    const named = [...readDocument(file).matchAll(/`((?:session|files|models|project|rules)\.[a-z_]+)\b(?!\.)/g)];
    const names = named.map(([, name]) => name ?? "").filter((name) => !/\.(?:ts|tsx|md|yaml)$/.test(name));
    expect(names.filter((name) => !isCommandName(name))).toEqual([]);
  });

  it("shows only scripts, parts of npm test and programs that exist", () => {
    const text = readDocument(file);
    const scripts = [...text.matchAll(/\bnpm run ([a-z][\w:]*)/g)].map(([, name = ""]) => name);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const parts = [...text.matchAll(/\bnpm test -- ([a-z\d]+)/g)].map(([, name = ""]) => name);
    expect(parts.filter((name) => !testParts.includes(name))).toEqual([]);
    const options = [
      ...text.matchAll(/\b(?:npx gopi-web|npm start --|gopi-web) (?:(?:run|doctor|eval) )?(--[a-z-]+)/g),
    ];
    expect(options.map(([, name = ""]) => name).filter((name) => !helpText.includes(name))).toEqual([]);
  });

  it("links only to files and headings that exist", () => {
    // `npm run screenshots` creates the screenshots.
    const links = linksOf(file).filter(({ target }) => !target.includes("screenshots/"));
    const missing = links.filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true;
      return anchor !== "" && target.endsWith(".md") && !anchorsOf(target).has(anchor);
    });
    expect(missing).toEqual([]);
  });
});

test("architecture.md has at most 120 lines", () => {
  expect(readDocument("docs/architecture.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("the index names every page for users and contributors and every decision record", () => {
  const linked = new Set(linksOf("docs/README.md").map(({ target }) => target));
  const pages = documents.filter((file) => file.startsWith("docs/") && file !== "docs/README.md");
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});

test.each(documents.filter((file) => file.startsWith("docs/adr/")))("%s has the form of a decision record", (file) => {
  const text = readDocument(file);
  expect(text).toMatch(/^# .+\n\nDate: \d{4}-\d\d-\d\d\. Status: .+\.\n/);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).slice(0, 4)).toEqual([
    "Context",
    "Decision",
    "Alternatives",
    "Cost",
  ]);
});

/** References to what a reader of this repository does not have. */
const outsideReferences = [
  // Numbered lists elsewhere: "(R32)", "field D19", "audit A44", "R4: only JSON".
  /\((?:see )?[A-Z]\d{1,3}(?:(?:, ?| to |-)[A-Z]?\d{1,3})*\)/,
  /\b(?:field|audit|design|requirement|issue|code[- ]review|ticket|milestone|wish|charter)s? #?[A-Z]?\d/i,
  /(?:^|[\s*/"'`(])[A-Z]\d{1,2}: [A-Za-z]/,
  /\b(?:an|by|of) R\d/,
  // Documents and folders elsewhere.
  /\b(?:the requirements? (?:was|were|is|says|name|names|promise|promises)|as (?:the brief|the lead|the owner) (?:asked|demanded|wanted))\b/i,
  /(?<![\w./@~-])\/work\b(?!\/(?:shop|project)|[\w-])/,
  /(?<![\w./@-])shared\/[\w-]+\.md/,
];

/** Returns the lines that explain something: of a document, the comments of a module and the titles of its tests. */
const proseLines = (file: string): readonly (readonly [line: number, text: string])[] =>
  readDocument(file)
    .split("\n")
    .flatMap((text, index) => {
      const isComment = /^\s*(?:\/?\*|\/\/|#|--)|\s\/\/ /.test(text);
      const isTitle = /\b(?:test|it|describe|Test)\b[\w.]*\(/.test(text);
      return file.endsWith(".md") || isComment || isTitle ? [[index + 1, text] as const] : [];
    });

const commented = new Set([".ts", ".tsx", ".mts", ".mjs", ".cjs", ".js", ".css", ".sql", ".sh", ".md", ".yaml"]);

test("no document, comment or test title refers to something outside of the repository", () => {
  const found = files
    .filter((file) => commented.has(extname(file)) && file !== "docs/documents.test.ts")
    .flatMap((file) =>
      proseLines(file)
        .filter(([, text]) => outsideReferences.some((pattern) => pattern.test(text)))
        .map(([line, text]) => `${file}:${line}: ${text.trim()}`),
    );
  expect(found).toEqual([]);
});

test.each([
  "// Ollama sends it in one piece (field D19).",
  "/** Secrets of environments (R23, R24). */",
  " * judged by what they do (R18-R22, R26).",
  "/** R4: only JSON is accepted. */",
  'describe("R1: a Host that is not ours", () => {',
  "the diet of issue 9",
  "see audit A44 and code-review 7",
  "The requirements promise one file.",
  "described in /work/notes",
  "see shared/plan.md",
])("%s is such a reference", (text) => {
  expect(outsideReferences.some((pattern) => pattern.test(text))).toBe(true);
});

test.each([
  "/** DeepSeek R1, V3, V3.1, V3.2. */",
  "(RFC 9110, section 14)",
  "F2 renames, Shift+F10 opens the menu",
  "(row 30 of docs/reliability.md)",
  "import { x } from '@/work/y'",
])("%s is none", (text) => {
  expect(outsideReferences.some((pattern) => pattern.test(text))).toBe(false);
});
