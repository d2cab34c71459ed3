/** Recognises programs that provably only read, option by option, and which of their words are paths. */
import { literalWord, type Word } from "../shell/shell-words";
import { programName } from "../shell/wrapped-commands";
import { readerTable, type ReaderOptions } from "./reader-table";
import { isVersionQuestion } from "./version-questions";

/** A word that the program opens as a path. */
export interface ReadPath {
  readonly word: Word;
  /** Everything below it is opened or listed too. */
  readonly recursive: boolean;
  /** Hidden names below it are skipped. */
  readonly skipsHidden: boolean;
}

/** Programs whose first operand is a pattern or a script, never a path. */
const patternFirst: ReadonlySet<string> = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "sed",
  "awk",
  "gawk",
  "mawk",
  "jq",
  "perl",
  "ag",
  "ack",
]);

/**
 * Returns the paths these words read when they provably do nothing else; null otherwise. Every word must be literal (a
 * glob may be used for a path); `echo` and `printf` may also name plain variables. `cd` is not judged here.
 */
export function readPaths(words: readonly Word[]): readonly ReadPath[] | null {
  const first = words[0];
  // A program given by its path may be any file of that name.
  if (first === undefined || !first.literal || first.text.includes("/")) return null;
  const rest = words.slice(1);
  const name = first.text;
  if (name === "echo" || name === "printf") return printedPaths(name, rest);
  if (rest.some((word) => !word.literal)) return null;
  if (name === "find") return findPaths(rest);
  if (name === "sed") return sedPaths(rest);
  if (name === "[" || name === "test") return testPaths(rest);
  if (name === "set")
    return rest.every((word, at) => isShellOption(word.text, rest[at - 1]?.text)) && rest.length > 0 ? [] : null;
  if (name === "command") return /^-[vV]$/.test(rest[0]?.text ?? "") && rest.every((word) => !word.glob) ? [] : null;
  if (isVersionQuestion(words)) return [];
  // `@file` is a file of further options, and an error message reveals its content.
  if (name === "strings" && rest.some((word) => word.text.startsWith("@"))) return null;
  // jq's modules may be files anywhere.
  if (name === "jq" && rest.some((word) => /import|include|module/.test(word.text))) return null;
  const options = Object.hasOwn(readerTable, name) ? readerTable[name] : undefined;
  return options === undefined ? null : optionPaths(rest, options);
}

/**
 * Returns the words of any command that may name a file, for the check of protected names: without its pattern or
 * script and without what it excludes.
 */
export function fileWords(words: readonly Word[]): readonly Word[] {
  const first = words[0];
  if (first === undefined) return [];
  const name = programName(first);
  const rest = withoutExcludedWords(name, words.slice(1));
  if (name === "echo" || name === "printf") return [];
  if (!patternFirst.has(name) && name !== "find") return rest;
  const own = rest.filter((word, at) => !isPatternOption(word.text) && !isPatternValueOption(rest[at - 1]?.text ?? ""));
  if (name === "find" || own.length < rest.length) return own;
  const pattern = own.findIndex((word) => !word.text.startsWith("-"));
  return own.filter((_, at) => at !== pattern);
}

const excludeOption = /^--(?:exclude|exclude-dir|ignore-pattern)(?:=|$)/;

/** Returns the words without the names that `--exclude=.git` and similar options exclude. */
function withoutExcludedWords(name: string, words: readonly Word[]): readonly Word[] {
  const isOption = (text = ""): boolean =>
    excludeOption.test(text) || (/^fd(?:find)?$/.test(name) && text === "-E") || (name === "tree" && text === "-I");
  const end = name === "zip" ? words.findIndex((word) => word.text === "-x") : -1;
  return words
    .slice(0, end < 0 ? words.length : end)
    .filter(
      (word, at, all) => !isOption(word.text) && !(isOption(all[at - 1]?.text) && !all[at - 1]?.text.includes("=")),
    );
}

const isPatternOption = (text: string): boolean =>
  /^(?:--(?:exclude|exclude-dir|include|glob|iglob|regexp|expression)(?:=|$)|-[a-zA-Z]*[eg]$)/.test(text);

const isPatternValueOption = (text: string): boolean =>
  /^(?:-[a-zA-Z]*[eg]|--(?:exclude|exclude-dir|include|glob|iglob|regexp|expression)|-i?(?:name|path|wholename|regex))$/.test(
    text,
  );

const isShellOption = (text: string, before: string | undefined): boolean =>
  /^[-+][eux]+o?$/.test(text) || /^[-+]o$/.test(text) || (text === "pipefail" && /o$/.test(before ?? ""));

function printedPaths(name: string, words: readonly Word[]): readonly ReadPath[] | null {
  // `-v 'name[$(…)]'` runs code, `%n` sets a variable such as PATH.
  if (
    name === "printf" &&
    words[0] !== undefined &&
    (!words[0].literal || /^-|%[-+ #0'*.\dhjlLtz]*n/.test(words[0].text))
  )
    return null;
  if (words.some((word) => !word.literal && !word.variable)) return null;
  return words.filter((word) => word.glob).map(nonRecursivePath);
}

const nonRecursivePath = (word: Word): ReadPath => ({ word, recursive: false, skipsHidden: false });

interface ParsedOptions {
  readonly given: Set<string>;
  readonly operands: Word[];
  readonly files: Word[];
}

function optionPaths(words: readonly Word[], options: ReaderOptions): readonly ReadPath[] | null {
  const read: ParsedOptions = { given: new Set(), operands: [], files: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === "--") {
      read.operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.text.startsWith("-") || word.text === "-") {
      read.operands.push(word);
      continue;
    }
    if (word.glob && !/[=*?[]/.test(word.text.slice(2))) return null;
    const valueCount = word.text.startsWith("--")
      ? longOption(word.text, words[at + 1], options, read)
      : shortOptions(word.text, words[at + 1], options, read);
    if (valueCount === null) return null;
    at += valueCount;
  }
  return operandPaths(read, options);
}

/** Returns how many further words the option takes (0 or 1); null when the option is not on the list. */
function longOption(text: string, next: Word | undefined, options: ReaderOptions, read: ParsedOptions): 0 | 1 | null {
  const [name = "", value] = text.slice(2).split(/=(.*)/s);
  const longNames = options.longs?.split(" ") ?? [];
  read.given.add(name);
  if (value === undefined && longNames.includes(name)) return 0;
  const file = longNames.includes(`${name}:`);
  if (!file && !longNames.includes(`${name}=`)) return null;
  const word = value === undefined ? next : literalWord(value);
  if (word === undefined) return null;
  if (file) read.files.push(word);
  else if (word.glob) return null;
  return value === undefined ? 1 : 0;
}

function shortOptions(text: string, next: Word | undefined, options: ReaderOptions, read: ParsedOptions): 0 | 1 | null {
  if (options.digits === true && /^-\d+$/.test(text)) return 0;
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    read.given.add(letter);
    if (options.flags?.includes(letter)) continue;
    if (options.attached?.includes(letter)) return 0;
    const file = options.fileValues?.includes(letter) === true;
    if (!file && options.values?.includes(letter) !== true) return null;
    const attached = text.slice(at + 1);
    const word = attached === "" ? next : literalWord(attached);
    if (word === undefined) return null;
    if (file) read.files.push(word);
    else if (word.glob) return null;
    return attached === "" ? 1 : 0;
  }
  return 0;
}

function operandPaths({ given, operands, files }: ParsedOptions, options: ReaderOptions): readonly ReadPath[] | null {
  if (
    options.maxOperands !== undefined &&
    (operands.length > options.maxOperands || operands.some((word) => word.glob && options.maxOperands === 1))
  )
    return null;
  if (options.operands === "formats" && !operands.every((word) => word.text.startsWith("+"))) return null;
  const named = files.map(nonRecursivePath);
  if (options.operands === "none" || options.operands === "formats")
    return [...named, ...operands.filter((word) => word.glob).map(nonRecursivePath)];
  const hasPattern =
    options.operands === "pattern" && !(options.patternOptions ?? []).some((option) => given.has(option));
  // A pattern that is a glob may expand to several words, paths among them.
  if (hasPattern && (operands.length === 0 || operands[0]?.glob === true)) return null;
  const places = hasPattern ? operands.slice(1) : operands;
  const recursive = options.recursive === "always" || (options.recursive ?? []).some((option) => given.has(option));
  const skipsHidden = options.hiddenOptions !== undefined && !options.hiddenOptions.some((option) => given.has(option));
  const starts =
    places.length === 0 && options.defaultsToCurrentFolder === true && (recursive || options.operands === "paths")
      ? [literalWord(".")]
      : places;
  return [...named, ...starts.map((word) => ({ word, recursive, skipsHidden }))];
}

const findValueTests =
  "name iname path ipath wholename regex iregex type xtype size mtime mmin ctime cmin atime amin maxdepth mindepth perm user group links inum regextype printf".split(
    " ",
  );
const findFlags =
  "empty print print0 prune o or a and not depth mount xdev noleaf readable writable executable ls quit true false daystart".split(
    " ",
  );

function findPaths(words: readonly Word[]): readonly ReadPath[] | null {
  const start = words.findIndex((word) => /^[-(!,)]/.test(word.text));
  const expression = start < 0 ? [] : words.slice(start);
  const places = start < 0 ? words : words.slice(0, start);
  let shallow = false;
  for (let at = 0; at < expression.length; at += 1) {
    const { text = "", glob } = expression[at] ?? {};
    // The shell would expand an unquoted pattern to names, and a name may be an option.
    if (glob) return null;
    if (["(", ")", "!", ","].includes(text) || findFlags.includes(text.slice(1))) continue;
    const value = expression[at + 1];
    if (!findValueTests.includes(text.slice(1)) || value === undefined || value.glob) return null;
    // The last -maxdepth applies.
    if (text === "-maxdepth") shallow = /^[01]$/.test(value.text);
    at += 1;
  }
  const starts = places.length === 0 ? [literalWord(".")] : places;
  return starts.map((word) => ({ word, recursive: !shallow, skipsHidden: false }));
}

/** Between two optional parts there is no further optional blank: it would take quadratic time. */
const printScript = /^(?:(?:\d+|\$|\/[^/\\\n]*\/)(?:,(?:\d+|\$|\+\d+|\/[^/\\\n]*\/))?\s*)?p$/;

/** Accepts only `sed -n` with scripts that print, and `sed 20q`. */
function sedPaths(words: readonly Word[]): readonly ReadPath[] | null {
  let quiet = false;
  const scripts: string[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { text = "", glob = false } = words[at] ?? {};
    if (text === "--") return null;
    if (/^-[nErs]+$/.test(text) || text === "--quiet" || text === "--silent")
      quiet ||= text.includes("n") || text.startsWith("--");
    else if (/^-[nErs]*e$/.test(text)) {
      quiet ||= text.includes("n");
      const script = words[(at += 1)];
      if (script === undefined || script.glob) return null;
      scripts.push(script.text);
    } else if (text.startsWith("-") && text !== "-") return null;
    else operands.push(words[at] ?? literalWord(text));
    if (glob && text.startsWith("-")) return null;
  }
  if (scripts.length === 0) {
    const script = operands.shift();
    if (script === undefined || script.glob) return null;
    scripts.push(script.text);
  }
  const prints = scripts.every((script) =>
    script
      .split(";")
      .map((part) => part.trim())
      .every((part) => (quiet && printScript.test(part)) || /^\d+q$/.test(part)),
  );
  return prints ? operands.map(nonRecursivePath) : null;
}

const testOperators: ReadonlySet<string> = new Set([
  "-f",
  "-d",
  "-e",
  "-r",
  "-w",
  "-x",
  "-s",
  "-L",
  "-h",
  "-z",
  "-n",
  "=",
  "==",
  "!=",
  "-eq",
  "-ne",
  "-lt",
  "-gt",
  "-le",
  "-ge",
  "!",
  "-a",
  "-o",
  "-nt",
  "-ot",
  "-ef",
  "]",
  "(",
  ")",
]);

/** Unknown operators ask: `-v name[$(…)]` would run code. */
function testPaths(words: readonly Word[]): readonly ReadPath[] | null {
  if (words.some((word) => /^-[A-Za-z]/.test(word.text) && !testOperators.has(word.text))) return null;
  return words
    .filter((word, at) => word.glob || /^-[fderwxsLh]$|^-(?:nt|ot|ef)$/.test(words[at - 1]?.text ?? ""))
    .map(nonRecursivePath);
}
