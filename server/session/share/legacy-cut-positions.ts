/**
 * Finds the cuts of an output whose event has no positions, as in old sessions: by the words of the program's notes. A
 * file with the same words can imitate them.
 */
import type { CutPositions, LineCut } from "@/lib/events/tool-kind";
import { presentationOf } from "@/lib/events/tool-presentations";

const omissionNote = /\n\[(?:\.\.\. left out here|cut here): [^\n]*\](?:\n|$)/;
/** Last line with the end of a command. */
const endingLine = /\n\[[^\n]*\]$/;
/** Where long lines were cut: by read at their end, by grep on both sides. */
const readLineNote = /… \[line cut: \d+ characters\]/g;
const cutMatchChars = 250;
const matchStart = /^(?:.*?[:-]\d+[:-])?…(?=[\w+/=.~-])/;

/** `isCut` = a part of the output was left out. */
export function findLegacyCutPositions(text: string, kind: string, isCut: boolean): CutPositions {
  const found = isCut ? omissionNote.exec(text) : null;
  const note = found === null ? undefined : { from: found.index, to: found.index + found[0].length };
  const tailStart = note?.to ?? 0;
  const ending = endingLine.exec(text.slice(tailStart));
  const { output } = presentationOf(kind);
  const lines = output === "file" ? readLineCuts(text) : output === "matches" ? matchLineCuts(text) : [];
  return { lines, note, ending: ending === null ? undefined : tailStart + ending.index };
}

const readLineCuts = (text: string): LineCut[] =>
  Array.from(text.matchAll(readLineNote), ({ index }) => ({ at: index, lost: "after" }));

function matchLineCuts(text: string): LineCut[] {
  const cuts: LineCut[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const start = line.length < cutMatchChars ? null : matchStart.exec(line);
    if (start !== null) cuts.push({ at: offset + start[0].length, lost: "before" });
    if (line.length >= cutMatchChars && line.endsWith("…")) cuts.push({ at: offset + line.length - 1, lost: "after" });
    offset += line.length + 1;
  }
  return cuts;
}
