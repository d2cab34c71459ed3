/**
 * Converts the Markdown of an answer to HTML for the exported file: headings, lists, tables, quotes, code, emphasis.
 * Every text is escaped, tags have no attribute but their class, links are left as text. Pure.
 */
import type { Steps } from "@/lib/async/steps";
import { escapeHtml } from "./escape-html";

/** Number of lines of a block, and its HTML in chunks of about one line, generated lazily. */
interface ProseBlock {
  readonly lines: number;
  readonly html: () => Iterable<string>;
}

type BlockParser = (lines: readonly string[], at: number) => ProseBlock | null;

/** Yields at least once per line. */
export function* renderProse(text: string): Steps<string> {
  const lines = text.split(/\r?\n/);
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = parseBlockAt(lines, at) ?? (yield* parseParagraph(lines, at));
    for (const piece of block.html()) {
      pieces.push(piece);
      yield;
    }
    at += block.lines;
    yield;
  }
  return `<div class="prose">${pieces.join("")}</div>`;
}

export const preHtml = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const singleLineBlock = (html: () => string): ProseBlock => ({ lines: 1, html: () => [html()] });

/** Lines of text inside one element. */
const wrapLines = (
  tag: "p" | "blockquote",
  lines: readonly string[],
  textOf: (line: string) => string,
): ProseBlock => ({
  lines: lines.length,
  html: function* () {
    yield `<${tag}>`;
    for (const [index, line] of lines.entries()) yield `${index > 0 ? "<br>" : ""}${inlineHtml(textOf(line))}`;
    yield `</${tag}>`;
  },
});

const lineAt = (lines: readonly string[], at: number): string => lines[at] ?? "";

/** Number of lines from `at` on that pass. */
function countWhile(lines: readonly string[], at: number, passes: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && passes(lineAt(lines, end))) end += 1;
  return end - at;
}

/**
 * Reads a fenced code block. A fence inside a list is indented, and its code with it. A fence line with further
 * backticks is inline code.
 */
const parseFence: BlockParser = (lines, at) => {
  const line = lineAt(lines, at);
  const [opening, indent = "", mark] = /^(\s*)(`{3,}|~{3,})/.exec(line) ?? [];
  if (opening === undefined || mark === undefined) return null;
  if (mark.startsWith("`") && line.includes("`", opening.length)) return null;
  const isEnd = (line: string): boolean =>
    line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), "") === "";
  const count = countWhile(lines, at + 1, (line) => !isEnd(line));
  return {
    lines: count + 2,
    html: function* () {
      yield "<pre>";
      for (let next = at + 1; next <= at + count; next += 1)
        yield `${next > at + 1 ? "\n" : ""}${escapeHtml(withoutIndent(lineAt(lines, next), indent.length))}`;
      yield "</pre>";
    },
  };
};

function withoutIndent(line: string, most: number): string {
  let start = 0;
  while (start < most && /\s/.test(line.charAt(start))) start += 1;
  return line.slice(start);
}

const parseHeading: BlockParser = (lines, at) => {
  const line = lineAt(lines, at);
  const marks = /^ {0,3}#{1,6}(?=\s)/.exec(line)?.[0];
  const text = marks === undefined ? "" : withoutClosing(line.slice(marks.length).trim());
  return text === "" ? null : singleLineBlock(() => `<h3>${inlineHtml(text)}</h3>`);
};

/** Closing marks of a heading count only after a space. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "#") end -= 1;
  return end === text.length || !/\s/.test(text.charAt(end - 1)) ? text : text.slice(0, end).trimEnd();
}

const parseRule: BlockParser = (lines, at) =>
  /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(lineAt(lines, at)) ? singleLineBlock(() => "<hr>") : null;

const quotePattern = /^ {0,3}> ?/;
const parseQuote: BlockParser = (lines, at) => {
  const count = countWhile(lines, at, (line) => quotePattern.test(line));
  if (count === 0) return null;
  return wrapLines("blockquote", lines.slice(at, at + count), (line) => line.replace(quotePattern, ""));
};

const splitCells = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const isDivider = (line: string): boolean => splitCells(line).every((cell) => /^:?-+:?$/.test(cell));

const parseTable: BlockParser = (lines, at) => {
  if (!lineAt(lines, at).includes("|") || !isDivider(lineAt(lines, at + 1))) return null;
  const count = countWhile(lines, at + 2, (line) => line.includes("|"));
  const row = (line: string, tag: "th" | "td"): string =>
    `<tr>${splitCells(line)
      .map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`)
      .join("")}</tr>`;
  return {
    lines: count + 2,
    html: function* () {
      yield `<div class="table"><table>${row(lineAt(lines, at), "th")}`;
      for (let next = at + 2; next < at + 2 + count; next += 1) yield row(lineAt(lines, next), "td");
      yield "</table></div>";
    },
  };
};

/** Items keep their own marks, so that numbers and depth stay as the model wrote them. */
const itemPattern = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const parseItems: BlockParser = (lines, at) => {
  const count = countWhile(lines, at, (line) => itemPattern.test(line));
  if (count === 0) return null;
  const item = (line: string): string => {
    const [, indent = "", mark = "", text = ""] = itemPattern.exec(line) ?? [];
    const depth = Math.min(3, Math.floor(indent.replaceAll("\t", "    ").length / 2));
    return `<p class="item depth${depth}"><span>${/\d/.test(mark) ? escapeHtml(mark) : "\u2022"}</span><span class="body">${inlineHtml(text)}</span></p>`;
  };
  return {
    lines: count,
    html: function* () {
      for (let next = at; next < at + count; next += 1) yield item(lineAt(lines, next));
    },
  };
};

const parseBlank: BlockParser = (lines, at) => (lineAt(lines, at).trim() === "" ? singleLineBlock(() => "") : null);

const blockParsers: readonly BlockParser[] = [
  parseFence,
  parseHeading,
  parseRule,
  parseQuote,
  parseTable,
  parseItems,
  parseBlank,
];

function parseBlockAt(lines: readonly string[], at: number): ProseBlock | null {
  for (const read of blockParsers) {
    const block = read(lines, at);
    if (block !== null) return block;
  }
  return null;
}

function* parseParagraph(lines: readonly string[], at: number): Steps<ProseBlock> {
  let end = at + 1;
  while (end < lines.length && parseBlockAt(lines, end) === null) {
    end += 1;
    yield;
  }
  return wrapLines("p", lines.slice(at, end), (line) => line);
}

/** Emphasis is not applied inside code. The text cannot contain `&#42;` itself: its `&` is escaped. */
const inlineHtml = (text: string): string =>
  renderEmphasis(
    text
      .split(/(`[^`\n]+`)/)
      .map((piece, index) =>
        index % 2 === 1 ? `<code>${escapeHtml(piece.slice(1, -1)).replaceAll("*", "&#42;")}</code>` : escapeHtml(piece),
      )
      .join(""),
  ).replaceAll("&#42;", "*");

const renderEmphasis = (html: string): string =>
  html
    .replace(/\*\*(?=\S)([^*]+?)(?<=\S)\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "<em>$1</em>");
