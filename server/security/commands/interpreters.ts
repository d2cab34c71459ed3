/**
 * Recognises programs that run code given in their words or on their input: such a command counts as unreadable.
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
  {
    name: /^perl[\d.]*$/,
    // A module by its plain name; with any other sign the text after -M is code.
    inline:
      /^-[a-zA-Z\d]*[eE]|^-[a-zA-Z\d]*[mM](?!-?[\w:]+(?:=[\w,:]+)?$)|^-[a-zA-Z\d]*d:|^-[a-zA-Z\d]*F.*[^\w,:;|\\t]/,
  },
  { name: /^ruby[\d.]*$|^jruby$/, inline: /^-[a-zA-Z\d]*[er]/ },
  { name: /^php[\d.]*$/, inline: /^-[a-zA-Z]*[rRBEFa]|^-d\s*\w*(?:auto_|extension)|^(?:auto_|extension|zend_)\w*=/ },
  { name: /^(?:lua|luajit)[\d.]*$/, inline: /^-[a-zA-Z]*[eli]/ },
  {
    name: /^(?:rscript|julia|elixir|erl|groovy|scala|racket|guile|tclsh|wish|expect|octave|ghc)[\d.]*$/,
    inline: /^-+[a-zA-Z]*[ceE]|^-(?:run|s)$/,
  },
  { name: /^r$/, inline: /^-[ef]|^--file/, runsBare: /^CMD$/ },
  {
    name: /^(?:ipython[\d.]*|bpython|ptpython|sage|kotlin|ocaml|sbcl|clisp|ecl|csi|gosh|clojure|clj|bb|raku|csharp|gnuplot|maxima|runhaskell|runghc)$/,
    inline: /^-+[a-zA-Z]*[ceEx](?:=|$)|^--?(?:eval|batch-string)/,
    runsBare: /^/,
  },
  { name: /^(?:pwsh|powershell|osascript|irb|ghci|iex|cmd|nu|xonsh|elvish)$/, inline: /^/ },
];

const inlineLongOption =
  /^--(?:eval|print|require|import|loader|experimental-loader|interactive|command|execute|run|process-\w+|expression|exec|e)(?:=|$)|^(?:--[\w-]+=)?(?:data|blob):/;

/** Modules of Python itself that take code or commands, or read them. */
const pythonCodeModules =
  /^(?:timeit|code|pdb|bdb|profile|cProfile|trace|asyncio|idlelib|runpy|sqlite3|dis|IPython|bpython|ptpython|ptpdb|ipdb|pudb)(?:\.|$)/;

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
  if (awkName.test(name)) return !awkIsPlain(rest);
  if (sedName.test(name)) return !sedIsPlain(rest);
  const interpreter = interpreters.find((one) => one.name.test(name));
  return interpreter !== undefined && !asksVersion(name, rest) && !runsFile(rest, interpreter);
}

const awkName = /^(?:[gmn]|go|original-)?awk$/;
const sedName = /^[gs]?sed$/;

/**
 * Returns whether an interpreter certainly gets its script as its first word, so that its input is data; null for a
 * program that is no interpreter.
 */
export function optionlessScript(name: string, words: readonly Word[]): boolean | null {
  if (awkName.test(name) || sedName.test(name)) return true;
  if (!interpreters.some((one) => one.name.test(name))) return null;
  const [first, second] = words;
  const isModule = first?.text === "-m" && second?.literal === true && !pythonCodeModules.test(second.text);
  return isModule || asksVersion(name, words) || (first?.literal === true && !first.text.startsWith("-"));
}

const isInput = ({ text }: Word): boolean => text === "-" || /^\/(?:dev|proc)\//.test(text);

function runsFile(words: readonly Word[], interpreter: Interpreter): boolean {
  const script = words.findIndex((word) => !word.text.startsWith("-") || word.text === "-");
  // An option before the script may take the next word as its value; the script is then further on, so all words are
  // checked.
  const own = script === 0 ? words.slice(0, 1) : words;
  if (own.some((word) => !word.literal || isInput(word))) return false;
  // `deno run -`, and code from elsewhere.
  if (words[0]?.text === "run" && words.some((word) => isInput(word) || /^(?:data|https?):/.test(word.text)))
    return false;
  const isInline = (word: Word): boolean =>
    interpreter.inline.test(word.text) ||
    inlineLongOption.test(word.text) ||
    interpreter.verbs?.includes(word.text) === true;
  if (own.some(isInline) || own.some((word, at) => isCodeModule(word, own[at + 1]))) return false;
  return script >= 0 || own.some((word) => interpreter.runsBare?.test(word.text));
}

/** `-m timeit`, `-mtimeit`, `-um timeit`. */
function isCodeModule({ text }: Word, next: Word | undefined): boolean {
  const attached = /^-[a-zA-Z]*?m(.*)$/s.exec(text)?.[1];
  return attached !== undefined && pythonCodeModules.test(attached === "" ? (next?.text ?? "") : attached);
}

/** A script of the project in a file, as plain as the file that node or python runs. */
const isScriptFile = (word: Word | undefined): boolean => word?.literal === true && word.text !== "" && !isInput(word);

/** Reads the options of awk; an option that is not listed makes it unclear what is a script. */
function awkIsPlain(words: readonly Word[]): boolean {
  const scripts: Word[] = [];
  let hasScript = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const option = /^(?:-([fFve])|--(file|field-separator|assign|source)(?:=|$))(.*)$/s.exec(word.text);
    if (option !== null && word.text !== "--") {
      const isLong = option[2] !== undefined;
      const hasValue = isLong ? word.text.includes("=") : option[3] !== "";
      const value = hasValue ? { ...word, text: option[3] ?? "" } : words[(at += 1)];
      const kind = isLong ? option[2]?.charAt(0) : option[1];
      hasScript ||= word.text.startsWith("-f") || kind === "e" || option[2] === "file" || option[2] === "source";
      if ((kind === "f" && option[2] !== "field-separator" && !isScriptFile(value)) || value === undefined)
        return false;
      if (kind === "e" || option[2] === "source") scripts.push(value);
    } else if (/^-[a-zA-Z-]/.test(word.text) && word.text !== "--") {
      if (!/^(?:--(?:posix|traditional|re-interval|characters-as-bytes|csv|version|help)|-[cPrbkV])$/.test(word.text))
        return false;
    } else {
      if (!hasScript) scripts.push(word.text === "--" ? (words[at + 1] ?? word) : word);
      break;
    }
  }
  return scripts.every((script) => script.literal && !awkSideEffects.test(script.text));
}

/** Reads the options of sed likewise. */
function sedIsPlain(words: readonly Word[]): boolean {
  const scripts: Word[] = [];
  const operands: Word[] = [];
  let hasFile = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const value = /^(?:-[nErsuz]*([efl])|--(expression|file|line-length)(?:=|$))(.*)$/s.exec(word.text);
    if (value !== null) {
      const isAttached = value[2] === undefined ? value[3] !== "" : word.text.includes("=");
      const own = isAttached ? { ...word, text: value[3] ?? "" } : words[(at += 1)];
      const kind = value[1] ?? value[2]?.charAt(0);
      if (own === undefined || (kind === "f" && !isScriptFile(own))) return false;
      if (kind === "e") scripts.push(own);
      hasFile ||= kind === "f";
    } else if (/^-./.test(word.text) && word.text !== "--") {
      if (
        !/^(?:-[nErsuz]*(?:i[^/]*)?|--(?:quiet|silent|regexp-extended|null-data|separate|unbuffered|posix|debug|follow-symlinks|sandbox|in-place(?:=[^/]*)?|version|help))$/.test(
          word.text,
        )
      )
        return false;
    } else if (word.text !== "--") operands.push(word);
  }
  const [first] = operands;
  if (scripts.length === 0 && !hasFile && first !== undefined) scripts.push(first);
  return scripts.every((word) => word.literal && isPlainSedScript(word.text));
}

const isPlainSedScript = (script: string): boolean =>
  plainSed.test(script) || script.split(/[;\n]/).every((part) => part.trim() === "" || plainSed.test(part));
