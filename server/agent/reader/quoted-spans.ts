/** Finds quoted text: code fences, inline code, quotations, comments, shown files, results. */
import { matchAt } from "@/server/base/match-at";

interface CodeFence {
  /** lower case, "" = none */
  readonly language: string;
  readonly bodyStart: number;
  /** Offset after the closing fence, or the end of the text. */
  readonly end: number;
}

const fenceOpen = /(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*(?:\n|$)/y;

/** Reads the first line of a code fence at the start of `text`, once that line is complete. */
export function readFenceHead(
  text: string,
): { readonly marks: string; readonly language: string; readonly length: number } | null {
  const found = matchAt(fenceOpen, text, 0);
  if (found === null || !found[0].endsWith("\n")) return null;
  return { marks: found[1] ?? "```", language: (found[2] ?? "").toLowerCase(), length: found[0].length };
}

/** Reads the code fence that opens at `at`. */
export function readFence(text: string, at: number): CodeFence | null {
  const found = matchAt(fenceOpen, text, at);
  if (found === null) return null;
  const marks = found[1] ?? "```";
  const bodyStart = at + found[0].length;
  const one = marks.startsWith("~") ? "~" : "`";
  const close = new RegExp(`^[ \\t]*${one}{${marks.length},}[ \\t]*(?:<[^<>\n]{1,40}>[ \\t]*)?$`, "gm");
  close.lastIndex = bodyStart;
  const closed = close.exec(text);
  const end = closed === null ? text.length : closed.index + closed[0].length;
  return { language: (found[2] ?? "").toLowerCase(), bodyStart, end };
}

/** Longer inline code is a stray backtick. */
const inlineMaxChars = 2_000;

/** Offset after the inline code that opens at `at`, on one line; after its backticks if it never closes. */
function findInlineCodeEnd(text: string, at: number): number {
  const marks = matchAt(/`+/y, text, at)?.[0].length ?? 1;
  const start = at + marks;
  const window = text.slice(start, start + inlineMaxChars);
  const newLine = window.indexOf("\n");
  const line = newLine < 0 ? window : window.slice(0, newLine);
  for (const run of line.matchAll(/`+/g)) if (run[0].length === marks) return start + run.index + marks;
  return start;
}

const quotingOpener =
  /<(example|examples|code|pre|file|file_content|file_contents|document|documents|blockquote|result|output|diff|samp|system-reminder|details|quote|q|kbd|template|sample)(?:\s[^<>]*)?>/iy;

/** Tool results: quoted if the element closes, otherwise its tag is a stray one. */
const resultElement =
  /<(tool_response|tool_results?|tool_outputs?|function_results?|function_response|observation)(?:\s[^<>]*)?>/iy;

/** Matches the quoting element or comment at the start of `text`; `hold` = only its closer decides. */
export function matchQuotingElement(
  text: string,
): { readonly kind: "quoted"; readonly until: RegExp } | { readonly kind: "hold" } | null {
  if (text.startsWith("<!--")) return { kind: "quoted", until: /-->/ };
  if (matchAt(resultElement, text, 0) !== null) return { kind: "hold" };
  const name = matchAt(quotingOpener, text, 0)?.[1];
  return name === undefined ? null : { kind: "quoted", until: new RegExp(`</${name}>`) };
}

/** Offset after the quoted range at `at`; `at` if there is none. A quoting tag that never closes quotes the rest. */
export function findQuotedEnd(text: string, at: number): number {
  const character = text[at];
  if (character === "`") return findInlineCodeEnd(text, at);
  if (character === ">") {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (character !== "<") return at;
  const comment = text.startsWith("<!--", at);
  const quotedResult = comment ? null : matchAt(resultElement, text, at);
  const found = comment ? null : (quotedResult ?? matchAt(quotingOpener, text, at));
  if (!comment && found === null) return at;
  const closer = comment ? "-->" : `</${found?.[1] ?? ""}>`;
  const end = text.indexOf(closer, at);
  if (end >= 0) return end + closer.length;
  return quotedResult === null ? text.length : at;
}

/** Start of a line of a list, patch, table, comment, heading, numbered file or log. */
const quotedLine =
  /^\s*(?:[-+|>#]|\*\s|\[\^?\w+\]:|\/\/|\/\*|\d+[.):|\t ]|\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d|\$ |>>> )|\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b/;
/** Text after a mark that a sentence names. */
const afterMention = /[ \t]+(?!(?:json|code|commentary)\b)\p{L}|[,.;)](?:\s|$)/uy;
const undecidedMention = /(?:[ \t]*(?:[ \t](?:j|js|jso|json?|c|co|cod|code|com\w*))?|[,.;)])$/y;

/** Whether the text before a mark on its line is an unfinished sentence. */
export const isInSentence = (line: string): boolean =>
  line.trim() !== "" && !/[:：.。!！?？…)>*\]`"'“‘「『][ \t]*$/.test(line);

/**
 * Decides by the text behind a mark inside a sentence whether the sentence names the mark; `wait` = the text ends too
 * early.
 */
export function classifyMention(text: string, end: number): "mention" | "mark" | "wait" {
  if (matchAt(undecidedMention, text, end) !== null) return "wait";
  return matchAt(afterMention, text, end) === null ? "mark" : "mention";
}

const sentenceEndPattern = /[:：.。!！…)>\]*]\s*$/;
/** A longer line before a call is not a lead-in. */
const leadLineMaxChars = 400;

/**
 * Whether a call may begin at `at`, by the text before it on its line: nothing, or words; before bare JSON a
 * sentence. `from` = end of the previous part.
 */
export function mayBeginCall(text: string, at: number, from: number, marked: boolean): boolean {
  const windowStart = Math.max(0, at - leadLineMaxChars);
  const newLine = text.slice(windowStart, at).lastIndexOf("\n");
  if (newLine < 0 && windowStart > from) return false;
  const lineStart = windowStart + newLine + 1;
  const start = Math.max(from, lineStart);
  const line = text.slice(start, at);
  if (line.trim() === "" || /^\s*[,;]\s*$/.test(line))
    return marked || start > lineStart || line.length < 4 || text.slice(0, start).trim() === "";
  if (quotedLine.test(line) || /[`"'“‘「『]$/.test(line)) return false;
  return marked || sentenceEndPattern.test(line);
}
