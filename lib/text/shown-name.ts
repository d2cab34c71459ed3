/** How a file name or path is written in a line of text, so that no name can pass for a further line or hide a part of itself. */

/** Control characters, line and paragraph separators, and what turns the direction of writing round. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Would read as an indent, or as the line that counts what was left out. */
const misleading = /^(?:\s|\.\.\. )|\s$/;

/** The name as it is; one that would mislead is quoted and escaped as in JSON, which a tool takes as its path argument. */
export function shownName(name: string): string {
  if (name.search(unsafe) === -1 && !misleading.test(name)) return name;
  const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(name).replace(unsafe, escape);
}
