/** Parses SEARCH/REPLACE blocks and Codex patches into arguments of the built-in tools. Pure. */
import type { Json } from "@/lib/events/content";

type StringEdit = { readonly old_string: string; readonly new_string: string };

/** The place of a block's head. */
const blockStart = /^(?=(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?$)/m;
const searchReplaceBlock =
  /^(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?\n(?:(?::(?:start|end)_line:.*\r?\n)+-{5,}[ \t]*\r?\n)?([^]*?)(?:\r?\n)?^={5,9}[ \t]*\r?\n([^]*?)(?:\r?\n)?^(?:\+{5,9}|>{5,9}) ?REPLACE>?[ \t]*$/m;

const separatorLine = /^={5,}[ \t]*\r?$/gm;

/** Lines that may be markers of the block itself: a rule below the head, an escaped marker. */
const ambiguousMarker = /^(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?\n-{5,}[ \t]*\r?$|^\\(?:[=<>+]{5,}|-{5,})/m;

/**
 * Returns whether the separator is ambiguous: a heading's underline looks the same, and a wrong guess would corrupt
 * the file.
 */
const isAmbiguousBlock = (text: string): boolean =>
  text.match(separatorLine)?.length !== 1 || ambiguousMarker.test(text);

/** Parses the blocks of `diff`. Returns null if there is none, one is ambiguous, or other text lies between them. */
export function parseSearchReplaceEdits(diff: string): Json | null {
  const edits = diff
    .split(blockStart)
    .filter((part) => part.trim() !== "")
    .map(parseBlock);
  return edits.length === 0 || edits.includes(null) ? null : edits;
}

/** Parses one block, with one head. Takes linear time, since it has one separator. */
function parseBlock(text: string): StringEdit | null {
  if (isAmbiguousBlock(text)) return null;
  const [whole, before = "", after = ""] = searchReplaceBlock.exec(text) ?? [];
  if (whole === undefined || !text.startsWith(whole) || text.slice(whole.length).trim() !== "") return null;
  return { old_string: before, new_string: after };
}

const patchFileHeader = /^\*\*\* (Add|Update|Delete) File: (.+?)[ \t]*$/;

function parseHunks(lines: readonly string[]): readonly StringEdit[] | null {
  const edits: { before: string[]; after: string[] }[] = [];
  for (const line of lines) {
    if (/^\*\*\* (?:Move to|End of File)/.test(line)) {
      if (line.startsWith("*** Move")) return null;
      continue;
    }
    if (line.startsWith("@@") || edits.length === 0) edits.push({ before: [], after: [] });
    if (line.startsWith("@@")) continue;
    const hunk = edits.at(-1);
    const body = line.slice(1);
    if (line.startsWith("-") || line.startsWith(" ") || line === "") hunk?.before.push(body);
    if (line.startsWith("+") || line.startsWith(" ") || line === "") hunk?.after.push(body);
    if (!/^[-+ ]|^$/.test(line)) return null;
  }
  const hunks = edits.filter(({ before, after }) => before.length + after.length > 0);
  // A hunk of added lines only gives its position by a heading; placing it would be a guess.
  if (hunks.length === 0 || hunks.some(({ before }) => before.join("").trim() === "")) return null;
  return hunks.map(({ before, after }) => ({ old_string: before.join("\n"), new_string: after.join("\n") }));
}

/** Converts a patch of one file to a call; null for several files, moves, and anything ambiguous. */
export function parsePatchCall(patch: string): { readonly name: string; readonly input: Json } | null {
  const inner = /\*\*\* Begin Patch\r?\n([^]*?)\r?\n\*\*\* End Patch/.exec(patch)?.[1];
  if (inner === undefined) return null;
  const [first = "", ...lines] = inner.split(/\r?\n/);
  const [, action, path] = patchFileHeader.exec(first) ?? [];
  if (action === undefined || path === undefined || lines.some((line) => patchFileHeader.test(line))) return null;
  if (action === "Delete") return lines.join("").trim() === "" ? { name: "delete", input: { path } } : null;
  if (action === "Add") {
    if (!lines.every((line) => line.startsWith("+"))) return null;
    return { name: "write", input: { path, content: `${lines.map((line) => line.slice(1)).join("\n")}\n` } };
  }
  const edits = parseHunks(lines);
  return edits === null ? null : { name: "edit", input: { path, edits: [...edits] } };
}
