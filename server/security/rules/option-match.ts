/** Compares the options of deny and ask rules with those of a command: long and short forms, bundles, attached values. */
import { literalWord, type Word } from "../shell/shell-words";

/** Short options of well-known programs by their long form; each letter is one. */
const shortForms: readonly (readonly [program: RegExp, shorts: Readonly<Record<string, string>>])[] = [
  [
    /^git$/,
    {
      force: "fDM",
      delete: "dD",
      all: "aA",
      "no-verify": "n",
      "dry-run": "n",
      interactive: "ip",
      move: "mM",
      message: "m",
      "set-upstream": "u",
      patch: "p",
      signoff: "s",
      "gpg-sign": "S",
      edit: "e",
      quiet: "q",
      verbose: "v",
    },
  ],
  [/^(?:npm|npx)$/, { force: "f", global: "g", yes: "y", "save-dev": "D", workspace: "w", package: "p", call: "c" }],
  [/^(?:rm|cp|mv|ln)$/, { force: "f", recursive: "rR", interactive: "iI", dir: "d" }],
  [/^(?:docker|podman)$/, { force: "f", all: "a", volumes: "v", volume: "v", detach: "d", tty: "t", interactive: "i" }],
];

/** Options of one dash that have a whole word as their name. */
const wordOptions =
  /^(?:find|java|javac|go|terraform|tofu|openssl|ffmpeg|ffprobe|convert|magick|xset|gcc|g\+\+|clang)$/;

const bundle = /^-[A-Za-z0-9]{1,4}$/;

/** Returns the words with `--option=value` as two words, and with a dash before the letters of `tar xf`. */
export function optionWords(program: string, words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  const isBundle = /^(?:bsd|g)?tar$/.test(program) && first?.literal === true && /^[A-Za-z]+$/.test(first.text);
  return (isBundle ? [literalWord(`-${first.text}`), ...rest] : words).flatMap(divideOption);
}

function divideOption(word: Word): readonly Word[] {
  const [, option, value] = /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word.text) ?? [];
  if (option === undefined || value === undefined || !word.literal || word.glob) return [word];
  return [literalWord(option), literalWord(value)];
}

/** Counts a bundle of short options by its letters, so that `-rf` is as long as `-r -f`. */
export const countOptions = (words: readonly string[]): number =>
  words.reduce((sum, text) => sum + (bundle.test(text) ? text.length - 1 : 1), 0);

/**
 * Returns whether the words of a command include an option of a rule, in any form: "maybe" where a short option is only
 * likely to be the same as a long one, or may have its value attached.
 */
export function matchOption(program: string, option: string, words: readonly string[]): "yes" | "maybe" | "no" {
  const options = words.filter((text) => text.startsWith("-"));
  if (options.some((text) => isSameName(option, text))) return "yes";
  if (wordOptions.test(program)) return "no";
  const letters = bundle.test(option) ? [...option.slice(1)] : [];
  if (letters.length > 0) return leastCertain(letters.map((letter) => matchLetter(program, letter, options)));
  return option.startsWith("--") ? matchLong(program, option.slice(2), options) : "no";
}

type Certainty = "yes" | "maybe" | "no";

const leastCertain = (all: readonly Certainty[]): Certainty =>
  all.includes("no") ? "no" : all.includes("maybe") ? "maybe" : "yes";

/** Programs accept one or two dashes before a name, and the start of a long one. */
function isSameName(option: string, text: string): boolean {
  const [wanted, name] = [option, text].map((one) => one.replace(/^--?/, ""));
  if (wanted === undefined || name === undefined) return false;
  if (option.length > 2 && text.length > 2 && wanted === name) return true;
  return (
    option === text || (/^--[a-z]/.test(text) && option.startsWith("--") && name.length > 1 && wanted.startsWith(name))
  );
}

/** A letter of a rule: in a bundle, before an attached value, or as a long option. */
function matchLetter(program: string, letter: string, options: readonly string[]): Certainty {
  const shorts = options.filter((text) => /^-[^-]/.test(text));
  if (shorts.some((text) => bundle.test(text) && text.includes(letter))) return "yes";
  const longs = options.filter((text) => text.startsWith("--") && text.length > 2).map((text) => text.slice(2));
  const table = shortForms.find(([names]) => names.test(program))?.[1];
  const same = longs.map((name) =>
    table === undefined || !Object.hasOwn(table, name)
      ? table === undefined && name.startsWith(letter.toLowerCase())
      : table[name]?.includes(letter) === true,
  );
  if (table !== undefined && same.includes(true)) return "yes";
  return same.includes(true) || shorts.some((text) => text[1] === letter) ? "maybe" : "no";
}

/** A long option of a rule as a short one. */
function matchLong(program: string, name: string, options: readonly string[]): Certainty {
  const table = shortForms.find(([names]) => names.test(program))?.[1];
  const letters = table === undefined ? `${name[0] ?? ""}${name[0]?.toUpperCase() ?? ""}` : (table[name] ?? "");
  const isShort = (text: string): boolean => bundle.test(text) && [...letters].some((letter) => text.includes(letter));
  if (!options.some(isShort)) return "no";
  return table === undefined ? "maybe" : "yes";
}
