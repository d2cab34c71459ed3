/** Highlights code line by line with a TextMate grammar; discards the result of a grammar that ran out of time. */
import type { ColouredLines } from "./highlighter";

/** The used part of a TextMate grammar. `Stack` = its state between two lines. */
export interface LineGrammar<Stack> {
  readonly tokenizeLine2: (line: string, stack: Stack | null, timeLimitMs: number) => TokenizedLine<Stack>;
}

interface TokenizedLine<Stack> {
  /** Pairs of start offset in UTF-16 units and packed attributes. */
  readonly tokens: Uint32Array;
  readonly ruleStack: Stack;
  /** The time limit was reached; the text after the last complete token has one wrong colour. */
  readonly stoppedEarly: boolean;
}

/**
 * Time limits per attempt at one line, ms. A grammar compiles its patterns at their first use, which takes longer than
 * any line; compiled patterns are cached, so that each further attempt gets farther.
 */
export const attemptLimitsMs = [200, 400, 800, 1_600, 3_200] as const;

const foregroundShift = 15;
const foregroundMask = 0x1ff;

/**
 * Returns the coloured runs of each line. `colourOf` = by index of a foreground colour. Lines after one that no attempt
 * completes are not highlighted.
 */
export function colourLines<Stack>(
  code: string,
  grammar: LineGrammar<Stack>,
  colourOf: (foreground: number) => string,
): ColouredLines {
  const coloured: ColouredLines[number][] = [];
  let stack: Stack | null = null;
  for (const line of code.split(/\r?\n/)) {
    const result: TokenizedLine<Stack> | null = tokenizeWithRetries(line, grammar, stack);
    if (result === null) break;
    stack = result.ruleStack;
    coloured.push(colouredRuns(line.length, result.tokens, colourOf));
  }
  return coloured;
}

function tokenizeWithRetries<Stack>(
  line: string,
  grammar: LineGrammar<Stack>,
  stack: Stack | null,
): TokenizedLine<Stack> | null {
  for (const limitMs of attemptLimitsMs) {
    const result = grammar.tokenizeLine2(line, stack, limitMs);
    if (!result.stoppedEarly) return result;
  }
  return null;
}

function colouredRuns(
  length: number,
  tokens: Uint32Array,
  colourOf: (foreground: number) => string,
): ColouredLines[number] {
  const runs: (readonly [number, string])[] = [];
  for (let at = 0; at < tokens.length; at += 2) {
    const start = tokens[at] ?? 0;
    const end = tokens[at + 2] ?? length;
    const foreground = ((tokens[at + 1] ?? 0) >>> foregroundShift) & foregroundMask;
    if (end > start) runs.push([end - start, colourOf(foreground)]);
  }
  return runs;
}
