/** Formats and parses a rule as text: words with spaces are double-quoted, a final star allows any further words. */
import { formatRulePattern, type ProposedRule } from "@/lib/permissions/policy";

interface RuleWords {
  readonly words: readonly string[];
  readonly rest: boolean;
}

const unquotedWordPattern = /^[^\s"*][^\s"]*$/;

const formatWords = (rule: RuleWords): string =>
  [
    ...rule.words.map((word) => (unquotedWordPattern.test(word) ? word : JSON.stringify(word))),
    ...(rule.rest ? ["*"] : []),
  ].join(" ");

/** Formats the rule that a card proposes: the words of a command, a host or a tool. */
export const formatRule = (rule: ProposedRule): string =>
  rule.tool === "bash" ? formatWords(rule) : formatRulePattern(rule);

/** Parses a rule; null = no word is left (a rule that allows everything cannot be created here). */
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
