/**
 * Lists the version questions of programs, spelled exactly: the same letter makes another program verbose, which then runs
 * what it reads from its input.
 */
import type { Word } from "../shell/shell-words";

interface VersionQuestion {
  readonly program: RegExp;
  /** Each of them as the only word prints the version and ends. */
  readonly words: readonly string[];
  /** The same for its help. */
  readonly help?: readonly string[];
  /** The exact names under which the version may be asked for without approval. */
  readonly isReader?: RegExp;
}

const versionQuestions: readonly VersionQuestion[] = [
  { program: /^node(?:js)?[\d.]*$/, words: ["--version", "-v"], help: ["--help", "-h"], isReader: /^node$/ },
  {
    program: /^(?:python|pypy)[\d.]*w?$/,
    words: ["--version", "-V", "-VV"],
    help: ["--help", "-h"],
    isReader: /^python3?$/,
  },
  { program: /^ruby[\d.]*$|^jruby$/, words: ["--version", "-v"], help: ["--help", "-h"], isReader: /^ruby$/ },
  { program: /^perl[\d.]*$/, words: ["--version", "-v"], help: ["--help", "-h"], isReader: /^perl$/ },
  { program: /^php[\d.]*$/, words: ["--version", "-v"], help: ["--help", "-h"], isReader: /^php$/ },
  { program: /^java$/, words: ["--version", "-version"], isReader: /^java$/ },
  { program: /^gcc$/, words: ["--version", "-v"], isReader: /^gcc$/ },
  { program: /^deno$/, words: ["--version", "-V"], help: ["--help", "-h", "help"] },
  { program: /^bun$/, words: ["--version", "-v"], help: ["--help", "-h", "help"] },
  { program: /^(?:lua|luajit)[\d.]*$/, words: ["-v"] },
  {
    program: /^(?:rscript|julia|elixir|groovy|scala|racket|guile|octave|ghci?|irb|iex|pwsh)[\d.]*$/,
    words: ["--version"],
  },
  { program: /^(?:tsx|ts-node)$/, words: ["--version"], help: ["--help"] },
];

/** Returns whether these words, by the exact name of a program, only ask for its version: it needs no input for that. */
export const isVersionQuestion = ([first, question, ...more]: readonly Word[]): boolean =>
  question?.literal === true &&
  !question.glob &&
  more.length === 0 &&
  versionQuestions.some(
    ({ isReader, words }) => isReader?.test(first?.text ?? "") === true && words.includes(question.text),
  );

/** Returns whether the words after a program only ask for its version or its help. `name` as from programName. */
export const asksVersion = (name: string, words: readonly Word[]): boolean =>
  words.length === 1 &&
  versionQuestions.some(
    (question) =>
      question.program.test(name) && [...question.words, ...(question.help ?? [])].includes(words[0]?.text ?? ""),
  );
