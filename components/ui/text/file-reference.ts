/** Parses file references in a text: `src/a.ts:10`, `a.ts:10:5`, `src/a.ts#L10`, "src/a.ts lines 10–20". Pure. */

import { languageOfPath } from "../code/code-language";

export interface FileReference {
  readonly path: string;
  /** 1-based; absent = the whole file. */
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
}

interface FileReferenceMatch extends FileReference {
  /** UTF-16 range in the text. */
  readonly from: number;
  readonly to: number;
}

// A run of these characters matches from its start only, so that scanning stays linear in the length of the text.
const pathCharacter = String.raw`[\p{L}\p{N}_@.+$-]`;
const foldersPattern = String.raw`(?:~?\.{0,2}\/)?(?:${pathCharacter}+\/(?:(?:${pathCharacter}|[()[\]])+\/){0,30})?`;
/** A file name: parts without whitespace, the last with an extension, or a well-known name without one. */
const fileNamePattern = String.raw`${foldersPattern}${pathCharacter}*[\p{L}\p{N}_+-]\.[A-Za-z][A-Za-z0-9]{0,9}`;
const knownNamePattern = String.raw`${foldersPattern}(?:Makefile|Dockerfile|Jenkinsfile|Gemfile|Rakefile|Procfile|LICENSE|README)`;
const lineRangePattern = String.raw`(?:[-–]L?(\d{1,7}))?`;
const locationPattern = String.raw`(?::(\d{1,7})(?::(\d{1,5}))?${lineRangePattern}|#L(\d{1,7})(?:C\d+)?${lineRangePattern}|\((\d{1,7})(?:,\s?(\d{1,5}))?\)|,?\s(?:on\s)?lines?\s(\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))?|\s?第\s?(\d{1,7})(?:\s?[-–到至]\s?(\d{1,7}))?\s?行)`;

const boundaryPattern = String.raw`(?<![\p{L}\p{N}_@/.+$:\\-])`;
const referencePattern = new RegExp(
  `${boundaryPattern}(${fileNamePattern}|${knownNamePattern})${locationPattern}`,
  "gu",
);
const wholeReferencePattern = new RegExp(`^(${fileNamePattern}|${knownNamePattern})(?:${locationPattern})?$`, "u");

/** Paths with an apparent extension that usually are hosts, versions or properties. */
const nonFilePattern = /^(?:\d|v\d|www\.)|\.(?:com|org|net|io|dev|length|prototype|exports|env)$/i;

/** Rejects `127.0.0.1:80`, `example.com:443` and the like. */
const isFile = (path: string): boolean => !nonFilePattern.test(path) && !/\/\/|^[^/]+@/.test(path);

function toReference(path: string, groups: readonly (string | undefined)[]): FileReference {
  const [line, column, end, hashLine, hashEnd, parenLine, parenColumn, wordLine, wordEnd, zhLine, zhEnd] = groups.map(
    (group) => (group === undefined ? undefined : Number(group)),
  );
  const first = line ?? hashLine ?? parenLine ?? wordLine ?? zhLine;
  const last = end ?? hashEnd ?? wordEnd ?? zhEnd;
  const at = column ?? parenColumn;
  return {
    path,
    ...(first === undefined || first === 0 ? {} : { line: first }),
    ...(at === undefined || at === 0 ? {} : { column: at }),
    ...(last === undefined || first === undefined || last < first ? {} : { endLine: last }),
  };
}

/** Longer texts are not scanned, UTF-16 units. */
const textMaxChars = 20_000;
const referencesMax = 200;

/** Finds all references in prose, left to right. Requires a line number: a bare name may be any word with a dot. */
export function findFileReferences(text: string): readonly FileReferenceMatch[] {
  if (text.length > textMaxChars) return [];
  const found: FileReferenceMatch[] = [];
  for (const match of text.matchAll(referencePattern)) {
    const [whole, path = "", ...groups] = match;
    if (found.length === referencesMax) break;
    // A number that continues, as in `a.ts:10.5`, is not a line.
    if (!isFile(path) || /^[\p{L}\p{N}_]/u.test(text.slice(match.index + whole.length))) continue;
    found.push({ ...toReference(path, groups), from: match.index, to: match.index + whole.length });
  }
  return found;
}

/** Parses a whole text as a file with an optional line. Null = it is not a reference. */
export function parseFileReference(text: string): FileReference | null {
  if (text.length > 400) return null;
  const match = wholeReferencePattern.exec(text.trim());
  const [, path = "", ...groups] = match ?? [];
  if (match === null || !isFile(path)) return null;
  return toReference(path, groups);
}

/**
 * Parses the file named by inline code, with the lines named by the text after it. A bare name needs the extension of a
 * language: `array.map` is not a file.
 */
export function parseCodeReference(text: string, next: string): FileReference | null {
  const found = parseFileReference(text);
  if (found === null || (found.line === undefined && !found.path.includes("/") && languageOfPath(found.path) === null))
    return null;
  if (found.line !== undefined) return found;
  const behind = /^(?:,?\s\(?(?:on\s)?lines?\s|\s?[（(]?第\s?)(\d{1,7})(?:\s?(?:[-–到至]|to|and)\s?(\d{1,7}))?/u.exec(
    next,
  );
  const [, line, end] = behind ?? [];
  if (line === undefined) return found;
  const last = end === undefined ? undefined : Number(end);
  return { ...found, line: Number(line), ...(last === undefined || last < Number(line) ? {} : { endLine: last }) };
}

/** Parses the file name of a fence info string: `ts title=src/a.ts`, `ts src/a.ts`, `ts:src/a.ts`. Null = none. */
export function parseFenceFile(info: string): string | null {
  const named = /(?:^|[\s{,])(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s,}"']+))/i.exec(
    info,
  );
  const explicitName = named?.[1] ?? named?.[2] ?? named?.[3];
  if (explicitName !== undefined)
    return parseFileReference(explicitName) === null && !explicitName.includes("/") ? null : cleanPath(explicitName);
  const words = info.trim().split(/\s+/).slice(0, 2);
  for (const word of words) {
    const text = word.replace(/^(?:\d+:\d+|[a-z0-9+#-]{1,16}):(?=[^\d])/i, "");
    const found = parseFileReference(text);
    if (found !== null) return cleanPath(found.path);
  }
  return null;
}

/** Parses a line that only names a file: `src/a.ts`, **src/a.ts:**, `### src/a.ts`, "File: src/a.ts". Null = none. */
export function parseLineFile(line: string): string | null {
  const bare = line
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(/^(?:[-*]|\d+[.)])\s+/, "")
    .replace(/[*_`]+/g, (marks) => (marks.includes("_") && !/[*`]/.test(marks) ? marks : ""))
    .replace(/^(?:(?:file|in|update|create)\s*:?\s+|(?:文件|在)\s*[:：]?\s*)/i, "")
    .replace(/\s*[:：]$/, "")
    .trim();
  const found = parseFileReference(bare);
  return found === null ? null : cleanPath(found.path);
}

const cleanPath = (path: string): string => path.replace(/^\.\//, "");
