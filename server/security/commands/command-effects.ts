/**
 * Classifies the effects of a part of a command (deletes, pushes, uses the network) for the approval card.
 * Informational only: judge-command.ts decides what runs without a prompt. Pure.
 */
import { type CommandEffect, sortEffects } from "@/lib/permissions/command-effect";
import { fetchingRunners, programAliases, type ProgramEffects, programTable, subcommandTable } from "./effect-table";
import { isLocalDevice, requestsOnlyHere } from "./local-request";
import { readPaths } from "./readers";
import type { Redirect, CommandSegment } from "../shell/parsed-command";
import type { Word } from "../shell/shell-words";
import { programName, runnerCommand } from "../shell/wrapped-commands";

/** Returns whether a path, as the shell passes it on, leads out of the project. */
type IsOutside = (text: string) => boolean;

/** Returns the effects of one part, the riskiest first; never empty. */
export function segmentEffects(segment: CommandSegment, isOutside: IsOutside): readonly CommandEffect[] {
  const found: CommandEffect[] = [
    ...segment.redirects.flatMap((redirect) => redirectEffects(redirect, isOutside)),
    ...(segment.unreadable === null ? [] : ["unclear" as const]),
    ...(segment.words.length === 0 ? [] : wordsEffects(segment.words, isOutside)),
  ];
  return sortEffects(found.length === 0 ? ["reads"] : found);
}

const streams = /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+)$/;
const isOutsideWord = (word: Word, isOutside: IsOutside): boolean =>
  !streams.test(word.text) && word.text !== "-" && (word.tilde || isOutside(word.text));

function redirectEffects({ operator, target }: Redirect, isOutside: IsOutside): readonly CommandEffect[] {
  if (target === null || /^\d+$/.test(target.text) || streams.test(target.text)) return [];
  if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) return [isLocalDevice(target.text) ? "local_network" : "network"];
  const isOut = isOutsideWord(target, isOutside);
  if (operator.includes(">")) return isOut ? ["writes", "writes_outside"] : ["writes"];
  return isOut ? ["reads_outside"] : [];
}

function wordsEffects(words: readonly Word[], isOutside: IsOutside): readonly CommandEffect[] {
  const first = words[0];
  if (first === undefined || !first.literal) return ["unclear", "runs"];
  // A program of the project may have any name.
  if (first.text.includes("/") && !/^\/(?:usr\/(?:local\/)?)?s?bin\//.test(first.text)) return ["runs"];
  const own = programName(first);
  const name = programAliases[own] ?? own;
  const paths = readPaths(words);
  if (paths !== null) return paths.some(({ word }) => isOutsideWord(word, isOutside)) ? ["reads_outside"] : ["reads"];
  if (fetchingRunners.has(own)) return ["network", "runs", ...runnerEffects(words, isOutside)];
  const special = Object.hasOwn(optionEffects, name) ? optionEffects[name]?.(words.slice(1), isOutside) : undefined;
  if (special !== undefined) return special;
  const verbs = Object.hasOwn(subcommandTable, name) ? subcommandTable[name] : undefined;
  if (verbs !== undefined) return verbEffects(name, verbs, words.slice(1), isOutside);
  const program = Object.hasOwn(programTable, name) ? programTable[name] : undefined;
  const listed = program !== undefined && requestsOnlyHere(name, words.slice(1)) ? localRequest(program) : program;
  if (listed !== undefined) return programEffects(listed, words.slice(1), isOutside);
  return isMerelyReading(name, words) ? readEffects(words, isOutside) : ["runs"];
}

const localRequest = (program: ProgramEffects): ProgramEffects => ({ ...program, effects: ["local_network"] });

function runnerEffects(words: readonly Word[], isOutside: IsOutside): readonly CommandEffect[] {
  const command = runnerCommand(words);
  return command === null ? [] : wordsEffects(command, isOutside);
}

/**
 * Read-only programs whose operands the strict table could not verify: a word is made at run time, or an option is not
 * listed there.
 */
const usualReaders: ReadonlySet<string> = new Set(
  "cat head tail less more wc ls tree file stat du grep egrep fgrep rg ag sort uniq cut tr nl tac rev paste column jq yq diff cmp comm strings xxd od hexdump md5sum sha1sum sha256sum basename dirname realpath readlink find fd seq tokei cloc".split(
    " ",
  ),
);
export const isMerelyReading = (name: string, words: readonly Word[]): boolean =>
  usualReaders.has(name) && words.every((word) => word.literal || word.variable || word.glob);

const readEffects = (words: readonly Word[], isOutside: IsOutside): readonly CommandEffect[] =>
  words.slice(1).some((word) => !word.text.startsWith("-") && isOutsideWord(word, isOutside))
    ? ["reads_outside"]
    : ["reads"];

const isOption = (word: Word): boolean => word.text.startsWith("-") && word.text !== "-";

function programEffects(
  program: ProgramEffects,
  words: readonly Word[],
  isOutside: IsOutside,
): readonly CommandEffect[] {
  const operands = words.filter((word) => !isOption(word));
  const changed = program.changes === "all" ? operands : program.changes === "last" ? operands.slice(-1) : [];
  const outputs = outputWords(program.outputs ?? [], words);
  const wrote = outputs.length > 0 && !program.effects.includes("writes") ? (["writes"] as const) : [];
  const isOut = [...changed, ...outputs].some((word) => isOutsideWord(word, isOutside));
  return [...program.effects, ...wrote, ...(isOut ? (["writes_outside"] as const) : [])];
}

/** Returns the values of the options that name an output file or folder. */
function outputWords(options: readonly string[], words: readonly Word[]): readonly Word[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (options.includes(word.text)) return next === undefined ? [] : [next];
    const option = options.find((one) => word.text.startsWith(one.endsWith("=") ? one : `${one}=`));
    if (option === undefined) return [];
    return [{ ...word, text: word.text.slice(word.text.indexOf("=") + 1) }];
  });
}

/** Options of the program itself, before its subcommand, that take the next word. */
const globalValues: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"]),
  npm: new Set(["-C", "--prefix", "-w", "--workspace", "--filter", "--dir", "--cwd"]),
  make: new Set(["-C", "-f", "-j"]),
  kubectl: new Set(["-n", "--namespace", "--context"]),
  docker: new Set(["-H", "--context", "-f", "--file", "-p"]),
};

function verbEffects(
  name: string,
  verbs: Readonly<Record<string, readonly CommandEffect[]>>,
  words: readonly Word[],
  isOutside: IsOutside,
): readonly CommandEffect[] {
  const taking = globalValues[name] ?? new Set<string>();
  let at = 0;
  let isElsewhere = false;
  for (let word = words[at]; word !== undefined && isOption(word); word = words[at]) {
    if (verbs[word.text] !== undefined) break;
    const value = taking.has(word.text) ? words[at + 1] : undefined;
    isElsewhere ||= value !== undefined && isOutsideWord(value, isOutside);
    at += value === undefined ? 1 : 2;
  }
  const rest = words.slice(at).map((word) => word.text);
  const [verb = ""] = rest;
  const pairs = rest.slice(1).map((word) => `${verb} ${word}`);
  const pair = pairs.find((one) => Object.hasOwn(verbs, one));
  const verbEffects = pair !== undefined ? verbs[pair] : Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const effects = [
    ...(verbEffects ?? verbs[""] ?? ["runs" as const]),
    ...(name === "git" ? gitEffects(verb, rest) : []),
  ];
  const isReading = effects.every((effect) => effect === "reads");
  return [...effects, ...(isElsewhere ? [isReading ? ("reads_outside" as const) : ("writes_outside" as const)] : [])];
}

function gitEffects(verb: string, words: readonly string[]): readonly CommandEffect[] {
  if (verb === "push") {
    const forced = words.some(
      (word, at) =>
        /^(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force.*|--mirror|--delete|--prune)$/.test(word) ||
        (at > 1 && /^[+:]/.test(word)),
    );
    return forced ? ["force_pushes"] : [];
  }
  if (verb === "checkout" || verb === "switch")
    return words.some((word) => /^(?:--|-f|--force|--discard-changes|\.)$/.test(word)) ? ["discards"] : [];
  if (verb === "worktree" && words[1] === "remove") return ["deletes"];
  return [];
}

type OptionEffects = (words: readonly Word[], isOutside: IsOutside) => readonly CommandEffect[] | undefined;
const hasWord = (words: readonly Word[], pattern: RegExp): boolean => words.some((word) => pattern.test(word.text));

/** Programs whose effects depend on their options. Undefined = the tables apply. */
const optionEffects: Readonly<Record<string, OptionEffects>> = {
  sed: (words, isOutside) => {
    if (!hasWord(words, /^(?:-[a-zA-Z]*i.*|--in-place.*)$/))
      return readEffects([...words.slice(0, 1), ...words], isOutside);
    const isOut = words.some(
      (word) => !isOption(word) && word.text.startsWith("/") && isPathOperand(word) && isOutsideWord(word, isOutside),
    );
    return isOut ? ["writes", "writes_outside"] : ["writes"];
  },
  find: (words, isOutside) => {
    const start = words[0] !== undefined && isOutsideWord(words[0], isOutside);
    if (hasWord(words, /^-delete$/)) return start ? ["deletes", "writes_outside"] : ["deletes"];
    if (hasWord(words, /^-f?print(?:0|f)?$|^-fls$/) && hasWord(words, /^-f(?:print|ls)/)) return ["writes"];
    // The command that -exec starts is a separate part.
    return start ? ["reads_outside"] : ["reads"];
  },
  python: (words) => moduleEffects(words),
  python3: (words) => moduleEffects(words),
  tar: (words) =>
    hasWord(words.slice(0, 1), /^-?[a-zA-Z]*t/) && !hasWord(words.slice(0, 1), /x|c/) ? ["reads"] : undefined,
  unzip: (words) => (hasWord(words, /^-[a-zA-Z]*[lt]/) ? ["reads"] : undefined),
  env: (words) => (words.length === 0 ? ["reads"] : []),
  xargs: () => [],
  time: () => [],
  timeout: () => [],
  nice: () => [],
  nohup: () => [],
  command: () => [],
  exec: () => [],
  openssl: () => ["runs"],
};

/** Distinguishes a sed script (`/a/b/`) from a path (`/etc/hosts`). */
const isPathOperand = (word: Word): boolean =>
  !/^\/.*\/[a-zA-Z]*$/.test(word.text) || /^\/(?:etc|home|usr|var|tmp|opt|root)\//.test(word.text);

/** Returns the effects of pip for `python -m pip …`; undefined for any other module. */
function moduleEffects(words: readonly Word[]): readonly CommandEffect[] | undefined {
  const at = words.findIndex((word) => word.text === "-m");
  const pip = subcommandTable.pip;
  if (at < 0 || words[at + 1]?.text !== "pip" || pip === undefined) return undefined;
  return pip[words[at + 2]?.text ?? ""] ?? ["runs"];
}
