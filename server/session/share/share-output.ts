/** Result of a call as viewers of a share see it: masked, and truncated words beside every cut masked too. */
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { presentationOf } from "@/lib/events/tool-presentations";
import type { Redactor } from "@/server/security/redaction/redact";
import { redactionMark } from "@/server/security/redaction/redact-stream";

type CallEnd = Extract<DurableEvent, { type: "tool_call_end" }>;

/** Notes of the program where output was left out. */
const omissionNote = /\n\[(?:\.\.\. left out here|cut here): [^\n]*\](?:\n|$)/;
/** Last line with the end of a command: the output breaks off before it. */
const endingLine = /\n\[[^\n]*\]$/;
/** Where long lines were cut: by read at their end, by grep on both sides. */
const truncatedReadLine = /[\w+/=.~-]+(?=… \[line cut: \d+ characters\])/g;
const truncatedMatchChars = 250;
const truncatedMatchStart = /^((?:.*?[:-]\d+[:-])?…)[\w+/=.~-]+/;
const truncatedMatchEnd = /[\w+/=.~-]+(?=…$)/;

export function sharedOutput({ output, outcome, facts, cut }: CallEnd, kind: string, mask: Redactor): readonly Block[] {
  const isBroken = outcome === "aborted" || outcome === "unknown" || facts.ended !== undefined;
  const masked = (text: string, start: boolean, end: boolean): string => {
    const ending = end ? endingLine.exec(text) : null;
    if (ending === null) return mask.text(text, { start, end });
    return mask.text(text.slice(0, ending.index), { start, end }) + mask.text(ending[0]);
  };
  return output.flatMap((block): readonly Block[] => {
    if (block.type !== "text") return block.type === "image" ? [] : [block];
    const text = maskTruncatedWords(block.text, kind);
    const note = cut === undefined ? null : omissionNote.exec(text);
    if (note === null) {
      const shared = masked(text, false, isBroken || cut !== undefined);
      // Spans over a masked text would reveal the position and length of the mask.
      const styles = shared === block.text && block.styles !== undefined ? { styles: block.styles } : {};
      return [{ type: "text", text: shared, ...styles }];
    }
    const head = mask.text(text.slice(0, note.index), { end: true });
    const tail = text.slice(note.index + note[0].length);
    return [{ type: "text", text: head + note[0] + masked(tail, true, isBroken) }];
  });
}

function maskTruncatedWords(text: string, kind: string): string {
  const { output } = presentationOf(kind);
  if (output === "file") return text.replace(truncatedReadLine, redactionMark);
  if (output !== "matches") return text;
  const lines = text.split("\n");
  return lines
    .map((line) =>
      line.length < truncatedMatchChars
        ? line
        : line.replace(truncatedMatchStart, `$1${redactionMark}`).replace(truncatedMatchEnd, redactionMark),
    )
    .join("\n");
}
