/** The file that a text names at a position: an import, a link, or a path with a line. Pure. */
import { parentFolder, resolveAddress } from "@/lib/workspace/project-path";
import { parseFileReference } from "../../ui/text/file-reference";

interface NamedFile {
  /** Project paths that the text may mean, the likeliest first. */
  readonly candidates: readonly string[];
  /** From 1; absent = none is named. */
  readonly line?: number;
}

/** Endings that imports leave out, or write in place of the source's. */
const importEndings = [
  ".ts",
  ".tsx",
  ".d.ts",
  ".js",
  ".jsx",
  ".mjs",
  ".vue",
  ".py",
  "/index.ts",
  "/index.tsx",
  "/index.js",
];
/** A longer word is no path; its search would block the page. */
const wordMaxChars = 1_000;
const compiledEnding = /\.([cm]?)js(x?)$/;

/** Returns the file that the line names around a column (from 0) in a file of the project; null = none. */
export function pathAt(line: string, column: number, file: string): NamedFile | null {
  // A link in Markdown.
  const text = line.replaceAll("](", "  ");
  for (const { 0: word, index } of text.matchAll(/[^\s"'`<>|*?,;={}]+/g)) {
    if (column < index || column > index + word.length) continue;
    if (word.length > wordMaxChars) return null;
    const written = trimBrackets(word.replace(/^[([]+|[.:]+$/g, ""));
    const found = parseFileReference(written);
    const path = found?.path ?? (/^(?:\.{0,2}|[@~\w-]+)\//.test(written) && !written.includes("://") ? written : null);
    if (path === null) return null;
    const candidates = findCandidates(path, parentFolder(file));
    return candidates.length === 0 ? null : { candidates, ...(found?.line === undefined ? {} : { line: found.line }) };
  }
  return null;
}

/** A bracket at the end belongs to the text around the path, unless the path opens it. */
const trimBrackets = (text: string): string => {
  const last = text.at(-1);
  return (last === ")" && !text.includes("(")) || (last === "]" && !text.includes("["))
    ? trimBrackets(text.slice(0, -1))
    : text;
};

function findCandidates(path: string, folder: string): readonly string[] {
  const addresses = /^\.{1,2}\//.test(path)
    ? [resolveAddress(folder, path)]
    : [resolveAddress(folder, path), resolveAddress("", path), resolveAddress("", path.replace(/^[@~]\//, ""))];
  const places = [...new Set(addresses)].filter((one) => one !== null);
  return [
    ...places,
    ...places.flatMap((place) =>
      compiledEnding.test(place)
        ? [place.replace(compiledEnding, ".$1ts$2"), place.replace(compiledEnding, ".$1tsx")]
        : importEndings.map((ending) => place + ending),
    ),
  ];
}
