/** Selects the lines of a failed command's output that tell the failure. Pure. */

/** An error with its message: of a compiler, an assertion, an exception. */
const errorPattern =
  /\b[\w.]*(?:Error|Exception)\b(?:\s*\[[^\]]*\])?:|\berror(?:\[\w+\])?:|\berror TS\d|^E {3}|panicked at|^\s*(?:fatal|panic):|\bassertion\b/;
/** The name of a failed test or step. */
const failurePattern = /\b(?:fail\w*|not ok|traceback)\b|^\s*[✖✗✕×●]/i;
/** Lines about passed tests, counts of zero, and lines of package managers about the script that failed. */
const noisePattern = /^\s*(?:[✓✔√]|ok\b|--- PASS|PASS(?:ED)?\b|npm (?:error|ERR!))|\b0 (?:fail|error)/i;
/** Number of output lines that the collapsed line of a failed command shows. */
export const shownFailureLines = 8;
/** Lines before the found one: the name of the test, the place in the code. */
const linesBefore = 2;

/** Returns at most `count` lines: those around the first error, else around the first failure, else the last ones. */
export function pickFailureLines(text: string, count: number): string {
  const lines = text.trimEnd().split("\n");
  const candidates = lines.map((line) => (noisePattern.test(line) ? "" : line));
  const error = candidates.findIndex((line) => errorPattern.test(line));
  const found = error >= 0 ? error : candidates.findIndex((line) => failurePattern.test(line));
  const last = Math.max(0, lines.length - count);
  const start = found < 0 ? last : Math.min(last, Math.max(0, found - linesBefore));
  return lines.slice(start, start + count).join("\n");
}
