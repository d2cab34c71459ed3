/**
 * Brace expansion: `{a,b{c,d}}` gives a, bc and bd. Quoted characters are escaped with backslashes. The number of
 * examined characters is bounded for any pattern.
 */

/**
 * Returns the alternatives between two matching braces; null = the braces are literal. `commas` = offsets of the commas
 * at this level.
 */
type BraceChoices = (inside: string, commas: readonly number[]) => readonly string[] | null;

interface BraceLimits {
  readonly maxWords: number;
}

/** Maximum characters examined in one expansion; real patterns need a few thousand. */
const maxSteps = 500_000;

/**
 * Expands all braces; distinct words in no particular order. null = more than `maxWords` words, or more than `maxSteps`
 * characters examined.
 */
export function expandBraces(pattern: string, choicesOf: BraceChoices, { maxWords }: BraceLimits): string[] | null {
  const seen = new Set([pattern]);
  const done: string[] = [];
  const pending = [pattern];
  let steps = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = findInnermostBrace(next, choicesOf);
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

/** Choices of `{a,b}`: the texts between commas. Sequences such as `{1..3}` are literal. */
export const listBraceChoices: BraceChoices = (inside, commas) =>
  commas.length === 0
    ? null
    : [-1, ...commas].map((from, index) => inside.slice(from + 1, commas[index] ?? inside.length));

interface BraceGroup {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** Finds an innermost brace group in one pass. */
function findInnermostBrace(pattern: string, choicesOf: BraceChoices): BraceGroup | null {
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
