/** What is quoted and not said: code fences, inline code, quotations, comments, shown files, results. Used by scan. */
import { matchAt } from "./source";

export interface CodeFence {
  /** lower case, "" = none named */
  readonly language: string;
  readonly bodyStart: number;
  /** Behind the closing fence, or the end of the text. */
  readonly end: number;
}

const fenceOpen = /(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*(?:\n|$)/y;

/** The first line of a code fence at the start of `text`, once its line is complete. */
export function readFenceHead(
  text: string,
): { readonly marks: string; readonly language: string; readonly length: number } | null {
  const found = matchAt(fenceOpen, text, 0);
  if (found === null || !found[0].endsWith("\n")) return null;
  return { marks: found[1] ?? "```", language: (found[2] ?? "").toLowerCase(), length: found[0].length };
}

/** The code fence that opens at `at`. */
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

/** Inline code longer than this is a stray backtick. */
const inlineMaxChars = 2_000;

/** Behind the inline code that opens at `at`, on one line; behind its backticks when it never closes. */
function inlineEnd(text: string, at: number): number {
  const marks = matchAt(/`+/y, text, at)?.[0].length ?? 1;
  const start = at + marks;
  const window = text.slice(start, start + inlineMaxChars);
  const newLine = window.indexOf("\n");
  const line = newLine < 0 ? window : window.slice(0, newLine);
  for (const run of line.matchAll(/`+/g)) if (run[0].length === marks) return start + run.index + marks;
  return start;
}

const quoting =
  /<(example|examples|code|pre|file|file_content|file_contents|document|documents|blockquote|result|output|diff|samp|system-reminder|details|quote|q|kbd|template|sample)(?:\s[^<>]*)?>/iy;

/** What only a tool can say: it is quoted when it closes, otherwise its tag is a stray one. */
const result =
  /<(tool_response|tool_results?|tool_outputs?|function_results?|function_response|observation)(?:\s[^<>]*)?>/iy;

/** The element or comment at the start of `text` that quotes what stands in it; `hold` = only its closer tells. */
export function quotedForm(
  text: string,
): { readonly kind: "quoted"; readonly until: RegExp } | { readonly kind: "hold" } | null {
  if (text.startsWith("<!--")) return { kind: "quoted", until: /-->/ };
  if (matchAt(result, text, 0) !== null) return { kind: "hold" };
  const name = matchAt(quoting, text, 0)?.[1];
  return name === undefined ? null : { kind: "quoted", until: new RegExp(`</${name}>`) };
}

/** Behind what is quoted from `at` on; `at` when nothing is. A quoted tag that never closes quotes the rest. */
export function shieldEnd(text: string, at: number): number {
  const here = text[at];
  if (here === "`") return inlineEnd(text, at);
  if (here === ">") {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (here !== "<") return at;
  const comment = text.startsWith("<!--", at);
  const told = comment ? null : matchAt(result, text, at);
  const found = comment ? null : (told ?? matchAt(quoting, text, at));
  if (!comment && found === null) return at;
  const closer = comment ? "-->" : `</${found?.[1] ?? ""}>`;
  const end = text.indexOf(closer, at);
  if (end >= 0) return end + closer.length;
  return told === null ? text.length : at;
}

/** A line that begins like this is of a list, a patch, a table, a comment, a heading, a numbered file or a log. */
const shownLine =
  /^\s*(?:[-+|>#]|\*\s|\[\^?\w+\]:|\/\/|\/\*|\d+[.):|\t ]|\[?\d{4}-\d\d-\d\d|\d\d:\d\d|\$ |>>> )|\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b/;
const sentenceEnd = /[:：.。!！…)>\]*]\s*$/;
/** A longer line before a call is no lead-in. */
const leadLineMaxChars = 400;

/**
 * Whether a call may begin at `at`, judged by what stands before it on its line: nothing, or words. Before bare JSON the
 * words must be a sentence. `from` = where the last part ended.
 */
export function mayBegin(text: string, at: number, from: number, marked: boolean): boolean {
  const windowStart = Math.max(0, at - leadLineMaxChars);
  const newLine = text.slice(windowStart, at).lastIndexOf("\n");
  if (newLine < 0 && windowStart > from) return false;
  const lineStart = windowStart + newLine + 1;
  const start = Math.max(from, lineStart);
  const line = text.slice(start, at);
  if (line.trim() === "" || /^\s*[,;]\s*$/.test(line))
    return marked || start > lineStart || line.length < 4 || text.slice(0, start).trim() === "";
  if (shownLine.test(line) || /[`"'“‘「『]$/.test(line)) return false;
  return marked || sentenceEnd.test(line);
}
