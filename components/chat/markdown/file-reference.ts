/** Files and places in them that a text names: `src/a.ts:10`, `a.ts:10:5`, `src/a.ts#L10`, "src/a.ts lines 10–20". Pure. */

import { languageOfPath } from "../../ui/code-language";

export interface FileReference {
  readonly path: string;
  /** 1-based; absent = the file. */
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
}

export interface FoundReference extends FileReference {
  /** UTF-16 range in the text. */
  readonly from: number;
  readonly to: number;
}

// Each run of these characters is tried from its start alone, so that reading takes time that grows with the length.
const letter = String.raw`[\p{L}\p{N}_@.+$-]`;
const folders = String.raw`(?:~?\.{0,2}\/)?(?:${letter}+\/(?:(?:${letter}|[()[\]])+\/){0,30})?`;
/** A name of a file: parts without blanks, the last with an ending or a well-known whole name. */
const name = String.raw`${folders}${letter}*[\p{L}\p{N}_+-]\.[A-Za-z][A-Za-z0-9]{0,9}`;
const wholeName = String.raw`${folders}(?:Makefile|Dockerfile|Jenkinsfile|Gemfile|Rakefile|Procfile|LICENSE|README)`;
const range = String.raw`(?:[-–]L?(\d{1,7}))?`;
const place = String.raw`(?::(\d{1,7})(?::(\d{1,5}))?${range}|#L(\d{1,7})(?:C\d+)?${range}|\((\d{1,7})(?:,\s?(\d{1,5}))?\)|,?\s(?:on\s)?lines?\s(\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))?|\s?第\s?(\d{1,7})(?:\s?[-–到至]\s?(\d{1,7}))?\s?行)`;

const before = String.raw`(?<![\p{L}\p{N}_@/.+$:\\-])`;
const pattern = new RegExp(`${before}(${name}|${wholeName})${place}`, "gu");
const wholePattern = new RegExp(`^(${name}|${wholeName})(?:${place})?$`, "u");

/** What looks like an ending and is one of a host, a version or a property more often. */
const notFiles = /^(?:\d|v\d|www\.)|\.(?:com|org|net|io|dev|length|prototype|exports|env)$/i;

/** `127.0.0.1:80` and `example.com:443` are no files. */
const isFile = (path: string): boolean => !notFiles.test(path) && !/\/\/|^[^/]+@/.test(path);

function referenceOf(path: string, groups: readonly (string | undefined)[]): FileReference {
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

/** More is not looked at in one text: UTF-16 units. */
const textMaxChars = 20_000;
const referencesMax = 200;

/** Every place in a running text, left to right. A file without a line is no link there: it may be any word with a dot. */
export function findReferences(text: string): readonly FoundReference[] {
  if (text.length > textMaxChars) return [];
  const found: FoundReference[] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, path = "", ...groups] = match;
    if (found.length === referencesMax) break;
    // A digit that goes on, as in `a.ts:10.5`, is no line.
    if (!isFile(path) || /^[\p{L}\p{N}_]/u.test(text.slice(match.index + whole.length))) continue;
    found.push({ ...referenceOf(path, groups), from: match.index, to: match.index + whole.length });
  }
  return found;
}

/** The whole of a text, as in `code`, when it is a file with or without a place; a bare name needs a folder or a place. */
export function readReference(text: string): FileReference | null {
  if (text.length > 400) return null;
  const match = wholePattern.exec(text.trim());
  const [, path = "", ...groups] = match ?? [];
  if (match === null || !isFile(path)) return null;
  return referenceOf(path, groups);
}

/**
 * The file that a piece of code names, with the lines that the text behind it names. A bare name needs an ending of a language:
 * `array.map` is no file.
 */
export function referenceOfCode(text: string, next: string): FileReference | null {
  const found = readReference(text);
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

/** The file of a fence: `ts title=src/a.ts`, `ts file="a b.ts"`, `ts src/a.ts`, `ts:src/a.ts`, `src/a.ts`. Null = none is named. */
export function fileOfFence(info: string): string | null {
  const named = /(?:^|[\s{,])(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s,}"']+))/i.exec(
    info,
  );
  const given = named?.[1] ?? named?.[2] ?? named?.[3];
  if (given !== undefined) return readReference(given) === null && !given.includes("/") ? null : cleanPath(given);
  const words = info.trim().split(/\s+/).slice(0, 2);
  for (const word of words) {
    const text = word.replace(/^(?:\d+:\d+|[a-z0-9+#-]{1,16}):(?=[^\d])/i, "");
    const found = readReference(text);
    if (found !== null) return cleanPath(found.path);
  }
  return null;
}

/** The line before a block when it only names a file: `src/a.ts`, **src/a.ts:**, `### src/a.ts`, "File: src/a.ts". */
export function fileOfLine(line: string): string | null {
  const bare = line
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(/^(?:[-*]|\d+[.)])\s+/, "")
    .replace(/[*_`]+/g, (marks) => (marks.includes("_") && !/[*`]/.test(marks) ? marks : ""))
    .replace(/^(?:(?:file|in|update|create)\s*:?\s+|(?:文件|在)\s*[:：]?\s*)/i, "")
    .replace(/\s*[:：]$/, "")
    .trim();
  const found = readReference(bare);
  return found === null ? null : cleanPath(found.path);
}

const cleanPath = (path: string): string => path.replace(/^\.\//, "");
