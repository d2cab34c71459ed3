/**
 * Repairs common mistakes in old_string: line numbers, places of search hits, code fences, HTML entities, escapes, empty
 * lines, diff signs, closing tags of the call.
 * Offers a repaired edit only where there is a single reading. Pure.
 */
import { decodeEscapes, decodeEntitiesOnce } from "./decode-escapes";
import type { MatchBounds, EditRequest } from "./match-in-steps";

export type EditMistake = "numbers" | "hits" | "fence" | "entities" | "escapes" | "blank" | "diff" | "tags";

/** The edit without the mistake, and the boundaries its match must respect. */
interface EditRepair {
  readonly mistake: EditMistake;
  readonly edit: EditRequest;
  readonly bounds: MatchBounds;
  /** The line, from 1, in which it must begin; any line if absent. */
  readonly atLine?: number;
}

const isBlankLine = (line: string): boolean => line.trim() === "";

/** Splits a block into lines; a final line end adds no empty line. */
function splitBlockLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

const finalLineEnd = (text: string): string => (text.endsWith("\n") ? "\n" : "");

/** Removes the line end as well if whole lines are deleted. */
const toBlockEdit = (edit: EditRequest, oldText: string, newText: string): EditRequest => ({
  ...edit,
  oldText: newText === "" ? `${oldText}\n` : oldText,
  newText,
});

const linePrefixNumber = /^\s*(\d+)(\t|\u2192|\s?\|\s?|:\s?|$)/;

/** Returns the number at the start of each line; null for a line without one. */
const parseLineNumbers = (lines: readonly string[]): (number | null)[] =>
  lines.map((line) => {
    const found = linePrefixNumber.exec(line);
    return found === null ? null : Number(found[1]);
  });

/** Removes line numbers if every line has one and they increase by one, as `read` formats them. */
function removeLineNumbers(edit: EditRequest): EditRepair | null {
  const lines = splitBlockLines(edit.oldText);
  const numbers = parseLineNumbers(lines);
  const first = numbers[0] ?? null;
  if (first === null || isBlankLine(lines[0]?.replace(linePrefixNumber, "") ?? "")) return null;
  if (!numbers.every((number, index) => number === first + index)) return null;
  const strip = (texts: readonly string[]): string =>
    texts.map((line) => line.replace(linePrefixNumber, "")).join("\n");
  const oldText = strip(lines) + finalLineEnd(edit.oldText);
  const onlyTabs = lines.every((line) => /^\s*\d+(?:\t|$)/.test(line));
  const repaired = (newText: string): EditRepair => ({
    mistake: "numbers",
    edit: { ...edit, oldText, newText },
    bounds: "lines",
    // A separator other than the tab of `read` may be code: then the number must equal the line of the match.
    ...(onlyTabs ? {} : { atLine: first }),
  });
  const newLines = splitBlockLines(edit.newText);
  const newNumbers = parseLineNumbers(newLines);
  const some = newLines.some((line) => /^\s*\d+(?:\t|\u2192|\s?\|)/.test(line));
  if (newNumbers[0] === first && newLines.every((line, index) => isBlankLine(line) || newNumbers[index] !== null))
    return repaired(strip(newLines) + finalLineEnd(edit.newText));
  return some ? null : repaired(edit.newText);
}

const hitPrefix = /^([^\s:]+):\d+:/;

/** Removes the places of search hits, `path:12:` and `path-13-`, if old_string is consecutive lines of one file. */
function removeHitPlaces(edit: EditRequest): EditRepair | null {
  const lines = splitBlockLines(edit.oldText);
  const path = lines.map((line) => hitPrefix.exec(line)?.[1]).find((one) => one !== undefined);
  if (path === undefined) return null;
  const splitPlace = (line: string): readonly [number: number | null, text: string] => {
    const rest = line.startsWith(path) ? /^([:-])(\d+)\1/.exec(line.slice(path.length)) : null;
    return rest === null ? [null, line] : [Number(rest[2]), line.slice(path.length + rest[0].length)];
  };
  const places = lines.map(splitPlace);
  const first = places[0]?.[0] ?? null;
  if (first === null || !places.every(([number], index) => number === first + index)) return null;
  const join = (texts: readonly string[], from: string): string => texts.join("\n") + finalLineEnd(from);
  const oldText = join(
    places.map(([, text]) => text),
    edit.oldText,
  );
  const newText = join(
    splitBlockLines(edit.newText).map((line) => splitPlace(line)[1]),
    edit.newText,
  );
  return { mistake: "hits", edit: { ...edit, oldText, newText }, bounds: "lines", atLine: first };
}

const closingTag = /<\/(old_string|new_string|old_str|new_str|parameter|arg_value|invoke|function)>$/;
const closingTagMaxChars = 16;

/** Removes closing tags at the end, with the white space before them, whose opening tags the text does not have. */
function trimClosingTags(text: string): string {
  let rest = text;
  for (;;) {
    const words = rest.trimEnd();
    const [tag, name] = closingTag.exec(words.slice(-closingTagMaxChars)) ?? [];
    if (tag === undefined || text.includes(`<${name}`)) return rest;
    rest = words.slice(0, -tag.length).trimEnd();
  }
}

/** Removes the closing tags of the call from the ends of both strings. */
function removeClosingTags(edit: EditRequest): EditRepair | null {
  const oldText = trimClosingTags(edit.oldText);
  if (oldText === edit.oldText || isBlankLine(oldText)) return null;
  return { mistake: "tags", edit: { ...edit, oldText, newText: trimClosingTags(edit.newText) }, bounds: "words" };
}

const fenceMarker = /^\s*(?:`{3,}|~{3,})/;

/**
 * Returns the lines inside a fence that opens on the first line, closes on the last and is the only one; null
 * otherwise.
 */
function extractFenced(text: string): string | null {
  const lines = splitBlockLines(text);
  const signs = lines.flatMap((line, index) => (fenceMarker.test(line) ? [index] : []));
  const closed = /^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? "");
  if (!closed || signs.length !== 2 || signs[0] !== 0 || signs[1] !== lines.length - 1) return null;
  return lines.slice(1, -1).join("\n");
}

function removeFence(edit: EditRequest): EditRepair | null {
  const oldText = extractFenced(edit.oldText);
  if (oldText === null || isBlankLine(oldText)) return null;
  const newText = fenceMarker.test(edit.newText) ? extractFenced(edit.newText) : edit.newText.replace(/\r?\n$/, "");
  return newText === null ? null : { mistake: "fence", edit: toBlockEdit(edit, oldText, newText), bounds: "lines" };
}

function removeEntities(edit: EditRequest): EditRepair | null {
  const oldText = decodeEntitiesOnce(edit.oldText);
  const newText = /&[#\w]+;/.test(edit.newText) ? decodeEntitiesOnce(edit.newText) : edit.newText;
  if (oldText === null || newText === null) return null;
  return { mistake: "entities", edit: { ...edit, oldText, newText }, bounds: "words" };
}

function removeEscapes(edit: EditRequest): EditRepair | null {
  const decoded = decodeEscapes(edit.oldText, edit.newText);
  return decoded === null ? null : { mistake: "escapes", edit: { ...edit, ...decoded }, bounds: "words" };
}

/** Removes escapes of strings that were encoded twice too often. */
function removeDoubleEscapes(edit: EditRequest): EditRepair | null {
  const once = removeEscapes(edit);
  return once === null ? null : removeEscapes(once.edit);
}

/** Returns the empty lines above a block and the number of line ends below it. */
function measureMargins(text: string): { readonly above: readonly string[]; readonly below: number } {
  const lines = text.split("\n");
  let first = 0;
  while (first < lines.length - 1 && isBlankLine(lines[first] ?? "")) first++;
  let last = lines.length;
  while (last > first + 1 && isBlankLine(lines[last - 1] ?? "")) last--;
  return { above: lines.slice(0, first), below: lines.length - last };
}

/**
 * Removes empty lines around the block from both strings, as many as both have; further ones in new_string are
 * intended.
 */
function removeBlankLines(edit: EditRequest): EditRepair | null {
  const { above, below } = measureMargins(edit.oldText);
  if (isBlankLine(edit.oldText) || (above.length === 0 && below < 2)) return null;
  const cut = (text: string, high: number, low: number): string => {
    const lines = text.split("\n");
    return lines
      .slice(high, lines.length - low)
      .join("\n")
      .replace(/\r$/, "");
  };
  const oldText = cut(edit.oldText, above.length, below);
  const own = measureMargins(edit.newText);
  const newText = isBlankLine(edit.newText)
    ? ""
    : cut(edit.newText, Math.min(above.length, own.above.length), Math.min(below, own.below));
  return { mistake: "blank", edit: toBlockEdit(edit, oldText, newText), bounds: "lines" };
}

/**
 * Removes diff signs: "-" before deleted lines of old_string, "+" before added lines of new_string, a space before
 * context lines.
 */
function removeDiffSigns(edit: EditRequest): EditRepair | null {
  const signed = (lines: readonly string[], sign: string): boolean =>
    lines.some((line) => line.startsWith(sign)) &&
    lines.every((line) => line === "" || line.startsWith(sign) || line.startsWith(" "));
  const oldLines = splitBlockLines(edit.oldText);
  const newLines = splitBlockLines(edit.newText);
  if (!signed(oldLines, "-") || !signed(newLines, "+")) return null;
  const strip = (lines: readonly string[]): string => lines.map((line) => line.slice(1)).join("\n");
  const oldText = strip(oldLines) + finalLineEnd(edit.oldText);
  const newText = strip(newLines) + finalLineEnd(edit.newText);
  return { mistake: "diff", edit: { ...edit, oldText, newText }, bounds: "lines" };
}

const mistakeRepairs = [
  removeLineNumbers,
  removeHitPlaces,
  removeEntities,
  removeEscapes,
  removeDoubleEscapes,
  removeBlankLines,
  removeDiffSigns,
  removeClosingTags,
] as const;

/**
 * Returns the readings of an edit without its mistakes; a fence is also combined with each of the others. None
 * replaces several matches.
 */
export function repairMistakes(sent: EditRequest): readonly EditRepair[] {
  const edit = { ...sent, replaceAll: false };
  const fence = removeFence(edit);
  const inside = fence === null ? [] : [fence, ...mistakeRepairs.map((repair) => repair(fence.edit))];
  return [...inside, ...mistakeRepairs.map((repair) => repair(edit))].filter((one) => one !== null);
}

/** Returns advice on the mistakes of an edit that was not repaired, one sentence each; empty if there are none. */
export function formatMistakeHints({ oldText, newText }: EditRequest, file: string): string {
  const lines = splitBlockLines(oldText).filter((line) => !isBlankLine(line));
  const hints: string[] = [];
  const numbers = parseLineNumbers(lines);
  const read = lines.some((line) => /^\s*\d+\t/.test(line));
  if (read || (lines.length > 0 && numbers.every((number) => number !== null)))
    hints.push("Leave the line numbers out.");
  if (lines.some((line) => fenceMarker.test(line))) hints.push("Leave the Markdown fence out.");
  const entity = /&(?:lt|gt|amp|quot|apos|#39|#x27|#34);/.exec(oldText)?.[0];
  if (entity !== undefined && !file.includes(entity))
    hints.push("Write <, >, & and quotes as they are, not as HTML entities, in both strings.");
  const escape = /\\[nrt"'`$\\]/.exec(oldText)?.[0];
  if (escape !== undefined && !file.includes(escape))
    hints.push(`old_string has ${escape} written out. Send real line breaks and plain quotes in both strings.`);
  const signs = lines.every((line) => /^[-+ ]/.test(line)) && lines.some((line) => /^[-+]\s*\S/.test(line));
  if (signs || lines.some((line) => /^(?:@@ |<{7} |={7}$|>{7} )/.test(line)))
    hints.push("Give the lines as they stand in the file, not as a diff: without -, + and other marks.");
  if (newText.trim().length > 3 && file.includes(newText.trim()))
    hints.push("new_string is already in the file: the edit may have been made before.");
  return hints.map((hint) => ` ${hint}`).join("");
}
