/** A terminal of a project: what the server reports about it. */
import type { ProjectId, TerminalId } from "../events/id";

export interface TerminalInfo {
  readonly id: TerminalId;
  readonly projectId: ProjectId;
  /** Chosen by the user, or the name of the shell. */
  readonly name: string;
  /** null = it runs. */
  readonly exit: TerminalExit | null;
}

export interface TerminalExit {
  /** null = ended by a signal. */
  readonly code: number | null;
  /** Number of the signal; null = it exited by itself. */
  readonly signal: number | null;
}

/** Output of a terminal, and its position in all output since the terminal was opened, in characters. */
export interface TerminalOutput {
  readonly from: number;
  readonly text: string;
}

/** Newest output the server retains of each terminal, characters. */
export const terminalRingChars = 262_144;

/** Bounds of a terminal's size. */
export const terminalSize = { columns: { least: 2, most: 500 }, rows: { least: 1, most: 300 } } as const;

/**
 * Appends output to the output before it and drops the oldest, so that at most `maxChars` remain. Output that does not
 * follow directly replaces it.
 */
export function joinOutput(first: TerminalOutput, second: TerminalOutput, maxChars: number): TerminalOutput {
  if (first.from + first.text.length !== second.from) return second;
  return cutToNewest({ from: first.from, text: first.text + second.text }, maxChars);
}

/** Longest move of a cut to the beginning of a line, characters. */
const lineSearchChars = 4_096;

/** Returns the newest output: at most `maxChars`, beginning with a line if one begins near the cut. */
export function cutToNewest({ from, text }: TerminalOutput, maxChars: number): TerminalOutput {
  if (text.length <= maxChars) return { from, text };
  const cut = findCut(text, text.length - maxChars);
  return { from: from + cut, text: text.slice(cut) };
}

/** Returns the first position from `at` on where a line begins, else one that splits no surrogate pair. */
function findCut(text: string, at: number): number {
  const line = text.indexOf("\n", at);
  if (line >= 0 && line - at < lineSearchChars) return line + 1;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
