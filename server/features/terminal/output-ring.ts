/** The newest output of a terminal, in bounded memory. */
import { cutToNewest, type TerminalOutput, terminalRingChars } from "@/lib/terminal/terminal";

/** Shorter pieces are joined with the next one, characters. */
const pieceChars = 4_096;

export interface OutputRing {
  /** Returns the piece with its position in all output. */
  append(text: string): TerminalOutput;
  /** At most `terminalRingChars`, beginning with a line where possible. */
  retained(): TerminalOutput;
  /** Discards everything, and leaves a gap in the positions: what follows does not continue what was before. */
  reset(): void;
}

export function makeOutputRing(): OutputRing {
  let pieces: string[] = [];
  let chars = 0;
  let end = 0;
  return {
    append(text) {
      const from = end;
      end += text.length;
      chars += text.length;
      const last = pieces.at(-1);
      if (last !== undefined && last.length < pieceChars) pieces[pieces.length - 1] = last + text;
      else pieces.push(text);
      while (chars - (pieces[0]?.length ?? 0) >= terminalRingChars) chars -= pieces.shift()?.length ?? 0;
      return { from, text };
    },
    retained: () => cutToNewest({ from: end - chars, text: pieces.join("") }, terminalRingChars),
    reset() {
      pieces = [];
      chars = 0;
      end += 1;
    },
  };
}
