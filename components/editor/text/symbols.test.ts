import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { type Language, loadLanguage } from "./language";
import { findSymbols } from "./symbols";

/** The symbols as `kind name line depth`, of a text that is parsed whatever the load of the machine. */
async function symbolsOf(language: Language | null, text: string): Promise<readonly string[]> {
  const state = EditorState.create({ doc: text, extensions: await loadLanguage(language) });
  ensureSyntaxTree(state, text.length, 60_000);
  return findSymbols(state, language).map(({ kind, name, line, depth }) => `${kind} ${name} ${line} ${depth}`);
}

const cases: readonly (readonly [Language | null, string, readonly string[]])[] = [
  [
    "typescript",
    `import x from "y";
export const limit = 3, load = async () => { const inner = 1; };
export interface Row { id: string }
type Id = string;
enum Kind { A }
@decorated
export class Stock<T> extends Base<T> {
  #size = 0;
  constructor(readonly a: string) { super(); }
  get(id: Id): T { return inner(id); }
}
export default async function run<T>(first: T) { function nested() {} }
namespace Outer { export function deep() {} }
`,
    [
      "variable limit 2 0",
      "function load 2 0",
      "type Row 3 0",
      "type Id 4 0",
      "type Kind 5 0",
      "class Stock 7 0",
      "method constructor 9 1",
      "method get 10 1",
      "function run 12 0",
      "function nested 12 1",
      "module Outer 13 0",
      "function deep 13 1",
    ],
  ],
  [
    "python",
    "LIMIT = 3\n\n@cache\ndef load(path: str) -> str:\n    return path\n\nclass Store(Base):\n    async def get(self):\n        pass\n",
    ["function load 4 0", "class Store 7 0", "function get 8 1"],
  ],
  [
    "go",
    "package a\n\ntype Row struct { ID string }\n\nfunc Load(p string) error { return nil }\n\nfunc (r *Row) Get() {}\n",
    ["type Row 3 0", "function Load 5 0", "method Get 7 0"],
  ],
  [
    "rust",
    "pub struct Row { id: u8 }\nimpl Row {\n    pub fn get<T>(&self) -> u8 { 1 }\n}\nenum Kind { A }\ntrait Load { fn load(); }\nmod inner { const MAX: u8 = 1; }\n",
    [
      "class Row 1 0",
      "class impl Row 2 0",
      "function get 3 1",
      "type Kind 5 0",
      "type Load 6 0",
      "function load 6 1",
      "module inner 7 0",
      "variable MAX 7 1",
    ],
  ],
  [
    "java",
    "@Service\npublic class Store extends Base {\n  private Row row;\n  Store() {}\n  @Override public List<Row> rows(int a) { return null; }\n}\ninterface Load { void load(); }\n",
    ["class Store 2 0", "method Store 4 1", "method rows 5 1", "type Load 7 0", "method load 7 1"],
  ],
  [
    "cpp",
    "struct node *next;\nstruct Row { int id; };\nnamespace app {\nRow* load(const char* path) { return 0; }\nvoid Row::get() {}\n}\nint main() { return 0; }\n",
    ["class Row 2 0", "module app 3 0", "function load 4 1", "function Row::get 5 1", "function main 7 0"],
  ],
  [
    "php",
    "<?php\nfunction load($a) {}\nclass Store { public function get() {} }\n",
    ["function load 2 0", "class Store 3 0", "method get 3 1"],
  ],
  [
    "css",
    ".row > a:hover,\n#x { color: red }\n@media print { b { color: blue } }\n",
    ["rule .row > a:hover, #x 1 0", "rule b 3 0"],
  ],
  [
    "markdown",
    "# Title #\n\ntext\n\n```\n# not one\n```\n\n## Part\n\nUnder\n=====\n",
    ["heading Title 1 0", "heading Part 9 1", "heading Under 11 0"],
  ],
  ["json", '{ "a": { "b": { "c": 1 } },\n "d": [{ "e": 1 }] }', ["key a 1 0", "key b 1 1", "key d 2 0", "key e 2 1"]],
  ["yaml", "a:\n  b:\n    c: 1\n'd': 2\n", ["key a 1 0", "key b 2 1", "key d 4 0"]],
  ["shell", "load() {\n :\n}\nfunction run { :; }\n", ["function load 1 0", "function run 4 0"]],
  ["ruby", "class Store\n  def self.load!(a)\n  end\nend\n", ["class Store 1 0", "method self.load! 2 0"]],
  ["toml", "[a.b]\nx = 1\n[[c]]\n", ["key a.b 1 0", "key c 3 0"]],
  [null, "anything\n", []],
];

test.each(cases)("%s", async (language, text, expected) => {
  expect(await symbolsOf(language, text)).toEqual(expected);
});

test("broken code keeps the symbols that can be read", async () => {
  const text = "function first() {\n  if (\n}\nfunction second() {}\n";
  expect((await symbolsOf("javascript", text)).some((symbol) => symbol.startsWith("function first"))).toBe(true);
});

test("the symbols of a text are searched once, however the caret moves", async () => {
  const doc = "export class Shop {}\n";
  const start = EditorState.create({ doc, extensions: await loadLanguage("typescript") });
  ensureSyntaxTree(start, doc.length, 60_000);
  const { state } = start.update({});
  const symbols = findSymbols(state, "typescript");
  expect(findSymbols(state.update({ selection: { anchor: 8 } }).state, "typescript")).toBe(symbols);
  const { state: changed } = state.update({ changes: { from: 13, to: 17, insert: "Store" } });
  ensureSyntaxTree(changed, doc.length, 60_000);
  expect(findSymbols(changed, "typescript").map(({ name }) => name)).toEqual(["Store"]);
});
