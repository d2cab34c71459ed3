/** Finds where an edit belongs and makes it: the matching ladder exact, line ends, quotes, indentation. Called by edit. Pure. */
import type { ErrorCode } from "@/lib/error";
import { diffSequences, numberTexts } from "@/lib/text/myers";
import { splitWords } from "@/lib/text/word-marks";
import type { Facts } from "@/lib/tool-kind";
import { findIndented } from "./indent-match";
import { nearestLines } from "./nearest-lines";
import { type Looseness, type NormalText, normalize } from "./normal-text";
import { newPlaceholder } from "./placeholder";

export interface EditRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type EditOutcome =
  | { readonly ok: true; readonly text: string; readonly places: number; readonly loose?: Facts["loose"] }
  /** `say` is for the model, without the name of the file. */
  | { readonly ok: false; readonly code: ErrorCode; readonly say: string };

/** A stretch of the file in UTF-16 offsets, and what stands there afterwards. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Found =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly replacements: readonly Replacement[] }
  | { readonly kind: "many"; readonly starts: readonly number[] };

/** Steps of the comparison of an old and a new string; larger ones are taken over word by word as the model wrote them. */
const mergeSteps = 2_000_000;
/** Line numbers named in a refusal. */
const namedPlaces = 6;
/** Counted places of a string that fits too often. */
const placesMax = 200;

/** The line end used around a place; `fallback` when the file has a single line. */
function eolAt(text: string, start: number, end: number, fallback: string): string {
  const inside = text.indexOf("\n", start);
  const at = inside >= 0 && inside < end ? inside : inside >= 0 ? inside : text.lastIndexOf("\n", start);
  if (at < 0) return fallback;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

const withEol = (text: string, eol: string): string => text.replaceAll("\r\n", "\n").replaceAll("\n", eol);

/** Where `part` stands in `whole`: all places that do not overlap, or the first `placesMax` that may. */
function placesOf(whole: string, part: string, all: boolean): number[] {
  const starts: number[] = [];
  const step = all ? part.length : 1;
  for (let at = whole.indexOf(part); at >= 0 && (all || starts.length < placesMax); at = whole.indexOf(part, at + step))
    starts.push(at);
  return starts;
}

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /[\p{L}\p{N}_]/u.test(unit);

/** A loose place must not begin or end within a word: the words of the line would differ. */
function cutsWord(whole: string, start: number, end: number): boolean {
  const cut = (at: number): boolean => isWordUnit(whole[at - 1]) && isWordUnit(whole[at]);
  return cut(start) || cut(end);
}

/** Words with every line break a word of its own. */
const wordsOf = (text: string): readonly string[] =>
  splitWords(text).flatMap((word) => (word.includes("\n") ? word.split(/(?<=\n)|(?=\r?\n)/) : [word]));

/**
 * The new string laid over what really stands in the file: words the edit keeps stay as the file has them, so that an edit that
 * overlooked typographic quotes or spaces at line ends does not change them.
 */
function layOver(actual: string, oldText: string, newText: string, loose: Looseness, eol: string): string {
  const oldWords = wordsOf(oldText);
  const newWords = wordsOf(newText);
  const normalActual = normalize(actual, loose);
  const normalOld = normalize(oldText, loose);
  // Normal offset of the first unit at or after an offset of the old text.
  const toNormal = (offset: number): number => {
    let low = 0;
    let high = normalOld.text.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((normalOld.offsets[half] ?? 0) < offset) low = half + 1;
      else high = half;
    }
    return low;
  };
  const slice = (from: number, to: number): string => {
    const first = toNormal(from);
    const last = toNormal(to) - 1;
    if (last < first) return "";
    const start = normalActual.offsets[first] ?? 0;
    const end = (normalActual.offsets[last] ?? 0) + 1;
    return actual.slice(actual[start] === "\n" && actual[start - 1] === "\r" ? start - 1 : start, end);
  };
  const number = numberTexts();
  const starts = [0];
  for (const word of oldWords) starts.push((starts.at(-1) ?? 0) + word.length);
  let out = "";
  let at = 0;
  for (const region of diffSequences(number(oldWords), number(newWords), { steps: mergeSteps })) {
    out += slice(starts[at] ?? 0, starts[region.oldStart] ?? 0);
    out += withEol(newWords.slice(region.newStart, region.newEnd).join(""), eol);
    at = region.oldEnd;
  }
  return out + slice(starts[at] ?? 0, oldText.length);
}

/** One step that overlooks something: the old string must fit in one place (or in all of them with `all`). */
function findLoosely(
  file: NormalText,
  original: string,
  edit: EditRequest,
  loose: Looseness,
  fallback: string,
  all: boolean,
): Found {
  const { text: wanted } = normalize(edit.oldText, loose);
  // "\n" at the end also fits the end of a file without a final newline.
  const atEnd = wanted.endsWith("\n") && !file.text.endsWith("\n");
  const whole = atEnd ? `${file.text}\n` : file.text;
  if (wanted.trim() === "") return { kind: "none" };
  const cutAtEnd = /[ \t\u00a0]$/.test(edit.oldText) && loose !== "breaks";
  const fits = (start: number): boolean => {
    const end = start + wanted.length;
    if (cutAtEnd && whole[end] !== "\n" && end !== whole.length) return false;
    return loose === "breaks" || !cutsWord(whole, start, end);
  };
  const starts = placesOf(whole, wanted, all).filter(fits);
  if (starts.length === 0) return { kind: "none" };
  const originalAt = (normal: number): number => file.offsets[Math.min(normal, file.text.length)] ?? original.length;
  if (starts.length > 1 && !all) return { kind: "many", starts: starts.map(originalAt) };
  const replacements = starts.map((normalStart): Replacement => {
    const overEnd = normalStart + wanted.length > file.text.length;
    const start = startOf(original, originalAt(normalStart));
    const end = overEnd ? original.length : (file.offsets[normalStart + wanted.length - 1] ?? 0) + 1;
    const oldText = overEnd ? edit.oldText.replace(/\r?\n$/, "") : edit.oldText;
    const newText = overEnd ? edit.newText.replace(/\r?\n$/, "") : edit.newText;
    return {
      start,
      end,
      text: layOver(original.slice(start, end), oldText, newText, loose, eolAt(original, start, end, fallback)),
    };
  });
  return { kind: "one", replacements };
}

/** A stretch that begins with a line break begins before its "\r". */
const startOf = (original: string, offset: number): number =>
  original[offset] === "\n" && original[offset - 1] === "\r" ? offset - 1 : offset;

function findExactly(original: string, edit: EditRequest, fallback: string): Found {
  const starts = placesOf(original, edit.oldText, edit.replaceAll);
  if (starts.length === 0) return { kind: "none" };
  if (starts.length > 1 && !edit.replaceAll) return { kind: "many", starts };
  const replacements = starts.map((start): Replacement => {
    const end = start + edit.oldText.length;
    return { start, end, text: withEol(edit.newText, eolAt(original, start, end, fallback)) };
  });
  return { kind: "one", replacements };
}

function findByIndent(original: string, edit: EditRequest, fallback: string): Found {
  const found = findIndented(original, edit.oldText, edit.newText);
  const [only, ...others] = found;
  if (only === undefined) return { kind: "none" };
  if (others.length > 0) return { kind: "many", starts: found.map((one) => one.start) };
  const { start, end } = only;
  const eol = eolAt(original, start, end, fallback);
  return {
    kind: "one",
    replacements: [
      { start, end, text: layOver(original.slice(start, end), only.oldText, only.newText, "quotes", eol) },
    ],
  };
}

/** Numbers of the lines in which the first places begin, in words. */
function linesInWords(text: string, starts: readonly number[]): string {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const start of starts.slice(0, namedPlaces)) {
    for (let next = text.indexOf("\n", at); next >= 0 && next < start; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    if (numbers.at(-1) !== line) numbers.push(line);
  }
  const words = numbers.map(String);
  if (starts.length > namedPlaces) words.push("more");
  const last = words.pop() ?? "";
  return words.length === 0 ? `line ${last}` : `lines ${words.join(", ")} and ${last}`;
}

const numberedLine = /^\s*\d+\t/;

function notFound(original: string, edit: EditRequest): EditOutcome {
  const lines = edit.oldText.split("\n").filter((line) => line.trim() !== "");
  const hint = lines.length > 0 && lines.every((line) => numberedLine.test(line)) ? " Leave the line numbers out." : "";
  const nearest = nearestLines(original, edit.oldText);
  const quoted = nearest === "" ? "No line is like it; read the file first." : `The nearest lines are:\n${nearest}`;
  return { ok: false, code: "no_match", say: `old_string was not found.${hint} ${quoted}` };
}

function refusal(edit: EditRequest, original: string): EditOutcome | null {
  if (edit.oldText === "" && original !== "") {
    return {
      ok: false,
      code: "no_match",
      say: "old_string is empty. Give the lines to change, or use write to replace the whole file.",
    };
  }
  if (edit.oldText === edit.newText)
    return { ok: false, code: "no_change", say: "old_string and new_string are the same. Nothing was changed." };
  const placeholder = newPlaceholder(edit.oldText, edit.newText);
  if (placeholder === null) return null;
  return {
    ok: false,
    code: "placeholder",
    say: `new_string has the placeholder "${placeholder}", which would replace real code. Write out every line, or make old_string smaller.`,
  };
}

/**
 * The text after an edit. Each step of the ladder must fit in exactly one place; with `replaceAll` the exact step (and the one that
 * only overlooks line breaks) may fit in several. `eol` is used where the file itself shows none.
 */
export function applyEdit(original: string, edit: EditRequest, eol: string): EditOutcome {
  const refused = refusal(edit, original);
  if (refused !== null) return refused;
  if (original === "" && edit.oldText === "") return { ok: true, text: withEol(edit.newText, eol), places: 1 };
  const steps: readonly [Facts["loose"], () => Found][] = [
    [undefined, () => findExactly(original, edit, eol)],
    [undefined, () => findLoosely(normalize(original, "breaks"), original, edit, "breaks", eol, edit.replaceAll)],
    ["endings", () => findLoosely(normalize(original, "endings"), original, edit, "endings", eol, false)],
    ["quotes", () => findLoosely(normalize(original, "quotes"), original, edit, "quotes", eol, false)],
    ["indent", () => findByIndent(original, edit, eol)],
  ];
  for (const [loose, find] of steps) {
    const found = find();
    if (found.kind === "none") continue;
    if (found.kind === "many") {
      const places = found.starts.length < placesMax ? found.starts.length : `${placesMax} or more`;
      const next =
        loose === undefined
          ? "Add lines around it until it fits one place only, or set replace_all."
          : "Copy the lines exactly and add lines around them.";
      return {
        ok: false,
        code: "ambiguous",
        say: `old_string fits ${places} places (${linesInWords(original, found.starts)}). ${next}`,
      };
    }
    let text = "";
    let at = 0;
    for (const one of found.replacements) {
      text += original.slice(at, one.start) + one.text;
      at = one.end;
    }
    text += original.slice(at);
    if (text === original)
      return { ok: false, code: "no_change", say: "The file already reads like that. Nothing was changed." };
    return { ok: true, text, places: found.replacements.length, ...(loose === undefined ? {} : { loose }) };
  }
  return notFound(original, edit);
}
