/** The form in which names are compared: models and other programs write one name in several spellings. Pure. */

/** Longer names are not compared. UTF-16 units. */
const maxNameChars = 200;

/** Returns the words of a name in lower case, joined by `_`: `GitHub.createIssue` → `git_hub_create_issue`. */
export const toNameKey = (name: string): string =>
  name
    .slice(0, maxNameChars)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");

/** Returns the same without separators: `createissue` for `create-issue` and `createIssue`. */
export const toPlainKey = (name: string): string => toNameKey(name).replaceAll("_", "");
