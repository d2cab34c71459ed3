/**
 * Matches whole lines that differ from the file's by one uniform shift of indentation: the last matching step of an
 * edit. Pure.
 */
import { numberTextsSteps } from "@/lib/text/myers";
import { runSteps, type Steps } from "@/lib/async/steps";
import { findRuns } from "./find-matches";
import { normalizeText } from "./normalized-text";

/** Converts the indentation of a given line to that of the file; null if the rule does not apply. */
type IndentShift = (indent: string) => string | null;

interface IndentMatch {
  /** UTF-16 offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** The old and the new string with the file's indentation. */
  readonly oldText: string;
  readonly newText: string;
}

/** A line of a text; offsets are UTF-16 units of the text. */
export interface IndentedLine {
  readonly indent: string;
  readonly body: string;
  readonly start: number;
  /** Before its line end. */
  readonly end: number;
}

const levelWidths = [4, 2, 8, 3] as const;

/** Normalizes a body like the quotes step; most lines are ASCII already. */
const normalizeBody = (body: string): string =>
  /[ \t]$|\.{3}|[^\x00-\x7f]/.test(body) ? normalizeText(body, "quotes").text : body;

/** Splits a text into lines with indentation and normalized body. Linear. */
const splitIndentedLines = (text: string): IndentedLine[] => runSteps(splitIndentedLinesSteps(text));

/** Lines between two yields. */
const stepLines = 2_048;

/** `splitIntoLines` in steps. */
export function* splitIndentedLinesSteps(text: string): Steps<IndentedLine[]> {
  const lines: IndentedLine[] = [];
  let start = 0;
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    lines.push({ indent, body: normalizeBody(line.slice(indent.length)), start, end: start + line.length });
    start += raw.length + 1;
    if (lines.length % stepLines === 0) yield;
  }
  return lines;
}

const addPrefix =
  (prefix: string): IndentShift =>
  (indent) =>
    prefix + indent;
const dropPrefix =
  (prefix: string): IndentShift =>
  (indent) =>
    indent.startsWith(prefix) ? indent.slice(prefix.length) : null;

/** Converts spaces to tabs of `width`, shifted by `levels`; remaining spaces stay (continuation lines). */
const spacesToTabs =
  (width: number, levels: number): IndentShift =>
  (indent) => {
    if (indent.includes("\t")) return null;
    const tabs = Math.floor(indent.length / width) + levels;
    return tabs < 0 ? null : "\t".repeat(tabs) + " ".repeat(indent.length % width);
  };
const tabsToSpaces =
  (width: number, columns: number): IndentShift =>
  (indent) => {
    const tabs = /^\t*/.exec(indent)?.[0].length ?? 0;
    const total = tabs * width + (indent.length - tabs) + columns;
    return total < 0 || indent.slice(tabs).includes("\t") ? null : " ".repeat(total);
  };

/** Converts levels of `from` spaces to levels of `to` spaces, shifted by `levels`. */
const scaleLevels =
  (from: number, to: number, levels: number): IndentShift =>
  (indent) => {
    const level = indent.length / from + levels;
    return indent.includes("\t") || !Number.isInteger(level) || level < 0 ? null : " ".repeat(level * to);
  };

/** Returns the rules between different level widths, those with the smallest shift first. */
function findScales(quoted: string, real: string): IndentShift[] {
  if (`${quoted}${real}`.includes("\t")) return [];
  const scales = levelWidths.flatMap((from) =>
    levelWidths.flatMap((to) => {
      const levels = real.length / to - quoted.length / from;
      const fits = from !== to && Number.isInteger(levels) && quoted.length % from === 0;
      return fits ? [{ moved: Math.abs(levels), shift: scaleLevels(from, to, levels) }] : [];
    }),
  );
  return scales.sort((one, other) => one.moved - other.moved).map((one) => one.shift);
}

/** Returns the rules that convert `given` to `real`, likeliest first. */
function findShifts(quoted: string, real: string): IndentShift[] {
  const shifts: IndentShift[] = [];
  if (real.endsWith(quoted)) shifts.push(addPrefix(real.slice(0, real.length - quoted.length)));
  if (quoted.endsWith(real)) shifts.push(dropPrefix(quoted.slice(0, quoted.length - real.length)));
  const realTabs = /^\t*/.exec(real)?.[0].length ?? 0;
  const givenTabs = /^\t*/.exec(quoted)?.[0].length ?? 0;
  const conversions = levelWidths.flatMap((width) => {
    const levels = realTabs - Math.floor(quoted.length / width);
    const columns = real.length - (givenTabs * width + quoted.length - givenTabs);
    return [
      { moved: Math.abs(levels), shift: spacesToTabs(width, levels), fits: realTabs > 0 && givenTabs === 0 },
      { moved: Math.abs(columns), shift: tabsToSpaces(width, columns), fits: realTabs === 0 && givenTabs > 0 },
    ];
  });
  const fitting = conversions
    .filter((one) => one.fits && one.shift(quoted) === real)
    .sort((one, other) => one.moved - other.moved);
  return [...shifts, ...fitting.map((one) => one.shift), ...findScales(quoted, real)];
}

/** Returns the new lines after a shift; null if one of them cannot be shifted. */
function applyShift(lines: readonly IndentedLine[], source: string, shift: IndentShift): string | null {
  const shifted: string[] = [];
  for (const line of lines) {
    const indent = line.body === "" ? "" : shift(line.indent);
    if (indent === null) return null;
    shifted.push(line.body === "" ? "" : indent + source.slice(line.start + line.indent.length, line.end));
  }
  return shifted.join("\n");
}

/** Returns the rule that all lines of a match agree on and that applies to the new lines; null if none does. */
function findAgreedShift(
  quoted: readonly IndentedLine[],
  real: readonly IndentedLine[],
  newLines: readonly IndentedLine[],
): IndentShift | null {
  const pairs = quoted.flatMap((line, index) =>
    line.body === "" ? [] : [{ given: line.indent, real: real[index]?.indent ?? "" }],
  );
  // The most indented line determines the rule best.
  const widest = pairs.reduce(
    (best, pair) => (pair.given.length + pair.real.length > best.given.length + best.real.length ? pair : best),
    pairs[0] ?? { given: "", real: "" },
  );
  const agreed = findShifts(widest.given, widest.real).filter((shift) =>
    pairs.every((pair) => shift(pair.given) === pair.real),
  );
  return agreed.find((shift) => newLines.every((line) => line.body === "" || shift(line.indent) !== null)) ?? null;
}

/** Returns whether old and new lines differ in indentation only: then the indentation is the edit, not a mistake. */
function differsInIndentOnly(quoted: readonly IndentedLine[], newText: string): boolean {
  const now = splitIndentedLines(newText.endsWith("\n") ? newText.slice(0, -1) : newText);
  return now.length === quoted.length && now.every((line, index) => line.body === quoted[index]?.body);
}

/** Returns the line numbers, from 0, at which the bodies of the lines match; at most `max`. */
function* findEqualBodies(
  file: readonly IndentedLine[],
  quoted: readonly IndentedLine[],
  max: number,
): Steps<number[]> {
  const number = numberTextsSteps();
  const whole = yield* number(file.map((line) => line.body));
  const part = yield* number(quoted.map((line) => line.body));
  const starts: number[] = [];
  const units = (numbers: Int32Array) => ({ length: numbers.length, at: (index: number) => numbers[index] ?? -1 });
  yield* findRuns(units(whole), units(part), (start) => starts.push(start) < max);
  return starts;
}

/**
 * Returns the matches of the old string after a uniform shift of its indentation. Bodies are compared whole, line by
 * line. With `max` or more such matches all are returned without testing a shift.
 */
export function* findIndentedMatches(
  file: readonly IndentedLine[],
  oldText: string,
  newText: string,
  max: number,
): Steps<readonly IndentMatch[]> {
  const endsLine = oldText.endsWith("\n");
  const quoted = splitIndentedLines(endsLine ? oldText.slice(0, -1) : oldText);
  if (quoted.every((line) => line.body === "") || differsInIndentOnly(quoted, newText)) return [];
  const newLines = splitIndentedLines(newText);
  const starts = yield* findEqualBodies(file, quoted, max);
  const matches: IndentMatch[] = [];
  for (const at of starts) {
    const real = file.slice(at, at + quoted.length);
    const first = real[0]?.start ?? 0;
    const last = real.at(-1);
    if (starts.length >= max) matches.push({ start: first, end: first, oldText: "", newText: "" });
    const shift = starts.length >= max ? null : findAgreedShift(quoted, real, newLines);
    if (shift === null || last === undefined) continue;
    const following = file[at + quoted.length];
    const old = applyShift(quoted, oldText, shift);
    const now = applyShift(newLines, newText, shift);
    if (old === null || now === null) continue;
    const takesBreak = endsLine && following !== undefined;
    matches.push({
      start: first,
      end: takesBreak ? following.start : last.end,
      oldText: takesBreak ? `${old}\n` : old,
      newText: endsLine && !takesBreak && now.endsWith("\n") ? now.slice(0, -1) : now,
    });
  }
  return matches;
}
