/** The text that replaces a match of a code search, equal in the preview and in the file. Pure. */

/** The groups of a regular expression in their order: a name, or null for a group without one. */
export type PatternGroups = readonly (string | null)[];

/** Beyond it a replacement cannot name them. */
const maxGroups = 99;

/** A named group after its parenthesis. The name is what ripgrep allows. */
const groupName = /^\?P?<([\p{L}_][\p{L}\p{N}_.[\]]*)>/u;
/** A group that captures, after its parenthesis; a lookbehind does not capture. */
const isGroup = /^(?!\?)|^\?P?<(?![=!])/;

/** Returns the groups of an expression in ripgrep's syntax. Those of an invalid expression have no meaning. */
export function listGroups(expression: string): PatternGroups {
  const groups: (string | null)[] = [];
  let classDepth = 0;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === "\\") at += 1;
    else if (character === "[") {
      classDepth += 1;
      // A bracket at the start of a class is an ordinary character.
      at += /^\^?\]?/.exec(expression.slice(at + 1, at + 3))?.[0].length ?? 0;
    } else if (character === "]") classDepth = Math.max(0, classDepth - 1);
    else if (character === "(" && classDepth === 0) {
      const rest = expression.slice(at + 1);
      const name = groupName.exec(rest)?.[1];
      if (name !== undefined) groups.push(name);
      else if (isGroup.test(rest)) groups.push(null);
    }
  }
  return groups.slice(0, maxGroups);
}

/** A match, with the text of each group; "" = the group took no part in it. */
export interface MatchText {
  readonly match: string;
  readonly captures: readonly string[];
}

/**
 * Returns the text that replaces a match, in parts. In the replacement of a regular expression `$&` is the match, `$1`
 * or `$<name>` a group and `$$` a dollar sign; a group that does not exist stays as it is written. `groups` null = the
 * query is plain text, and so is the replacement.
 */
export function listReplacementParts(
  replacement: string,
  groups: PatternGroups | null,
  { match, captures }: MatchText,
): readonly string[] {
  if (groups === null) return [replacement];
  const textOf = (group: number): string | null =>
    groups[group - 1] === undefined ? null : (captures[group - 1] ?? "");
  const parts: string[] = [];
  let end = 0;
  for (const { 0: written, 1: first, 2: second, 3: name, index } of replacement.matchAll(
    /\$(?:\$|&|(\d)(\d?)|<([^<>]*)>)/g,
  )) {
    parts.push(replacement.slice(end, index));
    end = index + written.length;
    if (written === "$$") parts.push("$");
    else if (written === "$&") parts.push(match);
    else if (name !== undefined) parts.push(textOf(groups.indexOf(name) + 1) ?? written);
    else {
      const short = textOf(Number(first));
      const long = textOf(Number(`${first}${second}`));
      parts.push(...(long !== null ? [long] : short === null ? [written] : [short, second ?? ""]));
    }
  }
  return [...parts, replacement.slice(end)];
}

/** Returns the text that replaces a match; see `listReplacementParts`. */
export const expandReplacement = (...input: Parameters<typeof listReplacementParts>): string =>
  listReplacementParts(...input).join("");
