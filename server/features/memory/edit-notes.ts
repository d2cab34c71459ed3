/** Changes of the notes line by line: adding, replacing and undoing. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { formatRemembered, rememberedMaxChars, toRememberedText } from "./remembered-line";

export interface NoteChange {
  /** The whole text of the file. */
  readonly text: string;
  /** The line that is there now, and the one it replaced; null = the note was there already. */
  readonly change: { readonly line: string; readonly replaced?: string } | null;
}

interface NoteInput {
  readonly text: string;
  /** Text of the line to replace, whole or in part. */
  readonly replaces?: string;
}

/** What is compared of a note. A heading is no note. */
const toKey = (line: string): string =>
  /^\s*#/.test(line)
    ? ""
    : toRememberedText(line)
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[.。]$/, "");

/**
 * Adds a line. Fails with bad_input for a text that is empty or too long, with no_match and ambiguous for the line to
 * replace.
 */
export function addNote(notes: string, { text, replaces }: NoteInput, day: string): Result<NoteChange> {
  const noted = toRememberedText(text);
  if (noted === "") return fail("bad_input");
  if (noted.length > rememberedMaxChars) return fail("too_large", undefined, { limit: rememberedMaxChars });
  const lines = toLines(notes);
  const replacedAt = replaces === undefined || replaces.trim() === "" ? ok(-1) : findLine(lines, replaces);
  if (!replacedAt.ok) return replacedAt;
  const isThere = lines.some((line, at) => at !== replacedAt.value && toKey(line) === toKey(noted));
  const line = formatRemembered(day, noted);
  const replaced = lines[replacedAt.value];
  if (replaced === undefined && isThere) return ok({ text: notes, change: null });
  const others = lines.filter((_line, at) => at !== replacedAt.value);
  return ok({ text: toText([...others, line]), change: { line, ...(replaced === undefined ? {} : { replaced }) } });
}

/** Takes a line back and restores the one it replaced. Fails with changed_meanwhile if the line is not there any more. */
export function undoNote(
  notes: string,
  { line, replaced }: { readonly line: string; readonly replaced?: string },
): Result<string> {
  const lines = toLines(notes);
  const at = lines.lastIndexOf(line);
  if (at < 0) return fail("changed_meanwhile");
  return ok(toText(lines.flatMap((one, index) => (index !== at ? [one] : replaced === undefined ? [] : [replaced]))));
}

/** Lines without the blank ones at the end. */
const toLines = (text: string): readonly string[] => (text.trim() === "" ? [] : text.trimEnd().split(/\r?\n/));
const toText = (lines: readonly string[]): string => (lines.length === 0 ? "" : `${lines.join("\n")}\n`);

/** The index of the line with this text, else of the only line that contains it. */
function findLine(lines: readonly string[], text: string): Result<number> {
  const key = toKey(text);
  const equal = lines.findLastIndex((line) => key !== "" && toKey(line) === key);
  if (equal >= 0) return ok(equal);
  const containing = lines.flatMap((line, at) => (key !== "" && toKey(line).includes(key) ? [at] : []));
  const [only] = containing;
  if (only === undefined) return fail("no_match");
  return containing.length === 1 ? ok(only) : fail("ambiguous");
}
