/** A rule as a line of text and back: words with spaces stand in double quotes, a star at the end stands for any further words. */
export interface RuleWords {
  readonly words: readonly string[];
  readonly rest: boolean;
}

const plainWord = /^[^\s"*][^\s"]*$/;

export const formatRule = (rule: RuleWords): string =>
  [...rule.words.map((word) => (plainWord.test(word) ? word : JSON.stringify(word))), ...(rule.rest ? ["*"] : [])].join(
    " ",
  );

/** Null when no word is left: a rule for everything is not made here. */
export function parseRule(text: string): RuleWords | null {
  const found = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined
      ? { word: plain ?? "", quoted: false }
      : { word: quoted.replace(/\\(.)/g, "$1"), quoted: true },
  );
  const last = found.at(-1);
  const rest = last !== undefined && last.word === "*" && !last.quoted;
  const words = (rest ? found.slice(0, -1) : found).map(({ word }) => word).filter((word) => word !== "");
  return words.length === 0 ? null : { words, rest };
}
