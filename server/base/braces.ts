/**
 * Writes out the braces of a pattern: `{a,b{c,d}}` as a, bc and bd. Quoted characters stand behind backslashes. The work is bounded
 * by the characters that are looked at, whatever the pattern (R57). Used by security/shell-glob and workspace/glob.
 */

/** The alternatives between two matching braces; null = the braces are literal. `commas` on its own level. */
export type BraceChoices = (inside: string, commas: readonly number[]) => readonly string[] | null;

export interface BraceLimits {
  readonly maxWords: number;
}

/** Characters looked at in one expansion; a real pattern takes some thousand. */
const maxSteps = 500_000;

/** The words in no particular order, none twice. Null when there are more than `maxWords` or too much to look at. */
export function expandBraces(pattern: string, choicesOf: BraceChoices, { maxWords }: BraceLimits): string[] | null {
  const seen = new Set([pattern]);
  const done: string[] = [];
  const pending = [pattern];
  let steps = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = firstBrace(next, choicesOf);
    steps += next.length * (1 + (group?.choices.length ?? 0));
    if (steps > maxSteps) return null;
    if (group === null) done.push(next);
    for (const choice of group?.choices ?? []) {
      const word = group?.before + choice + group?.after;
      if (!seen.has(word)) pending.push(word);
      seen.add(word);
    }
    if (done.length + pending.length > maxWords) return null;
  }
  return done;
}

/** `{a,b}` without sequences: the choices between commas. */
export const listChoices: BraceChoices = (inside, commas) =>
  commas.length === 0
    ? null
    : [-1, ...commas].map((from, index) => inside.slice(from + 1, commas[index] ?? inside.length));

interface Brace {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The innermost first, in one pass; the order of the words is of no interest. */
function firstBrace(pattern: string, choicesOf: BraceChoices): Brace | null {
  const open: { readonly start: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === "{") open.push({ start: at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const group = open.pop();
      if (group === undefined) continue;
      const from = group.start + 1;
      const choices = choicesOf(
        pattern.slice(from, at),
        group.commas.map((comma) => comma - from),
      );
      if (choices !== null) return { before: pattern.slice(0, group.start), choices, after: pattern.slice(at + 1) };
    }
  }
  return null;
}
