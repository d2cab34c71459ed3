/**
 * Formatting of file names and paths in text lists, so that a name cannot imitate another line or hide part of itself.
 */

/** Control characters, line and paragraph separators, and bidirectional controls. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Leading or trailing white space, or a prefix that looks like the line for omitted entries. */
const misleading = /^(?:\s|\.\.\. )|\s$/;

/** Returns the name; a misleading one is quoted and escaped as JSON, which tools accept as a path argument. */
export function formatFileName(name: string): string {
  if (name.search(unsafe) === -1 && !misleading.test(name)) return name;
  const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(name).replace(unsafe, escape);
}
