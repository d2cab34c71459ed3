/**
 * Recognises programs that run code given in their words or on their input: such a command counts as unreadable (R19).
 */
import { isShell, programName } from "../shell/wrapped-commands";
import type { Word } from "../shell/shell-words";
import { asksVersion } from "./version-questions";

interface Interpreter {
  readonly name: RegExp;
  /** Short options that carry code or load a file that is not checked. */
  readonly inline: RegExp;
  /** Verbs that carry or read code. */
  readonly verbs?: readonly string[];
  /** Options or verbs with which it runs project code when no file is given. */
  readonly runsBare?: RegExp;
}

const interpreters: readonly Interpreter[] = [
  { name: /^(?:python|pypy)[\d.]*w?$/, inline: /^-[a-zA-Z]*[ci]/, runsBare: /^-[a-zA-Z]*m/ },
  { name: /^node(?:js)?[\d.]*$|^tsx$|^ts-node$/, inline: /^-[a-zA-Z]*[epri]/, runsBare: /^--test$/ },
  { name: /^(?:deno|bun)$/, inline: /^-[a-zA-Z]*[epr]/, verbs: ["eval", "repl", "-"], runsBare: /^[a-z]+$/ },
  { name: /^perl[\d.]*$/, inline: /^-[a-zA-Z\d]*[eE]/ },
  { name: /^ruby[\d.]*$|^jruby$/, inline: /^-[a-zA-Z\d]*[er]/ },
  { name: /^php[\d.]*$/, inline: /^-[a-zA-Z]*[rRBEa]/ },
  { name: /^(?:lua|luajit)[\d.]*$/, inline: /^-[a-zA-Z]*[eli]/ },
  {
    name: /^(?:rscript|julia|elixir|erl|groovy|scala|racket|guile|tclsh|wish|expect|octave|ghc)[\d.]*$/,
    inline: /^-+[a-zA-Z]*[ceE]/,
  },
  { name: /^(?:pwsh|powershell|osascript|irb|ghci|iex|cmd)$/, inline: /^/ },
];

const inlineLongOption = /^--(?:eval|print|require|import|interactive|command|execute|run|expression|exec|e)(?:=|$)/;

/** Constructs with which an awk script can start programs or write files; without them it only prints. */
const awkSideEffects = /system|getline|[|>@]|close|fflush/;

/** Sed commands that cannot start a program: print, quit, delete, and substitutions without the `e` flag. */
const plainSed =
  /^\s*(?:(?:\d+|\$|\/[^/\n]*\/)(?:,(?:\d+|\$|\/[^/\n]*\/))?!?\s*)?(?:[pqdDNnGhHxg=]|s([/|#,:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*)\s*$/;

/** Returns whether the command runs code that is not in a file: given inline, read from its input, or not literal. */
export function runsInlineCode(words: readonly Word[]): boolean {
  const first = words[0];
  if (first === undefined || !first.literal) return true;
  const name = programName(first);
  if (isShell(name)) return false;
  const rest = words.slice(1);
  if (/^[gmn]?awk$/.test(name)) return !awkIsPlain(rest);
  if (name === "sed" || name === "gsed") return !sedIsPlain(rest);
  const interpreter = interpreters.find((one) => one.name.test(name));
  return interpreter !== undefined && !asksVersion(name, rest) && !runsFile(rest, interpreter);
}

function runsFile(words: readonly Word[], interpreter: Interpreter): boolean {
  const script = words.findIndex((word) => !word.text.startsWith("-") || word.text === "-");
  // An option before the script may take the next word as its value; the script is then further on, so all words are
  // checked.
  const own = script === 0 ? words.slice(0, 1) : words;
  if (own.some((word) => !word.literal || word.text === "-" || word.text.startsWith("/dev/"))) return false;
  if (
    own.some(
      (word) =>
        interpreter.inline.test(word.text) ||
        inlineLongOption.test(word.text) ||
        interpreter.verbs?.includes(word.text),
    )
  ) {
    return false;
  }
  return script >= 0 || own.some((word) => interpreter.runsBare?.test(word.text));
}

function awkIsPlain(words: readonly Word[]): boolean {
  if (words.some((word) => /^-(?:f|i|l|-file|-include|-load|-exec)/.test(word.text))) return true;
  if (words.some((word) => /^-(?:e.|-source)/.test(word.text) && awkSideEffects.test(word.text))) return false;
  const script = words.find((word, at) => !word.text.startsWith("-") && !/^-[Fv]$/.test(words[at - 1]?.text ?? ""));
  return script?.literal === true && !awkSideEffects.test(script.text);
}

function sedIsPlain(words: readonly Word[]): boolean {
  if (words.some((word) => /^(?:-[a-zA-Z]*f|--file)/.test(word.text))) return true;
  const inlineScripts = words.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*e|--expression)$/.test(words[at - 1]?.text ?? "") ? [word] : [],
  );
  const attached = words.filter((word) => /^--expression=/.test(word.text));
  const scripts =
    inlineScripts.length + attached.length > 0
      ? [...inlineScripts, ...attached]
      : words.filter((word) => !word.text.startsWith("-")).slice(0, 1);
  return scripts.every((word) => word.literal && isPlainSedScript(word.text.replace(/^--expression=/, "")));
}

const isPlainSedScript = (script: string): boolean =>
  plainSed.test(script) || script.split(/[;\n]/).every((part) => part.trim() === "" || plainSed.test(part));
