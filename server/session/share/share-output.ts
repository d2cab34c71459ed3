/** Result of a call as viewers of a share see it: masked, and truncated words beside every cut masked too. */
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import type { CutPositions, LineCut } from "@/lib/events/tool-kind";
import type { Redactor } from "@/server/security/redaction/redact";
import { redactionMark } from "@/server/security/redaction/redact-stream";
import { presentationOf } from "@/lib/events/tool-presentations";

const omissionNote = /\n\[(?:\.\.\. left out here|cut here): [^\n]*\](?:\n|$)/;
/** Last line with the end of a command. */
const endingLine = /\n\[[^\n]*\]$/;
/** Marks of cut long lines: read cuts them at their end, grep on both sides. */
const readLineNote = /… \[line cut: \d+ characters\]/g;
const cutMatchChars = 250;
const matchStart = /^(?:.*?[:-]\d+[:-])?…(?=[\w+/=.~-])/;

/**
 * Finds the cuts of an output whose event has no positions, as in old sessions: by the words of the program's notes. A
 * file with the same words can imitate them. `isCut` = a part of the output was left out.
 */
function findLegacyCutPositions(text: string, kind: string, isCut: boolean): CutPositions {
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

type CallEnd = Extract<DurableEvent, { type: "tool_call_end" }>;

const wordCharacter = /[\w+/=.~-]/;

export function sharedOutput(
  { output, outcome, facts, cut, cutPositions }: CallEnd,
  kind: string,
  mask: Redactor,
): readonly Block[] {
  const isCut = cut !== undefined;
  const isBroken = outcome === "aborted" || outcome === "unknown" || facts.ended !== undefined;
  return output.flatMap((block): readonly Block[] => {
    if (block.type !== "text") return block.type === "image" ? [] : [block];
    const positions = cutPositions ?? findLegacyCutPositions(block.text, kind, isCut);
    const isUnplaced = isCut && positions.note === undefined && positions.start === undefined;
    const shared = maskCutText(block.text, positions, isBroken || isUnplaced, mask);
    // Spans over a masked text would reveal the position and length of the mask.
    const styles = shared === block.text && block.styles !== undefined ? { styles: block.styles } : {};
    return [{ type: "text", text: shared, ...styles }];
  });
}

/** `isBroken` = the output ends in the middle, before the line with the end of a command. */
function maskCutText(
  text: string,
  { lines = [], note, start = 0, ending = text.length }: CutPositions,
  isBroken: boolean,
  mask: Redactor,
): string {
  const end = isBroken ? ending : text.length;
  const gap = note !== undefined && note.from < end ? note : undefined;
  const head =
    gap === undefined
      ? ""
      : mask.text(maskTruncatedWords(text, start, gap.from, lines), { start: start > 0, end: true }) +
        mask.text(text.slice(gap.from, gap.to));
  const isTailCut = gap !== undefined || start > 0;
  const tail = mask.text(maskTruncatedWords(text, gap?.to ?? start, end, lines), { start: isTailCut, end: isBroken });
  return mask.text(text.slice(0, start)) + head + tail + mask.text(text.slice(end));
}

/**
 * Returns a part of the text with a mark for each word that a line cut truncated. The lines are masked as one text
 * afterwards, since a secret can have several.
 */
function maskTruncatedWords(text: string, from: number, to: number, cuts: readonly LineCut[]): string {
  let shown = "";
  let next = from;
  for (const { at, lost } of cuts) {
    if (at < next || at > to) continue;
    let start = at;
    let end = at;
    if (lost === "after") while (start > next && wordCharacter.test(text.charAt(start - 1))) start -= 1;
    else while (end < to && wordCharacter.test(text.charAt(end))) end += 1;
    shown += text.slice(next, start) + (start < end ? redactionMark : "");
    next = end;
  }
  return shown + text.slice(next, to);
}
