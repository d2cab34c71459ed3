/** The pattern of a code search in ripgrep's arguments, and what its matches have captured. */
import type { CodeSearchQuery } from "@/lib/workspace/code-search";
import { listGroups, type PatternGroups } from "@/lib/workspace/replacement";
import type { LineEvent } from "./ripgrep-events";

/** The members of a query that decide what matches. */
export type CodePattern = Pick<CodeSearchQuery, "query" | "regex" | "caseSensitive" | "wholeWord">;

/** Returns the groups of the expression; null = the query is plain text. */
export const groupsOf = ({ regex, query }: Pick<CodePattern, "regex" | "query">): PatternGroups | null =>
  regex ? listGroups(query) : null;

/** No line contains it, so that it separates the groups in ripgrep's replacement of a match. */
const groupSeparator = "\n";

export function patternArguments(pattern: CodePattern): readonly string[] {
  const { query, regex, caseSensitive, wholeWord } = pattern;
  const groups = groupsOf(pattern) ?? [];
  return [
    ...(regex ? [] : ["--fixed-strings"]),
    ...(caseSensitive ? ["--case-sensitive"] : ["--ignore-case"]),
    ...(wholeWord ? ["--word-regexp"] : []),
    ...(groups.length > 0 ? [`--replace=${groups.map((_, index) => `\${${index + 1}}`).join(groupSeparator)}`] : []),
    `--regexp=${query}`,
  ];
}

/** Returns the bytes of each group of a match; none if the expression has no groups. */
export function captureTexts({ replacement }: LineEvent["submatches"][number]): readonly Buffer[] {
  if (replacement === undefined) return [];
  const captures: Buffer[] = [];
  let from = 0;
  for (let to = replacement.indexOf(groupSeparator); to !== -1; to = replacement.indexOf(groupSeparator, from)) {
    captures.push(replacement.subarray(from, to));
    from = to + groupSeparator.length;
  }
  return [...captures, replacement.subarray(from)];
}

/** Characters of a digest that are sent: 96 bits. */
const digestChars = 16;

export const lineDigest = ({ digest }: LineEvent["position"]): string => digest.slice(0, digestChars);
