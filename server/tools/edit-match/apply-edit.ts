/**
 * Applies an edit to a text, or returns the reason of the failure and advice for the model. Order: refusals, matching
 * steps, repaired mistakes. Pure.
 */
import type { ErrorCode } from "@/lib/events/error";
import type { CallFacts } from "@/lib/events/tool-kind";
import { runSteps, type Steps } from "@/lib/async/steps";
import {
  matchInSteps,
  type EditRequest,
  type EditMatch,
  maxMatches,
  type EditSource,
  makeEditSource,
} from "./match-in-steps";
import { convertLineEnds } from "./merge-into-match";
import { repairMistakes, type EditMistake, formatMistakeHints } from "./repair-mistakes";
import { formatNearestLines } from "./nearest-lines";
import { findNewPlaceholder } from "../change/placeholder";

export type EditOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      readonly places: number;
      readonly loose?: CallFacts["loose"];
      /** The mistake removed from old_string before it matched. */
      readonly mistake?: EditMistake;
    }
  /** `message` is for the model and does not contain the file name. */
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** Maximum characters of a quoted line. */
const maxQuotedChars = 200;
/** Maximum line numbers named in a refusal. */
const maxNamedLines = 6;

const refuseEdit = (code: ErrorCode, message: string): EditOutcome => ({ ok: false, code, message });

/** Returns the number, from 1, of the line that contains an offset. */
function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < offset; next = text.indexOf("\n", next + 1)) line++;
  return line;
}

/** Formats the numbers of the lines in which the first matches begin. */
function formatLineNumbers(text: string, starts: readonly number[]): string {
  const numbers = [...new Set(starts.slice(0, maxNamedLines).map((start) => lineNumberAt(text, start)))];
  const words = numbers.map(String);
  if (starts.length > maxNamedLines) words.push("more");
  const last = words.pop() ?? "";
  return words.length === 0 ? `line ${last}` : `lines ${words.join(", ")} and ${last}`;
}

function* refuseNotFound(original: string, edit: EditRequest): Steps<EditOutcome> {
  yield;
  const leftOut = yield* findNewPlaceholder(original, edit.oldText);
  if (leftOut !== null) {
    const next = "Give every line as it stands in the file, or fewer lines.";
    return refuseEdit("placeholder", `old_string leaves lines out at "${leftOut}" and was not found. ${next}`);
  }
  if (original === "")
    return refuseEdit("no_match", "old_string was not found. The file is empty: use an empty old_string, or write.");
  yield;
  const nearest = yield* formatNearestLines(original, edit.oldText);
  const quoted = nearest === "" ? "No line is like it; read the file first." : `The nearest lines are:\n${nearest}`;
  return refuseEdit("no_match", `old_string was not found.${formatMistakeHints(edit, original)} ${quoted}`);
}

/** Returns the refusal of an edit that needs no search; null if there is none. */
function* findRefusal(edit: EditRequest, original: string): Steps<EditOutcome | null> {
  if (edit.oldText === "" && original !== "") {
    const next = "Give the lines to change, or use write to replace the whole file.";
    return refuseEdit("no_match", `old_string is empty. ${next}`);
  }
  if (edit.oldText === edit.newText)
    return refuseEdit("no_change", "old_string and new_string are the same. Nothing was changed.");
  const placeholder = yield* findNewPlaceholder(edit.oldText, edit.newText);
  if (placeholder === null) return null;
  const next = "Write out every line, or make old_string smaller.";
  return refuseEdit(
    "placeholder",
    `new_string has the placeholder "${placeholder}", which would replace real code. ${next}`,
  );
}

/** Quotes the line of a match as the file has it. */
function quoteFirstMatch(text: string, start: number): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const end = text.indexOf("\n", start);
  const line = text.slice(from, end < 0 ? text.length : end).replace(/\r$/, "");
  const shown = line.length > maxQuotedChars ? `${line.slice(0, maxQuotedChars)}…` : line;
  return `Line ${lineNumberAt(text, from)} is ${JSON.stringify(shown)}: copy it like that and keep replace_all, or edit each place alone.`;
}

/** Builds the outcome for the matches; `copied` = the search string is the one the model sent. */
function toEditOutcome(
  original: string,
  found: Exclude<EditMatch, { kind: "none" }>,
  { copied, all }: { readonly copied: boolean; readonly all: boolean },
): EditOutcome {
  const { loose } = found;
  if (found.kind === "many") {
    const places = found.starts.length < maxMatches ? found.starts.length : `${maxMatches} or more`;
    const next =
      loose === undefined && copied
        ? "Add lines around it until it fits one place only, or set replace_all."
        : all
          ? `replace_all needs an exact copy, with the indentation of the file. ${quoteFirstMatch(original, found.starts[0] ?? 0)}`
          : "Copy the lines exactly and add lines around them.";
    return refuseEdit(
      "ambiguous",
      `old_string fits ${places} places (${formatLineNumbers(original, found.starts)}). ${next}`,
    );
  }
  const parts: string[] = [];
  let at = 0;
  for (const one of found.replacements) {
    parts.push(original.slice(at, one.start), one.text);
    at = one.end;
  }
  const text = parts.join("") + original.slice(at);
  if (text === original) return refuseEdit("no_change", "The file already reads like that. Nothing was changed.");
  return { ok: true, text, places: found.replacements.length, loose };
}

/** Tries the repaired readings of an edit and returns the outcome of the first that matches; null if none does. */
function* applyRepairedEdit(source: EditSource, edit: EditRequest): Steps<EditOutcome | null> {
  const original = source.text;
  for (const { mistake: slip, edit: repaired, bounds, atLine } of repairMistakes(edit)) {
    const found = yield* matchInSteps(source, repaired, bounds);
    if (found.kind === "none") continue;
    const elsewhere = found.kind === "one" && lineNumberAt(original, found.replacements[0]?.start ?? 0) !== atLine;
    if (atLine !== undefined && elsewhere) continue;
    const stopped = yield* findRefusal(repaired, original);
    if (stopped !== null) return stopped;
    const outcome = toEditOutcome(original, found, { copied: false, all: false });
    return outcome.ok ? { ...outcome, mistake: slip } : outcome;
  }
  return null;
}

/**
 * Applies an edit to a text. Each step must match exactly once; with `replaceAll` the exact step and the step that
 * only ignores line breaks may match several times. `eol` is used if the file has no line end.
 */
export const applyEdit = (original: string, edit: EditRequest, eol: string): EditOutcome =>
  runSteps(applyEditSteps(original, edit, eol));

/** `applyEdit` in steps, so that a large file does not block the event loop. */
export function* applyEditSteps(original: string, edit: EditRequest, eol: string): Steps<EditOutcome> {
  if (original.includes("\r") && !original.includes("\n")) {
    const plain = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
    const { oldText, newText } = edit;
    const outcome = yield* applyEditSteps(
      plain(original),
      { ...edit, oldText: plain(oldText), newText: plain(newText) },
      "\n",
    );
    return outcome.ok ? { ...outcome, text: outcome.text.replaceAll("\n", "\r") } : outcome;
  }
  const stopped = yield* findRefusal(edit, original);
  if (stopped !== null) return stopped;
  if (original === "" && edit.oldText === "") return { ok: true, text: convertLineEnds(edit.newText, eol), places: 1 };
  const source = makeEditSource(original, eol);
  const found = yield* matchInSteps(source, edit, "any");
  if (found.kind !== "none") return toEditOutcome(original, found, { copied: true, all: edit.replaceAll });
  return (yield* applyRepairedEdit(source, edit)) ?? (yield* refuseNotFound(original, edit));
}
