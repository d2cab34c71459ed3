/** Finds the lines of a failed command's output that tell the failure. Pure, in linear time. */

/** An error with its message: of a compiler, a linter, an assertion, an exception. */
const errorPattern =
  /(?:Error|Exception)\b(?:\s?\[[^\]]{0,40}\])?:|\berror(?:\[\w{1,20}\])?:|\berror [A-Z]{1,8}\d|^\s*\d+:\d+\s+error\s|^(?:vet: )?[\w./-]+\.go:\d+:\d+: |^E {3}|panicked at|^\s*(?:fatal|panic):|\bassertion\b|^\s*expect\(received\)/;
/** The name of a failed test or step. */
const failurePattern = /\b(?:fail(?:s|ed|ing|ure)?|failures|not ok|traceback)\b|^\s*[✖✗✕×●]/i;
/** Lines about passed tests, counts of zero, and lines of package managers about the script that failed. */
const noisePattern =
  /^\s*(?:[✓✔√]|ok\b|--- PASS|PASS(?:ED)?\b|# Subtest|npm (?:error|ERR!))|\bPASSED\b|\.\.\. ok$|\b0 (?:fail|error)/i;
/** Number of output lines that the collapsed line of a failed command shows. */
export const shownFailureLines = 8;
/** Lines before the found one: the place in the code. */
const linesBefore = 2;
/** Maximum number of lines between the name of a failed test and its error. */
const nameDistanceMax = 6;
/** UTF-16 units of a line that are compared. */
const lineMaxChars = 400;

export interface FoundFailure {
  /** Start of the first line to show: the name of the test, else two lines before the failure. UTF-16 units. */
  readonly from: number;
  /** It is an error with its message, not only the name of a failed test or step. */
  readonly isError: boolean;
}

/** Finds the first error, else the first failure; null = no line tells one. */
export function findFailure(text: string): FoundFailure | null {
  // Starts of the last lines, the newest last, and of the last one that names a failure.
  const starts: number[] = [];
  let named: number | null = null;
  let first: number | null = null;
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const line = text.slice(start, Math.min(end, start + lineMaxChars));
    starts.push(start);
    if (starts.length > nameDistanceMax) starts.shift();
    const before = starts.at(-1 - linesBefore) ?? starts[0] ?? start;
    if (!noisePattern.test(line)) {
      if (errorPattern.test(line))
        return { from: named !== null && starts.includes(named) ? named : before, isError: true };
      if (failurePattern.test(line)) {
        named = start;
        first ??= before;
      }
    }
    start = end + 1;
  }
  return first === null ? null : { from: first, isError: false };
}

/** Returns at most `count` lines with words: from the failure on, else the last ones. */
export function pickFailureLines(text: string, count: number): string {
  const found = findFailure(text);
  const telling = found === null ? [] : filledLines(text.slice(found.from));
  return (telling.length < count ? filledLines(text).slice(-count) : telling.slice(0, count)).join("\n");
}

/** A frame of the runtime or of a package, which says nothing about the project. */
const foreignFrame = /^\s+at .{0,200}(?:node:internal|node_modules)\//;
const word = /[\p{L}\d]/u;

const filledLines = (text: string): readonly string[] =>
  text.split("\n").filter((line) => word.test(line) && !foreignFrame.test(line));
