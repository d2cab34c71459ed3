/** Edits written as SEARCH/REPLACE blocks or as a patch of Codex, as arguments of our tools. Pure; used by aliases. */
import type { Json } from "@/lib/content";

type Edit = { readonly old_string: string; readonly new_string: string };

const block =
  /^(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?\n(?:(?::(?:start|end)_line:.*\r?\n)+-{5,}[ \t]*\r?\n)?([^]*?)(?:\r?\n)?^={5,9}[ \t]*\r?\n([^]*?)(?:\r?\n)?^(?:\+{5,9}|>{5,9}) ?REPLACE>?[ \t]*$/gm;

const separator = /^={5,}[ \t]*\r?$/gm;

/** Lines of the text that may be meant as marks of the block: a rule below the head, another head, an escaped mark. */
const markLike =
  /^(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?\n-{5,}[ \t]*\r?$|\n(?:-{5,9}|<{5,9}) ?SEARCH>?[ \t]*\r?$|^\\(?:[=<>+]{5,}|-{5,})/m;

/** Only one line can be the separator: a heading's underline looks the same, and a guess would corrupt the file. */
const isUnclear = (text: string): boolean => text.match(separator)?.length !== 1 || markLike.test(text);

/** The blocks of `diff`; null when there is none, one is unclear, or something else is between them. */
export function searchReplaceEdits(diff: string): Json | null {
  const found = [...diff.matchAll(block)];
  if (found.length === 0 || diff.replaceAll(block, "").trim() !== "") return null;
  if (found.some(([text]) => isUnclear(text))) return null;
  return found.map(([, before = "", after = ""]): Edit => ({ old_string: before, new_string: after }));
}

const fileLine = /^\*\*\* (Add|Update|Delete) File: (.+?)[ \t]*$/;

function editsOf(lines: readonly string[]): readonly Edit[] | null {
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
  // Lines that are only added say where they go by a heading, which would be a guess.
  if (hunks.length === 0 || hunks.some(({ before }) => before.join("").trim() === "")) return null;
  return hunks.map(({ before, after }) => ({ old_string: before.join("\n"), new_string: after.join("\n") }));
}

/** A patch of one file as a call; null for several files, moves, and anything unclear. */
export function patchCall(patch: string): { readonly name: string; readonly input: Json } | null {
  const inner = /\*\*\* Begin Patch\r?\n([^]*?)\r?\n\*\*\* End Patch/.exec(patch)?.[1];
  if (inner === undefined) return null;
  const [first = "", ...lines] = inner.split(/\r?\n/);
  const [, action, path] = fileLine.exec(first) ?? [];
  if (action === undefined || path === undefined || lines.some((line) => fileLine.test(line))) return null;
  if (action === "Delete") return lines.join("").trim() === "" ? { name: "delete", input: { path } } : null;
  if (action === "Add") {
    if (!lines.every((line) => line.startsWith("+"))) return null;
    return { name: "write", input: { path, content: `${lines.map((line) => line.slice(1)).join("\n")}\n` } };
  }
  const edits = editsOf(lines);
  return edits === null ? null : { name: "edit", input: { path, edits: [...edits] } };
}
