/** Changes of the notes line by line: adding, replacing and undoing. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { lineSimilarity, splitWords } from "@/lib/text/word-marks";
import { formatRemembered, rememberedMaxChars, toRememberedText } from "./remembered-line";

export interface NoteChange {
  /** The whole text of the file. */
  readonly text: string;
  /** The line that is there now, and the lines it replaced, joined by line breaks; null = the note was there already. */
  readonly change: { readonly line: string; readonly replaced?: string } | null;
}

interface NoteInput {
  readonly text: string;
  /** Text of the line to replace, whole or in part. */
  readonly replaces?: string;
}

/** Notes that are named where the one to replace is not clear, and characters of each. */
const maxNamedNotes = 3;
const namedNoteChars = 100;
/** Least similarity of a note that is named. */
const minSimilarity = 0.3;

const isHeading = (line: string): boolean => /^\s*#/.test(line);

/** What is compared of a note. A heading is no note. */
const toKey = (line: string): string =>
  isHeading(line)
    ? ""
    : toRememberedText(line)
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[.。]$/, "");

/**
 * Adds a line, instead of the replaced one and of each line with the same text: at the end, or in the place of the replaced
 * one where another section follows. Fails with bad_input for a text that is empty, with too_large, and with no_match and
 * ambiguous for the line to replace, whose fact `notes` names the nearest ones.
 */
export function addNote(notes: string, { text, replaces }: NoteInput, day: string): Result<NoteChange> {
  const noted = toRememberedText(text);
  if (noted === "") return fail("bad_input");
  if (noted.length > rememberedMaxChars) return fail("too_large", undefined, { limit: rememberedMaxChars });
  const lines = toLines(notes);
  const found = replaces === undefined || replaces.trim() === "" ? ok([]) : findLines(lines, replaces);
  const alike = lines.flatMap((line, at) => (toKey(line) === toKey(noted) ? [at] : []));
  // A repeated call finds what the first one wrote.
  const isReplaced = !found.ok && found.error.code === "no_match";
  if (alike.length > 0 && (isReplaced || (found.ok && found.value.length === 0)))
    return ok({ text: notes, change: null });
  if (!found.ok) return found;
  const line = formatRemembered(day, noted);
  const removed = new Set([...found.value, ...alike]);
  const last = found.value.at(-1) ?? lines.length;
  const isInSection = lines.slice(last + 1).some(isHeading);
  const next = lines.flatMap((one, at) => {
    if (isInSection && at === last) return [line];
    return removed.has(at) ? [] : [one];
  });
  const replaced = lines.filter((_line, at) => removed.has(at)).join("\n");
  return ok({
    text: toText(isInSection ? next : [...next, line]),
    change: { line, ...(removed.size === 0 ? {} : { replaced }) },
  });
}

/** Takes a line back and restores those it replaced. Fails with changed_meanwhile if the line is not there any more. */
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

/** The indexes of the lines with this text, else of the only note that contains it, each time it is there. */
function findLines(lines: readonly string[], text: string): Result<readonly number[]> {
  const key = toKey(text);
  const keys = lines.map(toKey);
  const at = (isFound: (one: string) => boolean): readonly number[] =>
    keys.flatMap((one, index) => (key !== "" && isFound(one) ? [index] : []));
  const equal = at((one) => one === key);
  if (equal.length > 0) return ok(equal);
  const containing = at((one) => one.includes(key));
  if (containing.length === 0) return fail("no_match", undefined, { notes: nearestNotes(lines, key) });
  if (new Set(containing.map((index) => keys[index])).size === 1) return ok(containing);
  const notes = containing.map((index) => lines[index] ?? "");
  return fail("ambiguous", undefined, { notes: notes.slice(0, maxNamedNotes).map(toNamedNote) });
}

const toNamedNote = (line: string): string => toRememberedText(line).slice(0, namedNoteChars);

function nearestNotes(lines: readonly string[], key: string): readonly string[] {
  const words = splitWords(key);
  return lines
    .filter((line) => toKey(line) !== "")
    .map((line) => ({ line, similarity: lineSimilarity(splitWords(toKey(line).slice(0, namedNoteChars)), words) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, maxNamedNotes)
    .map(({ line }) => toNamedNote(line));
}
