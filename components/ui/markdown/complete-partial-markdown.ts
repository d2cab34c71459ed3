/**
 * Completes the unfinished end of a streaming markdown text for display: hides half a marker, closes open emphasis and
 * code spans, reduces half a link to its text, shows a header row as a table. Applied only while the text streams.
 */

/** A last line whose block type is still ambiguous. */
const ambiguousEnd = /(?:^|\n)[ \t]*(?:[-=*_+#>|~`:]+|\d{1,9}[.)]?|[-*+] \[[ xX]?\]?|<!?-{0,2})[ \t]*$/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Whether a fence is open at the end of the text, or its opening line is still incomplete. */
function findFenceState(text: string): "no" | "opening" | "inside" {
  let fence = "";
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const match = fenceLine.exec(line);
    if (match === null) continue;
    const [, marker = "", rest = ""] = match;
    const last = index === lines.length - 1;
    if (fence === "") {
      if (marker.startsWith("`") && rest.includes("`")) continue;
      if (last) return "opening";
      fence = marker;
    } else if (marker.startsWith(fence) && rest.trim() === "") {
      if (!last) fence = "";
    }
  }
  return fence === "" ? "no" : "inside";
}

const dropLastLine = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf("\n")));

/** Offset of the last paragraph, list item, heading or table row. */
function lastPartOffset(text: string): number {
  let start = 0;
  for (const match of text.matchAll(/\n(?=[ \t]*(?:[-*+] |\d+[.)] |\||>|#{1,6} |\n))/g)) start = match.index + 1;
  return start;
}

/** Closes open spans; code spans first, since their content is literal. */
function closeSpans(part: string): string {
  const open: string[] = [];
  let index = 0;
  while (index < part.length) {
    const run = /^(?:`+|\*\*|\*|~~|__|_|\\.)/s.exec(part.slice(index, index + 64))?.[0];
    if (run === undefined) {
      index += 1;
      continue;
    }
    const after = part.slice(index + run.length);
    if (run.startsWith("`")) {
      const end = new RegExp(`(?<!\`)${run}(?!\`)`).exec(after);
      if (end === null) return appendClosers(after === "" ? part.slice(0, index) : `${part}${run}`, open);
      index += run.length + end.index + run.length;
      continue;
    }
    if (!run.startsWith("\\")) toggleSpan(open, run, part[index - 1] ?? " ", after);
    index += run.length;
  }
  return appendClosers(part, open);
}

function toggleSpan(open: string[], run: string, before: string, after: string): void {
  const at = open.lastIndexOf(run);
  if (at >= 0 && !/\s/.test(before)) open.splice(at);
  else if (after === "" || (/^\S/.test(after) && (!run.startsWith("_") || /\W/.test(before)))) open.push(run);
}

function appendClosers(part: string, open: readonly string[]): string {
  let text = part;
  for (const run of [...open].reverse()) {
    text = text.trimEnd();
    text = text.endsWith(run) ? text.slice(0, -run.length).trimEnd() : text + run;
  }
  return text;
}

/** Reduces a link with an incomplete address to its text; removes an opened bracket or image. */
const reducePartialLink = (part: string): string =>
  part
    .replace(/!\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, "")
    .replace(/\[([^\]\n]*)\]\([^)\n]*$/, "$1")
    .replace(/(^|[\s(])\[([^\]\n]*)$/, "$1$2");

/** Completes a header row that has no delimiter row yet. */
function completeHeaderRow(part: string): string {
  if (!/^[ \t]*\|.*\|[^\n]*$/.test(part) && !/^[ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|?[-:| \t]*$/.test(part)) return part;
  const header = part.split("\n")[0]?.trimEnd() ?? "";
  const row = header.endsWith("|") ? header : `${header} |`;
  const columns = row.split("|").length - 2;
  return columns < 1 ? part : `${row}\n|${" - |".repeat(columns)}`;
}

export function completePartialMarkdown(text: string): string {
  const fence = findFenceState(text);
  if (fence === "opening") return dropLastLine(text);
  if (fence === "inside") return /\n {0,3}(`+|~+)[ \t]*$/.test(text) ? dropLastLine(text) : text;
  const decided = ambiguousEnd.test(text) ? dropLastLine(text) : text;
  const start = lastPartOffset(decided);
  const part = decided.slice(start);
  const previous = decided.slice(0, start);
  if (/^[ \t]*\|/.test(part))
    return /(?:^|\n)[ \t]*\|[^\n]*\n$/.test(previous) ? decided : previous + completeHeaderRow(part);
  return previous + closeSpans(reducePartialLink(part));
}
