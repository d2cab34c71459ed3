/** Converts between a rule's form text and its pattern. Pure. */
import type { CommandInput } from "@/lib/protocol/command";
import { formatRulePattern, type PathPattern, type Rule } from "@/lib/permissions/policy";

export const ruleSubjects = ["command", "read", "write", "delete"] as const;
/** Subject of a rule: commands, or one kind of file access. */
export type RuleSubject = (typeof ruleSubjects)[number];

/** null = a rule that no tool of this version uses; it can only be removed. */
export const ruleSubjectOf = (rule: Rule): RuleSubject | null =>
  rule.tool === "bash" ? "command" : rule.tool === "files" ? rule.access : null;

const unquotedWord = /^[^\s"*][^\s"]*$/;

/** Returns the form text of a rule; words with blanks are quoted. */
export const formatRuleText = (rule: Rule): string =>
  rule.tool === "bash"
    ? [
        ...rule.words.map((word) => (unquotedWord.test(word) ? word : JSON.stringify(word))),
        ...(rule.rest ? ["*"] : []),
      ].join(" ")
    : formatRulePattern(rule);

/** Parses the form text; null = not a valid pattern. */
export function parseRulePattern(subject: RuleSubject, text: string): CommandInput<"rules.save">["pattern"] | null {
  if (subject !== "command") return parsePathPattern(subject, text.trim());
  const found = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined
      ? { word: plain ?? "", isQuoted: false }
      : { word: quoted.replace(/\\(.)/g, "$1"), isQuoted: true },
  );
  const last = found.at(-1);
  const rest = last?.word === "*" && !last.isQuoted;
  const words = (rest ? found.slice(0, -1) : found).map(({ word }) => word).filter((word) => word !== "");
  const fits = words.length > 0 && words.length <= 20 && words.every((word) => word.length <= 200);
  return fits ? { tool: "bash", words, rest } : null;
}

function parsePathPattern(access: PathPattern["access"], glob: string): CommandInput<"rules.save">["pattern"] | null {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") || glob.length > 300 ? null : { tool: "files", access, glob };
}
