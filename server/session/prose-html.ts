/**
 * The Markdown of an answer as HTML for the exported file: headings, lists, tables, quotes, code, emphasis. Every text is escaped, no
 * tag has an attribute but its class, links are left as text. Pure; used by export-html.ts.
 */
import { escapeHtml } from "./escape-html";

/** A block that was read, and how many lines it took. */
interface Block {
  readonly html: string;
  readonly lines: number;
}

type Reader = (lines: readonly string[], at: number) => Block | null;

export function proseHtml(text: string): string {
  const lines = text.split(/\r?\n/);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at) ?? paragraphAt(lines, at);
    blocks.push(block.html);
    at += block.lines;
  }
  return `<div class="prose">${blocks.join("")}</div>`;
}

export const preHtml = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const lineAt = (lines: readonly string[], at: number): string => lines[at] ?? "";

/** How many lines from `at` on pass. */
function countWhile(lines: readonly string[], at: number, passes: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && passes(lineAt(lines, end))) end += 1;
  return end - at;
}

/** In a list it is indented, and its code with it. With further backticks in its line it is code in a sentence. */
const fence: Reader = (lines, at) => {
  const line = lineAt(lines, at);
  const [opening, indent = "", mark] = /^(\s*)(`{3,}|~{3,})/.exec(line) ?? [];
  if (opening === undefined || mark === undefined) return null;
  if (mark.startsWith("`") && line.includes("`", opening.length)) return null;
  const isEnd = (line: string): boolean =>
    line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), "") === "";
  const count = countWhile(lines, at + 1, (line) => !isEnd(line));
  const code = lines.slice(at + 1, at + 1 + count).map((line) => withoutIndent(line, indent.length));
  return { html: preHtml(code.join("\n")), lines: count + 2 };
};

function withoutIndent(line: string, most: number): string {
  let start = 0;
  while (start < most && /\s/.test(line.charAt(start))) start += 1;
  return line.slice(start);
}

const heading: Reader = (lines, at) => {
  const line = lineAt(lines, at);
  const marks = /^ {0,3}#{1,6}(?=\s)/.exec(line)?.[0];
  const text = marks === undefined ? "" : withoutClosing(line.slice(marks.length).trim());
  return text === "" ? null : { html: `<h3>${inlineHtml(text)}</h3>`, lines: 1 };
};

/** Marks at the end of a heading close it where a space is before them. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "#") end -= 1;
  return end === text.length || !/\s/.test(text.charAt(end - 1)) ? text : text.slice(0, end).trimEnd();
}

const rule: Reader = (lines, at) =>
  /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(lineAt(lines, at)) ? { html: "<hr>", lines: 1 } : null;

const quotePattern = /^ {0,3}> ?/;
const quote: Reader = (lines, at) => {
  const count = countWhile(lines, at, (line) => quotePattern.test(line));
  if (count === 0) return null;
  const text = lines.slice(at, at + count).map((line) => line.replace(quotePattern, ""));
  return { html: `<blockquote>${text.map(inlineHtml).join("<br>")}</blockquote>`, lines: count };
};

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const isDivider = (line: string): boolean => cellsOf(line).every((cell) => /^:?-+:?$/.test(cell));

const table: Reader = (lines, at) => {
  if (!lineAt(lines, at).includes("|") || !isDivider(lineAt(lines, at + 1))) return null;
  const count = countWhile(lines, at + 2, (line) => line.includes("|"));
  const row = (line: string, tag: "th" | "td"): string =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`)
      .join("")}</tr>`;
  const body = lines.slice(at + 2, at + 2 + count).map((line) => row(line, "td"));
  return {
    html: `<div class="table"><table>${row(lineAt(lines, at), "th")}${body.join("")}</table></div>`,
    lines: count + 2,
  };
};

/** An item keeps its own mark, so that numbers and depth stay as the model wrote them. */
const itemPattern = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const list: Reader = (lines, at) => {
  const count = countWhile(lines, at, (line) => itemPattern.test(line));
  if (count === 0) return null;
  const items = lines.slice(at, at + count).map((line) => {
    const [, indent = "", mark = "", text = ""] = itemPattern.exec(line) ?? [];
    const depth = Math.min(3, Math.floor(indent.replaceAll("\t", "    ").length / 2));
    return `<p class="item depth${depth}"><span>${/\d/.test(mark) ? escapeHtml(mark) : "\u2022"}</span><span class="body">${inlineHtml(text)}</span></p>`;
  });
  return { html: items.join(""), lines: count };
};

const blank: Reader = (lines, at) => (lineAt(lines, at).trim() === "" ? { html: "", lines: 1 } : null);

const starts: readonly Reader[] = [fence, heading, rule, quote, table, list, blank];

function blockAt(lines: readonly string[], at: number): Block | null {
  for (const read of starts) {
    const block = read(lines, at);
    if (block !== null) return block;
  }
  return null;
}

function paragraphAt(lines: readonly string[], at: number): Block {
  let end = at + 1;
  while (end < lines.length && blockAt(lines, end) === null) end += 1;
  return { html: `<p>${lines.slice(at, end).map(inlineHtml).join("<br>")}</p>`, lines: end - at };
}

/** What stands in code is not emphasis. A text cannot bring `&#42;` itself: its `&` is escaped. */
const inlineHtml = (text: string): string =>
  emphasised(
    text
      .split(/(`[^`\n]+`)/)
      .map((piece, index) =>
        index % 2 === 1 ? `<code>${escapeHtml(piece.slice(1, -1)).replaceAll("*", "&#42;")}</code>` : escapeHtml(piece),
      )
      .join(""),
  ).replaceAll("&#42;", "*");

const emphasised = (html: string): string =>
  html
    .replace(/\*\*(?=\S)([^*]+?)(?<=\S)\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "<em>$1</em>");
