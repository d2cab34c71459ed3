import { expect, test } from "vitest";
import { parseSearchQuery, createSnippet } from "./search-query";
import { plainMarkdownLine } from "@/lib/text/plain-markdown";
import { extractIndexWords } from "@/lib/text/search-words";

const terms = (query: string) => parseSearchQuery(query)?.terms ?? [];
const marked = (text: string, query: string) => {
  const found = createSnippet(text, terms(query), 160);
  return found?.marks.map(([from, to]) => found.snippet.slice(from, to));
};

test.each<[string, string[]]>([
  ["Hello, World", ["hello", "world"]],
  ["parseHTTPHeader2", ["parsehttpheader2", "parse", "http", "header2"]],
  ["session_row.ts:12", ["session", "row", "ts", "12"]],
  ["Ärger façade", ["arger", "facade"]],
  ["Ｆｕｌｌ", ["full"]],
  ["修复", ["修", "复", "修复"]],
  ["用React写", ["用", "react", "写"]],
  ["--- !!! 。，", []],
  ["𠀀好", ["𠀀", "好", "𠀀好"]],
])("the words of %j are %j", (text, expected) => {
  expect([...extractIndexWords(text)]).toEqual(expected);
});

test.each<[string, string | undefined]>([
  ["parser", '"parser"*'],
  ["the parser", '"the" AND "parser"*'],
  ["if", '"if"'],
  ["foo()", '"foo"'],
  ["Ärger", '"arger"*'],
  ["中", '"中"'],
  ["中文", '"中文"'],
  ["中文字", '"中文" AND "文字"'],
  ["HTTPServer", '("httpserver"* OR ("http" AND "server"*))'],
  ['"exact words" more', '"exact" AND "words" AND "more"*'],
  // FTS syntax in queries is escaped
  ['a" OR "b', '"a" AND "or" AND "b"'],
  ["NEAR(a b)", '"near" AND "a" AND "b"'],
  ["x*", '"x"'],
  ["text:abc", '"text" AND "abc"*'],
  ["-not ^first", '"not" AND "first"*'],
  ["a AND NOT b", '"a" AND "and" AND "not" AND "b"'],
  ["{} [] () ; -- '", undefined],
  ["\u0000\uffff", undefined],
  ["\ue000s1", '"s1"'],
])("%j gives the match expression %j", (query, expected) => {
  expect(parseSearchQuery(query)?.match).toBe(expected);
});

test.each<[string, string | undefined]>([
  ["pars", '"par"*'],
  ["the parser", '"the" AND "parse"*'],
  ["par", undefined],
  ["parse", undefined],
  ["if", undefined],
  ["HTTPServer", '("https"* OR ("http" AND "serve"*))'],
])("%j has the wider expression %j", (query, expected) => {
  expect(parseSearchQuery(query)?.widerMatch).toBe(expected);
});

test.each<[string, string, string[] | undefined]>([
  ["The Parser reads. parsers read.", "pars", ["Pars", "pars"]],
  ["unparsed", "pars", undefined],
  ["parseHTTPHeader", "header", ["Header"]],
  ["parseHTTPHeader", "httpHeader", ["HTTPHeader"]],
  ["an http header", "httpHeader", ["http header"]],
  ["session_row", "session_row", ["session_row"]],
  ["row of a session", "session_row", undefined],
  ["row of a session", "session row", ["row", "session"]],
  ["Ärger mit Arger", "arger", ["Ärger", "Arger"]],
  ["修复了中文的文字", "中文字", undefined],
  ["修复了中文字符", "中文字", ["中文字"]],
  ["会话，会 话", "会话", ["会话"]],
  ["用React组件", "React组件", ["React组件"]],
  ["exact other words, exact words", '"exact words"', ["exact words"]],
])("in %j the query %j marks %j", (text, query, expected) => {
  expect(marked(text, query)).toEqual(expected);
});

test("a snippet is one short line around the first match, with correct marks and no split characters", () => {
  const text = `${"😀".repeat(80)} and\n\n   then 中文 ${"😀 ".repeat(200)}`;
  const found = createSnippet(text, terms("中文"), 160);
  expect(found?.snippet).toMatch(/^…[^\n]* and then 中文 😀 /u);
  expect(found?.snippet.endsWith("…")).toBe(true);
  expect(found?.snippet).not.toMatch(/\p{Surrogate}/u);
  expect(found?.snippet.length).toBeLessThanOrEqual(162);
  expect(found?.marks.map(([from, to]) => found.snippet.slice(from, to))).toEqual(["中文"]);
});

test("the snippet of a short text is the text", () => {
  expect(createSnippet("Fix the parser", terms("fix"), 160)).toEqual({ snippet: "Fix the parser", marks: [[0, 3]] });
});

test("the snippet of Markdown is plain text, and its marks fit that", () => {
  const text = "## The cause\n\n| Place | Now |\n| --- | --- |\n| `cart.js` | **quantity** |";
  const found = createSnippet(text, terms("quantity"), 160, plainMarkdownLine);
  expect(found?.snippet).toBe("…Place · Now cart.js · quantity");
  expect(found?.marks.map(([from, to]) => found.snippet.slice(from, to))).toEqual(["quantity"]);
});
