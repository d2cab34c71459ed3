/** What viewers of a share get of a call's result: masked, and at every place where something was cut out its broken words too. Used by share-redactor. */
import type { Block } from "@/lib/content";
import type { DurableEvent } from "@/lib/event";
import type { ToolKind } from "@/lib/tool-kind";
import type { Redactor } from "../security/redact";
import { mark } from "../security/redact-stream";

type CallEnd = Extract<DurableEvent, { type: "tool_call_end" }>;

/** The notes of the program where something was left out. */
const cutNote = /\n\[(?:\.\.\. left out here|cut here): [^\n]*\](?:\n|$)/;
/** The line that tells how a command ended: what it printed breaks off before. */
const endLine = /\n\[[^\n]*\]$/;
/** Where long lines were cut: by read at their end, by grep on both sides. */
const readCut = /[\w+/=.~-]+(?=… \[line cut: \d+ characters\])/g;
const foundCutChars = 250;
const foundStart = /^((?:.*?[:-]\d+[:-])?…)[\w+/=.~-]+/;
const foundEnd = /[\w+/=.~-]+(?=…$)/;

export function sharedOutput(
  { output, outcome, facts, cut }: CallEnd,
  kind: ToolKind,
  mask: Redactor,
): readonly Block[] {
  const isBroken = outcome === "aborted" || outcome === "unknown" || facts.ended !== undefined;
  const masked = (text: string, start: boolean, end: boolean): string => {
    const told = end ? endLine.exec(text) : null;
    if (told === null) return mask.text(text, { start, end });
    return mask.text(text.slice(0, told.index), { start, end }) + mask.text(told[0]);
  };
  return output.flatMap((block): readonly Block[] => {
    if (block.type !== "text") return block.type === "image" ? [] : [block];
    const text = wholeWords(block.text, kind);
    const note = cut === undefined ? null : cutNote.exec(text);
    if (note === null) {
      const shared = masked(text, false, isBroken || cut !== undefined);
      // Spans over a text that was masked would tell where, and how much.
      const styles = shared === block.text && block.styles !== undefined ? { styles: block.styles } : {};
      return [{ type: "text", text: shared, ...styles }];
    }
    const head = mask.text(text.slice(0, note.index), { end: true });
    const tail = text.slice(note.index + note[0].length);
    return [{ type: "text", text: head + note[0] + masked(tail, true, isBroken) }];
  });
}

function wholeWords(text: string, kind: ToolKind): string {
  if (kind === "read") return text.replace(readCut, mark);
  if (kind !== "search") return text;
  const lines = text.split("\n");
  return lines
    .map((line) => (line.length < foundCutChars ? line : line.replace(foundStart, `$1${mark}`).replace(foundEnd, mark)))
    .join("\n");
}
