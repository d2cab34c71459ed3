/** Thinking in the text: tags, special tokens, and closers whose opener was in the prompt. */
import { matchAt, matchLengthAt } from "../reader-source";

interface ThinkingMarkers {
  readonly open: RegExp;
  readonly close: (name: string) => string;
}

const thinkTagNames = "think|thinking|thought|thoughts|reasoning|scratchpad|reflection";
const thinkingMarkers: readonly ThinkingMarkers[] = [
  { open: new RegExp(`<((?:\\w{1,12}:)?(?:${thinkTagNames}))>`, "iy"), close: (name) => `</${name}>` },
  { open: /\[THINK\]/y, close: () => "[/THINK]" },
  { open: /<\|START_THINKING\|>/y, close: () => "<|END_THINKING|>" },
  { open: /◁think▷/y, close: () => "◁/think▷" },
];
const orphanCloserPattern = /(?:<\/(?:\w{1,12}:)?(?:think|thinking)>|\[\/THINK\]|<\|END_THINKING\|>|◁\/think▷)/y;

/** Matches the opener of thinking at the start of `text` and returns its closer. */
export function matchThinkingOpener(text: string): { readonly length: number; readonly close: RegExp } | null {
  for (const { open, close } of thinkingMarkers) {
    const found = matchAt(open, text, 0);
    if (found !== null)
      return { length: found[0].length, close: new RegExp(close(found[1] ?? "").replaceAll(/[|[\]\\]/g, "\\$&")) };
  }
  return null;
}

interface ThinkingBlock {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads the thinking that opens at `at`. */
export function readThinking(text: string, at: number): ThinkingBlock | null {
  for (const { open, close } of thinkingMarkers) {
    const found = matchAt(open, text, at);
    if (found === null) continue;
    const start = at + found[0].length;
    const closer = close(found[1] ?? "");
    const end = text.indexOf(closer, start);
    return end < 0
      ? { start: at, end: text.length, text: text.slice(start) }
      : { start: at, end: end + closer.length, text: text.slice(start, end) };
  }
  return null;
}

/** Length of a closer without an opener at `at`; 0 = none. */
export const orphanCloserLength = (text: string, at: number): number => matchLengthAt(orphanCloserPattern, text, at);
