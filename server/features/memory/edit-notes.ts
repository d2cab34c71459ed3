/** Changes of the notes line by line: adding, replacing and undoing. The other lines, their ends and places stay. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { lineSimilarity, splitWords } from "@/lib/text/word-marks";
import { formatRemembered, rememberedMaxChars, toRememberedText } from "./remembered-line";

interface NoteChange {
  /** The whole text of the file. */
  readonly text: string;
  /** null = the note was there already. */
  readonly change: AddedNote | null;
}

interface AddedNote {
  /** The line that is there now. */
  readonly line: string;
  /** The lines that it replaced, joined by line breaks. */
  readonly replaced?: string;
  /** Position of each of them, in lines from the one whose place the new line has; absent = 0, 1, 2 and so on. */
  readonly replacedAt?: readonly number[];
}

interface NoteInput {
  readonly text: string;
  /** Text of the line to replace, whole or in part. */
  readonly replaces?: string;
}

/** Notes that are named where the one to replace is not clear, and characters of each. */
const maxNamedNotes = 3;
const namedNoteChars = 100;
/** The last notes, which are compared to name the nearest ones: each comparison takes some µs. */
const maxComparedNotes = 1_000;
/** Least similarity of a note that is named. */
const minSimilarity = 0.3;

const isHeading = (line: string): boolean => /^\s*#/.test(line);

/** Returns the text by which notes are compared. A heading is no note. */
const toKey = (line: string): string =>
  isHeading(line)
    ? ""
    : toRememberedText(line)
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[.。]$/, "");

/**
 * Adds a line at the end, or in the place of the first one it replaces, of whose section the others to replace and those
 * with the same text are removed; other sections stay as they are. Fails with bad_input for a text that is empty, with
 * too_large, and with no_match and ambiguous for the line to replace, whose fact `notes` names the nearest ones.
 */
export function addNote(notes: string, { text, replaces }: NoteInput, day: string): Result<NoteChange> {
  const noted = toRememberedText(text);
  if (noted === "") return fail("bad_input");
  if (noted.length > rememberedMaxChars) return fail("too_large", undefined, { limit: rememberedMaxChars });
  const before = splitNotes(notes);
  const { lines, lineEnd } = before;
  const found = replaces === undefined || replaces.trim() === "" ? ok([]) : findLines(lines, replaces);
  const alike = lines.flatMap((line, at) => (toKey(line) === toKey(noted) ? [at] : []));
  // A repeated call finds what the first one wrote.
  const isReplaced = !found.ok && found.error.code === "no_match";
  if (alike.length > 0 && (isReplaced || (found.ok && found.value.length === 0)))
    return ok({ text: notes, change: null });
  if (!found.ok) return found;
  const line = formatRemembered(day, noted);
  const [place] = found.value;
  if (place === undefined) return ok({ text: joinNotes([...lines, line], lineEnd, lineEnd), change: { line } });
  const start = lines.slice(0, place).findLastIndex(isHeading);
  const nextHeading = lines.findIndex((one, at) => at > place && isHeading(one));
  const end = nextHeading < 0 ? lines.length : nextHeading;
  const removed = [...new Set([...found.value, ...alike])]
    .filter((at) => at > start && at < end)
    .toSorted((one, other) => one - other);
  const next = lines.flatMap((one, at) => (at === place ? [line] : removed.includes(at) ? [] : [one]));
  const replacedAt = removed.map((at) => at - place);
  return ok({
    text: joinNotes(next, lineEnd, before.end),
    change: {
      line,
      replaced: removed.map((at) => lines[at] ?? "").join("\n"),
      ...(replacedAt.every((at, index) => at === index) ? {} : { replacedAt }),
    },
  });
}

/**
 * Takes a line back and restores those it replaced in their places. Fails with changed_meanwhile if the line is not there
 * any more, or if it replaced others and is there more than once.
 */
export function undoNote(notes: string, { line, replaced, replacedAt }: AddedNote): Result<string> {
  const { lines, lineEnd, end } = splitNotes(notes);
  const at = lines.lastIndexOf(line);
  if (at < 0 || (replaced !== undefined && lines.indexOf(line) !== at)) return fail("changed_meanwhile");
  const next = lines.toSpliced(at, 1);
  const restored = replaced?.split("\n") ?? [];
  const offsets = restored.map((_line, index) => replacedAt?.[index] ?? index);
  const place = at + offsets.filter((offset) => offset < 0).length;
  // In ascending order, so that those before are back in their places.
  for (const [index, one] of restored.entries()) next.splice(Math.max(0, place + (offsets[index] ?? index)), 0, one);
  return ok(joinNotes(next, lineEnd, end));
}

interface NoteLines {
  /** Without the blank ones at the end. */
  readonly lines: readonly string[];
  /** Line end of the text; if it has both kinds, that of Unix. */
  readonly lineEnd: string;
  /** Text after the last line. */
  readonly end: string;
}

function splitNotes(text: string): NoteLines {
  const written = text.trimEnd();
  const lineEnd = text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text) ? "\r\n" : "\n";
  return { lines: written === "" ? [] : written.split(/\r?\n/), lineEnd, end: text.slice(written.length) };
}

const joinNotes = (lines: readonly string[], lineEnd: string, end: string): string =>
  lines.length === 0 ? "" : `${lines.join(lineEnd)}${end}`;

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
    .slice(-maxComparedNotes)
    .map((line) => ({ line, similarity: lineSimilarity(splitWords(toKey(line).slice(0, namedNoteChars)), words) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, maxNamedNotes)
    .map(({ line }) => toNamedNote(line));
}
