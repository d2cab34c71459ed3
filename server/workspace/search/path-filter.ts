/** Path filters of a code search, as VS Code has them: comma-separated globs to include and to exclude. */
import { makeGlob } from "./glob";

/**
 * Returns a predicate for paths relative to the project. A pattern matches a file or everything in a folder, at any
 * depth unless it begins with `./` or `/`. An empty `include` includes everything; `exclude` has priority.
 */
export function makePathFilter(include: string, exclude: string): (path: string) => boolean {
  const included = splitPatterns(include).flatMap(toGlobs);
  const excluded = splitPatterns(exclude).flatMap(toGlobs);
  return (path) =>
    (included.length === 0 || included.some((matches) => matches(path))) && !excluded.some((matches) => matches(path));
}

/** Splits at commas that are not in braces; empty parts are left out. */
function splitPatterns(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if (char === "{") depth += 1;
    if (char === "}") depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== "");
}

function toGlobs(pattern: string): readonly ((path: string) => boolean)[] {
  const plain = pattern.replace(/\/+$/, "");
  if (plain === "" || plain === ".") return [() => true];
  const isAnchored = /^\.?\//.test(plain);
  const base = isAnchored ? plain : `**/${plain}`;
  return [makeGlob(base), makeGlob(`${base}/**`)];
}
