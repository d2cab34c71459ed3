/** Finds the commands that wrappers run, among the words of the wrapper. */
import { literalWord, type Word } from "./shell-words";
import { gnuNames, looseWrappers, runners, shells, type WrapperOptions, windowsNames, wrappers } from "./wrapper-table";

/** A command that a wrapper runs. */
export interface WrappedCommand {
  /** The command, word by word; empty when it is a script or unreadable. */
  readonly words: readonly Word[];
  /** A text passed to a shell. */
  readonly script: string | null;
  /** Further words are added at run time. */
  readonly openEnded: boolean;
  /** Why it cannot be fully read; null when it can. */
  readonly unreadable: string | null;
  /** Words one of which may be the command, when the options could not be read. */
  readonly suspects: readonly string[];
  /** The wrapper itself has no effect of its own. */
  readonly transparent: boolean;
}

/** Returns the base name of a program: after quote removal, without folder and Windows extension, in lower case. */
export function programName(word: Pick<Word, "text">): string {
  const base = word.text.slice(word.text.lastIndexOf("/") + 1).toLowerCase();
  return base.replace(/\.(?:exe|com|cmd|bat)$/, "");
}

/** Returns whether a program is a shell (`sh`, `bash` …). */
export const isShell = (name: string): boolean => shells.has(name.replace(/[-\d.]+$/, ""));

/** Returns whether the program is only determined at run time: `{}` of find and xargs, a link to the shell itself. */
export const isLaterProgram = ({ text }: Word, openEnded: boolean): boolean =>
  text === "" || /^\/(?:proc|dev)\//.test(text) || (openEnded && text.includes("{"));

/** Returns whether a wrapper or runner has no command of its own yet. */
export const lacksCommand = (words: readonly Word[], inners: readonly WrappedCommand[]): boolean => {
  const name = words[0] === undefined ? "" : programName(words[0]);
  if (runners[name]?.length === 0) return runnerCommand(words) === null;
  return (
    !isShell(name) && inners.some((inner) => inner.words.length + inner.suspects.length === 0 && inner.script === null)
  );
};

/** Returns every command these words run besides the program they name; empty when it is not a wrapper. */
export function wrappedCommands(words: readonly Word[]): readonly WrappedCommand[] {
  const first = words[0];
  if (first === undefined || !first.literal) return [];
  const name = programName(first).replace(gnuNames, "");
  const rest = words.slice(1);
  if (name === "find") return finderCommands(rest, /^-(?:exec|ok)(?:dir)?$/);
  if (name === "fd" || name === "fdfind")
    return finderCommands(rest, /^(?:-[a-zA-Z0-9]*[xX]|--exec(?:-batch)?)(?:=|$)/);
  if (isShell(name)) return shellScript(rest, name);
  if (name === "eval") return [joinedScript(rest)];
  if (name === "trap") return trapScript(rest);
  if (/^(?:su|sg|script)$/.test(name) || (name === "runuser" && rest.some((word) => word.text === "-c")))
    return [scriptOption(rest)];
  if (name === "command" && /^-[pvV]*[vV]/.test(rest[0]?.text ?? "")) return [];
  if (name === "busybox" || name === "toybox")
    return [rest[0]?.text.startsWith("-") ? unreadableCommand(rest, "option") : wrappedWords(rest, {})];
  if (looseWrappers.has(name)) return suspectCommands(rest);
  if (startsNextWord(name, rest[0]?.text ?? "")) return [wrappedWords(name === "cmake" ? rest.slice(1) : rest, {})];
  if (Object.hasOwn(runners, name)) return runnerProgram(words);
  if (/^ld(?:-linux|-musl|64)?[\w-]*\.so/.test(name))
    return [commandAfterOptions(rest, { longValues: "library-path preload" })];
  const options = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (options === undefined) return [];
  if (name === "env") return [envCommand(rest, options)];
  if (name === "watch" || name === "parallel" || name === "entr") return [shellJoinedCommand(rest, options)];
  if (name === "flock") return [flockCommand(commandAfterOptions(rest, options))];
  // The architecture is optional.
  if (name === "setarch") return [rest, rest.slice(1)].map((own) => commandAfterOptions(own, options));
  return [commandAfterOptions(name === "nice" || name === "ionice" ? withoutNumbers(rest) : rest, options)];
}

/** Returns whether this shell runs a script in a file: `source .venv/bin/activate`. */
export const isSourcedScript = ([first, script]: readonly Word[]): boolean =>
  first?.literal === true &&
  /^(?:source|\.)$/.test(first.text) &&
  script?.literal === true &&
  !script.glob &&
  !/^-|^$|^\/(?:dev|proc)\//.test(script.text);

/** Makes an inner command from its words. */
export const wrappedWords = (words: readonly Word[], options: WrapperOptions): WrappedCommand => ({
  words,
  script: null,
  openEnded: options.openEnded === true,
  unreadable: words[0] !== undefined && !words[0].literal ? "dynamic" : null,
  suspects: [],
  transparent: options.transparent === true,
});

/** Makes an unreadable inner command; one of `words` may be the program. */
export const unreadableCommand = (words: readonly Word[], reason: string): WrappedCommand => ({
  words: [],
  script: null,
  openEnded: true,
  unreadable: reason,
  suspects: words.filter((word) => !word.text.startsWith("-")).map(programName),
  transparent: false,
});

/** Makes an inner command from a text for a shell. */
export const wrappedScript = (word: Word | undefined, reason: string): WrappedCommand =>
  word?.literal && !word.glob && word.text.trim() !== "{}"
    ? { words: [], script: word.text, openEnded: false, unreadable: null, suspects: [], transparent: false }
    : unreadableCommand([], reason);

const splitNames = (names: string | undefined): readonly string[] => names?.split(" ") ?? [];

/** Returns how many words an option occupies, itself included; null when the wrapper has no such option on record. */
function optionLength(text: string, options: WrapperOptions): number | null {
  if (text.startsWith("--")) {
    const [name = "", value] = text.slice(2).split(/=(.*)/s);
    if (splitNames(options.longValues).includes(name)) return value === undefined ? 2 : 1;
    if (splitNames(options.longAttached).includes(name)) return 1;
    return splitNames(options.longs).includes(name) && value === undefined ? 1 : null;
  }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (options.values?.includes(letter)) return at === text.length - 1 ? 2 : 1;
    if (!options.flags?.includes(letter)) return null;
  }
  return 1;
}

function commandAfterOptions(words: readonly Word[], options: WrapperOptions): WrappedCommand {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (!word.literal || word.glob) return unreadableCommand(words.slice(at), "dynamic");
    if (word.text === "--") {
      at += 1;
      break;
    }
    if (options.assigns === true && /^[^-].*=/s.test(word.text)) {
      at += 1;
      continue;
    }
    if (options.assigns === true && word.text === "-") {
      at += 1;
      continue;
    }
    if (!word.text.startsWith("-") || word.text === "-") break;
    const length = optionLength(word.text, options);
    if (length === null) return unreadableCommand(words.slice(at), "option");
    at += length;
  }
  const operands = options.operands ?? 0;
  if (words.slice(at, at + operands).some((word) => !word.literal || word.glob))
    return unreadableCommand(words.slice(at), "dynamic");
  at += operands;
  return wrappedWords(words.slice(at), options);
}

/**
 * Returns the words after a runner and its verb, options first; null when the program is not a runner or runs nothing
 * here.
 */
function wordsAfterRunner(words: readonly Word[]): readonly Word[] | null {
  const name = words[0] === undefined ? "" : programName(words[0]);
  const verbs = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (verbs === undefined) return null;
  const verb = words.findIndex((word, at) => at > 0 && verbs.includes(word.text));
  return verbs.length > 0 && verb < 0 ? null : words.slice(Math.max(verb, 0) + 1);
}

/** Returns whether the words after a program and its first word are a command: `corepack npm …`, `cmake -E rm …`. */
const startsNextWord = (name: string, next: string): boolean =>
  (name === "corepack" && /^(?:npm|pnpm|yarn)$/.test(next)) ||
  (name === "yarn" && next === "node") ||
  (name === "cmake" && next === "-E");

/** Options of the runners that take the next word. */
const runnerValue =
  /^(?:-[pwCFnf]|--(?:package|workspace|prefix|dir|directory|filter|with|with-editable|with-requirements|python|extra|group|project|env-file|from|name|cwd|spec|scope|concurrency|ignore))$/;

/** Returns where the program is in the words after a runner; -1 = there is none. */
function programIndex(runner: string, own: readonly Word[]): number {
  const isOperand = ({ text }: Word, at: number): boolean =>
    (runner === "direnv" && at === 0) ||
    (runner === "mise" && /\w@/.test(text)) ||
    (runner === "nvm" && /^(?:v?\d|lts|node$|default$)/.test(text));
  return own.findIndex(
    (word, at) => !word.text.startsWith("-") && !runnerValue.test(own[at - 1]?.text ?? "") && !isOperand(word, at),
  );
}

/** Returns the command a package runner starts, word by word; null for every other program. */
export function runnerCommand(words: readonly Word[]): readonly Word[] | null {
  const own = wordsAfterRunner(words);
  const program = own === null || words[0] === undefined ? -1 : programIndex(programName(words[0]), own);
  return own === null || program < 0 ? null : own.slice(program);
}

/**
 * Returns the program a runner starts as a suspect, so that a blocked word stays blocked, and the commands of a shell
 * or wrapper after it. Rules apply to the runner.
 */
function runnerProgram(words: readonly Word[]): readonly WrappedCommand[] {
  const own = wordsAfterRunner(words) ?? [];
  const script = own.findIndex((word) => /^(?:-c|--call)(?:=|$)/.test(word.text));
  const program = words[0] === undefined ? -1 : programIndex(programName(words[0]), own);
  if (script >= 0 && (program < 0 || script < program)) return [unreadableCommand(own, "script")];
  const command = own.slice(program);
  const first = command[0];
  if (program < 0 || first === undefined) return [];
  // A word before it, which an option may not take, is suspect too.
  const suspects = own
    .slice(0, program + 1)
    .filter((word) => !word.text.startsWith("-"))
    .map(programName)
    .filter((name) => !windowsNames.has(name));
  return [
    { ...wrappedWords([], {}), suspects, unreadable: first.literal ? null : "dynamic" },
    ...(/\s/.test(first.text) ? [wrappedScript(first, "dynamic")] : []),
    ...wrappedCommands(command),
  ];
}

/** `flock file -c text` passes the text to a shell. */
function flockCommand(inner: WrappedCommand): WrappedCommand {
  const [first, script] = inner.words;
  return first?.text === "-c" || first?.text === "--command" ? wrappedScript(script, "dynamic") : inner;
}

function envCommand(words: readonly Word[], options: WrapperOptions): WrappedCommand {
  const at = words.findIndex((word) => /^(?:-[i0v]*S|--split-string)/.test(word.text));
  const command = commandAfterOptions(words, options);
  if (at < 0 || words.slice(0, at).some((word) => !word.text.startsWith("-") && !word.text.includes("=")))
    return command;
  const option = words[at];
  const attached = option?.text.replace(/^(?:-[i0v]*S|--split-string)=?/, "") ?? "";
  const script = attached === "" ? words.slice(at + 1) : [literalWord(attached), ...words.slice(at + 2)];
  // env splits the text by its own rules: the inner command is judged as far as it can be read, and the command asks.
  return { ...joinedScript(script), unreadable: "option" };
}

/** Handles `nice -10 x` like `nice -n 10 x`. */
const withoutNumbers = (words: readonly Word[]): readonly Word[] =>
  words[0] !== undefined && /^-\d+$/.test(words[0].text) ? words.slice(1) : words;

/** watch and parallel join their words and pass them to a shell. */
function shellJoinedCommand(words: readonly Word[], options: WrapperOptions): WrappedCommand {
  const inner = commandAfterOptions(words, options);
  return inner.unreadable !== null || inner.words.length === 0
    ? inner
    : { ...joinedScript(inner.words), openEnded: inner.openEnded };
}

function joinedScript(words: readonly Word[]): WrappedCommand {
  if (words.some((word) => !word.literal || word.glob)) return unreadableCommand(words, "dynamic");
  return wrappedScript(literalWord(words.map((word) => word.text).join(" ")), "dynamic");
}

function trapScript(words: readonly Word[]): readonly WrappedCommand[] {
  const first = words[0]?.text === "--" ? words[1] : words[0];
  return first === undefined || (first.literal && /^-(?:[lp].*)?$/.test(first.text))
    ? []
    : [wrappedScript(first, "dynamic")];
}

const emptyCommand: WrappedCommand = {
  words: [],
  script: null,
  openEnded: false,
  unreadable: null,
  suspects: [],
  transparent: false,
};

const plainLongs = /^--(?:norc|noprofile|posix|login|verbose|noediting|restricted|dump-strings)$/;

/** Reads `sh -c text`: the first word after the options is the script. A script file is not an inner command. */
function shellScript(words: readonly Word[], shell: string): readonly WrappedCommand[] {
  let command = false;
  let sure = true;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? literalWord("");
    if (!word.literal) return unreadableShell(words.slice(at), "dynamic");
    if (plainLongs.test(word.text)) continue;
    if (word.text === "--" || !/^[-+]./.test(word.text)) {
      const script = word.text === "--" ? words[at + 1] : word;
      if (command) return [{ ...wrappedScript(script, "dynamic"), ...(sure ? {} : { unreadable: "option" }) }];
      const fromInput = script === undefined || script.text === "-" || script.text.startsWith("/dev/");
      return fromInput ? [unreadableCommand([], "stdin")] : [sure ? emptyCommand : unreadableCommand([], "option")];
    }
    if (!/^[-+][a-zA-Z]+$/.test(word.text) || (shell === "fish" && word.text !== "-c"))
      return unreadableShell(words.slice(at), "option");
    if (/^-[a-zA-Z]*s/.test(word.text)) return [unreadableCommand([], "stdin")];
    command ||= /^-[a-zA-Z]*c/.test(word.text);
    // Each of them takes a further word; shopt options change the meaning of the script.
    const flags = word.text.replace(/[^oO]/g, "");
    sure &&= !flags.includes("O");
    if (words.slice(at + 1, at + 1 + flags.length).some((value) => /^[-+]/.test(value.text)))
      return unreadableShell(words.slice(at), "option");
    at += flags.length;
  }
  return [unreadableCommand([], command ? "option" : "stdin")];
}

/** Handles unknown options: any word may be the script, so all are parsed. */
const unreadableShell = (words: readonly Word[], reason: string): readonly WrappedCommand[] => [
  unreadableCommand(words, reason),
  ...scriptsIn(words),
];

const scriptsIn = (words: readonly Word[]): readonly WrappedCommand[] =>
  words.filter((word) => word.literal && /\s/.test(word.text)).map((word) => wrappedScript(word, "dynamic"));

const suspectCommands = (words: readonly Word[]): readonly WrappedCommand[] => [
  { ...emptyCommand, suspects: unreadableCommand(words, "").suspects },
  ...scriptsIn(words),
];

function scriptOption(words: readonly Word[]): WrappedCommand {
  const at = words.findIndex((word) => /^(?:-[a-z]*c|--command)$/.test(word.text));
  return at < 0 ? unreadableCommand(words, "stdin") : wrappedScript(words[at + 1], "dynamic");
}

/** Returns the command of every `-exec … ;` or `-exec … +` of find and fd. */
function finderCommands(words: readonly Word[], action: RegExp): readonly WrappedCommand[] {
  const commands: WrappedCommand[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { text = "" } = words[at] ?? {};
    if (!action.test(text)) continue;
    if (text.includes("="))
      commands.push(unreadableCommand([literalWord(text.slice(text.indexOf("=") + 1))], "option"));
    const from = at + 1;
    while (at < words.length && words[at]?.text !== ";" && !(words[at]?.text === "+" && words[at - 1]?.text === "{}"))
      at += 1;
    commands.push(wrappedWords(words.slice(from, at), { openEnded: true }));
  }
  return commands;
}

/** Only the wrapper of exactly that name is harmless itself: `./timeout` is a program of the project. */
export function wrapperKind(
  words: readonly Word[],
  inners: readonly WrappedCommand[],
): "none" | "transparent" | "opaque" {
  if (inners.every((inner) => inner.words.length === 0 && inner.script === null)) return "none";
  const own = words[0]?.text.includes("/") === false && words[0].text === programName(words[0]);
  return own && inners.every((inner) => inner.transparent) ? "transparent" : "opaque";
}
