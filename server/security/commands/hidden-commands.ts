/**
 * Finds commands whose effect is in a text that only the running shell or program reads: assignments, builtins that
 * evaluate, scripts on standard input, commands behind programs that are not listed.
 */
import { isControlling, namesInText } from "../shell/calculated-names";
import type { CommandSegment } from "../shell/parsed-command";
import type { Word } from "../shell/shell-words";
import { programName } from "../shell/wrapped-commands";
import { windowsNames } from "../shell/wrapper-table";
import { takesTextAsData, takesWordsAsData } from "./known-programs";

interface HiddenContext {
  readonly blockedWords: readonly string[];
  /** Variables that the command sets to numbers only. */
  readonly numbers: ReadonlySet<string>;
}

/** Returns whether a part may run something that cannot be read in it. */
export function mayHideCommand(segment: CommandSegment, context: HiddenContext): boolean {
  const isNumber = (name: string): boolean => context.numbers.has(name);
  return (
    !segment.calculates.every(isNumber) ||
    assignsBehavior(segment, context) ||
    evaluatesWords(segment.words, isNumber) ||
    readsScript(segment) ||
    mayStartBlocked(segment, context)
  );
}

/** Values of controlling variables that are in daily use and start nothing. */
const harmlessValues: Readonly<Record<string, RegExp>> = {
  PAGER: /^(?:cat|less|more|)$/,
  GIT_PAGER: /^(?:cat|less|more|)$/,
  MANPAGER: /^(?:cat|less|more|)$/,
  GIT_EDITOR: /^(?:true|:|cat|vim?|nano)$/,
  GIT_SEQUENCE_EDITOR: /^(?:true|:|cat)$/,
  EDITOR: /^(?:true|:|cat|vim?|nano)$/,
  VISUAL: /^(?:true|:|cat|vim?|nano)$/,
  BROWSER: /^(?:none|true|)$/,
  GIT_TERMINAL_PROMPT: /^\d$/,
  GIT_OPTIONAL_LOCKS: /^\d$/,
  GIT_MERGE_AUTOEDIT: /^\w+$/,
  NODE_OPTIONS:
    /^(?:--(?:max-old-space-size=\d+|no-warnings|enable-source-maps|experimental-vm-modules|trace-warnings|no-deprecation|openssl-legacy-provider|throw-deprecation|trace-deprecation|experimental-strip-types) ?)*$/,
  NODE_PATH: /^[\w./:@-]*$/,
  PYTHONPATH: /^[\w./:@-]*$/,
  PYTHONUNBUFFERED: /^\w*$/,
  PYTHONDONTWRITEBYTECODE: /^\w*$/,
  PYTHONIOENCODING: /^[\w-]*$/,
  PYTHONHASHSEED: /^\w*$/,
  PYTHONWARNINGS: /^\w*$/,
  PYTHONUTF8: /^\d$/,
  PYTHONASYNCIODEBUG: /^\d$/,
  PYTHONFAULTHANDLER: /^\w*$/,
  IFS: /^[^\w]*$/,
  SHELL: /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/,
  BASH_SOURCE: /^$/,
  ENV: /^\w+$/,
  OPTIND: /^\d+$/,
  RANDOM: /^\d+$/,
  SECONDS: /^\d+$/,
};
const harmlessNames = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/;

/** Assignments among the words of env and its kind. */
function assignedByWords([first, ...rest]: readonly Word[]): CommandSegment["assigned"] {
  if (first === undefined || !/^g?env$|^cross-env/.test(programName(first))) return [];
  return rest.flatMap((word) => {
    const [, name, text] = /^([^-=][^=]*)=(.*)$/s.exec(word.text) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, value: { ...word, text } }];
  });
}

function assignsBehavior(segment: CommandSegment, { blockedWords }: HiddenContext): boolean {
  const { words } = segment;
  const byWords = assignedByWords(words);
  const assigned = [...segment.assigned, ...byWords];
  const assignments = [...segment.assignments, ...byWords.map(({ name }) => name)];
  if (assignments.some((name) => isControlling(name) && !harmlessNames.test(name))) {
    const values = assigned.filter(({ name }) => isControlling(name));
    const isHarmless = values.every(
      ({ name, value }) => value.literal && !value.glob && harmlessValues[name]?.test(value.text) === true,
    );
    // A name without a value only exports what another assignment has set.
    if (!isHarmless || (values.length === 0 && !/^(?:export|unset|readonly)$/.test(words[0]?.text ?? ""))) return true;
  }
  if (assignments.some((name) => name.includes("[") && !/^\w+\[(?:\d+|"[\w. -]*"|'[\w. -]*')\]\+?$/.test(name)))
    return true;
  // An ordinary variable is data in the shell; a program may take it for a command.
  return words.length > 0 && assigned.some(({ value }) => value.literal && mayBeCommand(value.text, blockedWords));
}

/** Returns whether a text that is one or several commands would start a blocked program. */
function mayBeCommand(text: string, blockedWords: readonly string[]): boolean {
  if (/[`]|\$\(/.test(text)) return true;
  const starts = text.split(/[;&|\n!]+/).map((part) => part.trim().split(/\s+/)[0] ?? "");
  return starts.some((start) => isBlockedName(start, blockedWords));
}

const isBlockedName = (text: string, blockedWords: readonly string[]): boolean => {
  const name = programName({ text });
  return !windowsNames.has(name) && blockedWords.some((word) => word.toLowerCase() === name);
};

const identifier = /^[A-Za-z_]\w*$/;

/** The options with which a builtin that sets variables evaluates nothing; its operands must be names. */
const namingBuiltins: Readonly<
  Record<string, { readonly flags: RegExp; readonly values: RegExp; readonly operands: RegExp }>
> = {
  read: { flags: /^-[rsea]+$/, values: /^-[rsea]*[ptnNdui]$/, operands: identifier },
  mapfile: { flags: /^-t$/, values: /^-t?[ndusO]$/, operands: identifier },
  readarray: { flags: /^-t$/, values: /^-t?[ndusO]$/, operands: identifier },
  unset: { flags: /^-[fvn]$/, values: /^$/, operands: identifier },
  compgen: { flags: /^-[abcdefgjksuv]+$/, values: /^-A$/, operands: /^(?!-)[\w./-]*$/ },
  wait: { flags: /^-[fn]+$/, values: /^$/, operands: /^(?:%?\d+|%[\w+-]*)$/ },
  declare: { flags: /^[-+][aAfFgplrtux]+$/, values: /^$/, operands: /^[A-Za-z_]\w*\+?(?:=|$)/ },
  typeset: { flags: /^[-+][aAfFgplrtux]+$/, values: /^$/, operands: /^[A-Za-z_]\w*\+?(?:=|$)/ },
  local: { flags: /^[-+][aAfFgplrtux]+$/, values: /^$/, operands: /^[A-Za-z_]\w*\+?(?:=|$)/ },
  export: { flags: /^-[fnp]+$/, values: /^$/, operands: /^[A-Za-z_]\w*\+?(?:=|$)/ },
  readonly: { flags: /^-[aAfp]+$/, values: /^$/, operands: /^[A-Za-z_]\w*\+?(?:=|$)/ },
};

/** Builtins that put a text into the variables that they name. */
const settingBuiltins = /^(?:read|mapfile|readarray|printf|getopts)$/;

/** Returns whether a builtin evaluates its words: arithmetic, subscripts of names, callbacks. */
function evaluatesWords([first, ...rest]: readonly Word[], isNumber: (name: string) => boolean): boolean {
  const name = first?.literal === true ? first.text : "";
  if (name === "set") return rest.some(({ text }) => /^-[a-zA-Z]*k|^keyword$/.test(text));
  if (settingBuiltins.test(name) && rest.some(({ text }) => isControlling(text))) return true;
  if (name === "let") return !rest.every((word) => word.literal && namesInText(word.text).every(isNumber));
  if (name === "jobs") return rest.some((word) => !/^-[lnprs]+$|^%/.test(word.text));
  if (name === "complete" || name === "compopt") return true;
  if (name === "getopts") return !identifier.test(rest[1]?.text ?? "") || rest[1]?.literal !== true;
  if (name === "printf") return evaluatesFormat(rest);
  if (name === "test" || name === "[")
    return rest.some((word, at) => /^-[vR]$/.test(word.text) && !identifier.test(rest[at + 1]?.text ?? ""));
  const builtin = Object.hasOwn(namingBuiltins, name) ? namingBuiltins[name] : undefined;
  if (builtin === undefined) return false;
  for (let at = 0; at < rest.length; at += 1) {
    const { text = "", literal = false } = rest[at] ?? {};
    if (builtin.values.test(text)) at += 1;
    else if (
      !builtin.flags.test(text) &&
      text !== "--" &&
      !(builtin.operands.test(text) && (literal || text.includes("=")))
    )
      return true;
  }
  return false;
}

function evaluatesFormat(words: readonly Word[]): boolean {
  if (/^-v./.test(words[0]?.text ?? "")) return true;
  const [option, name, format] = words[0]?.text === "-v" ? words : [undefined, undefined, words[0]];
  if (option !== undefined && (name?.literal !== true || !identifier.test(name.text))) return true;
  const hasSubscript = words.some((word) => word !== name && /\[[\s\S]*(?:\$\(|`)/.test(word.text));
  return hasSubscript && (format?.literal !== true || /%[-+ #0'*.\dhjlLtz]*n/.test(format.text));
}

/** Returns whether a text of the command line, or what another program prints, is the input of a program that may run it. */
function readsScript({ words, input }: CommandSegment): boolean {
  const first = words[0];
  if (first === undefined || input === "none" || input === "file") return false;
  return !takesTextAsData(words, input === "text");
}

/** Returns whether a program that is not listed may start a blocked one that is among its words. */
function mayStartBlocked({ words, wrapper }: CommandSegment, { blockedWords }: HiddenContext): boolean {
  const [first, ...rest] = words;
  if (first === undefined || wrapper !== "none" || takesWordsAsData(words)) return false;
  return rest.some(
    ({ text }) => isBlockedName(text, blockedWords) || (/\s/.test(text) && mayBeCommand(text, blockedWords)),
  );
}
