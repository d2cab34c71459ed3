/** The form in which names are compared: models and other programs write one name in several spellings. Pure. */

/** Longer names are not compared. UTF-16 units. */
const maxNameChars = 200;
const wordsPattern = /^[a-z\d]+(?:_[a-z\d]+)*$/;

/** Returns the words of a name in lower case, joined by `_`: `GitHub.createIssue` → `git_hub_create_issue`. */
export function toNameKey(name: string): string {
  const compared = name.slice(0, maxNameChars);
  if (wordsPattern.test(compared)) return compared;
  return compared
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, "_")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

/** Returns the same without separators: `createissue` for `create-issue` and `createIssue`. */
export const toPlainKey = (name: string): string => toNameKey(name).replaceAll("_", "");
