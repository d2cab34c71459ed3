/**
 * Applies deny and ask rules to one part of a command: also to a program given by path, to options before the verb,
 * and to parts whose program cannot be read. A possible but uncertain match asks.
 */
import { posix } from "node:path";
import type { Rule, RuleEffect, RulePattern } from "@/lib/permissions/policy";
import type { CommandSegment } from "../shell/parsed-command";
import { literalWord, type Word } from "../shell/shell-words";
import { takesWordsAsData } from "../commands/known-programs";
import { programName, runnerCommand } from "../shell/wrapped-commands";
import { countOptions, matchOption, optionWords } from "./option-match";

export interface CommandRuleHit {
  readonly effect: Exclude<RuleEffect, "allow">;
  readonly rule: Rule;
}

/**
 * Returns the strictest matching rule, or null when none matches this part. An uncertain match of a deny rule results
 * in ask.
 */
export function strictestCommandRule(
  segment: CommandSegment,
  rules: readonly Rule[],
  place: RulePlace,
): CommandRuleHit | null {
  const read = readSegment(segment, place);
  let asking: CommandRuleHit | null = null;
  for (const rule of rules) {
    if (rule.tool !== "bash" || rule.effect === "allow") continue;
    const match = matchSegment(rule, read, place);
    if (match === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    if (match !== "no") asking ??= { effect: "ask", rule };
  }
  return asking;
}

/** Folders at which paths in rules and in the command start. */
interface RulePlace {
  readonly root: string;
  readonly cwd: string;
}

type MatchCertainty = "yes" | "maybe" | "no";

/** A part prepared for matching: work proportional to its length is done once, not once per rule. */
interface ReadSegment {
  readonly lines: readonly CommandWords[];
  readonly suspects: ReadonlySet<string>;
}

/** The words of a part, or of the command that a runner in it starts. */
interface CommandWords {
  readonly words: readonly Word[];
  readonly openEnded: boolean;
  /** Null = it may be any program. */
  readonly program: string | null;
  /** Returns the positions where the next word of a rule may be, after the word at a position; -1 = the program. */
  zoneAfter(position: number): VerbZone;
}

interface VerbZone {
  /** Positions by the word at that position. */
  readonly certain: ReadonlyMap<string, readonly number[]>;
  /** Positions whose word is not known before run time. */
  readonly uncertain: readonly number[];
}

function readSegment({ words, openEnded, suspects }: CommandSegment, place: RulePlace): ReadSegment {
  const [first, ...rest] = words;
  const started = runnerCommand(words);
  const scripts =
    first !== undefined && (scriptRunner.test(programName(first)) || scriptManager.test(programName(first)))
      ? rest.slice(0, maxScriptPlaces).flatMap((word, at) => {
          if (!word.text.startsWith("-")) return [rest.slice(at)];
          const module = /^-m(.+)$/s.exec(word.text)?.[1];
          return module === undefined ? [] : [[literalWord(module), ...rest.slice(at + 1)]];
        })
      : [];
  const all = [words, ...(started === null ? [] : [started]), ...scripts];
  const lines = all
    .flatMap((line) => [line, ...packageProgram(line)])
    .flatMap((line): readonly CommandWords[] => {
      const [head, ...others] = line;
      if (head === undefined) return [];
      const tail = optionWords(programName(head), others);
      const isLater = openEnded && head.text.includes("{}");
      const program = isCertain(head) && !isLater ? canonicalProgram(head) : null;
      const texts = canonicalWords(
        programName(head),
        tail.map((word) => (isCertain(word) ? placedText(word.text, place.cwd) : null)),
      );
      const zones = new Map<number, VerbZone>();
      const zoneAfter = (position: number): VerbZone => {
        const cached = zones.get(position) ?? findZone(texts, position + 1, openEnded);
        zones.set(position, cached);
        return cached;
      };
      return [{ words: tail, openEnded, program, zoneAfter }];
    });
  // The words of an unknown program may be a command; what a runner starts is a line of its own.
  const others = takesWordsAsData(words) ? [] : rest.map(canonicalProgram);
  const own = started?.[0] === undefined ? null : programName(started[0]);
  return { lines, suspects: new Set([...suspects.filter((name) => name !== own), ...others]) };
}

/** Words after an interpreter that may be its script: an option before it may take one. */
const maxScriptPlaces = 4;

/** Returns the command of a script in a package by its name and by that of the package: `node_modules/npm/bin/npm-cli.js`. */
function packageProgram([script, ...rest]: readonly Word[]): readonly (readonly Word[])[] {
  if (script === undefined || !/\/|\.[cm]?js$/.test(script.text)) return [];
  const own = /(?:^|\/)([^/]+?)(?:[.-]cli)?(?:\.[cm]?js)?$/.exec(script.text)?.[1];
  const ofPackage = /.*node_modules\/((?:@[^/]+\/)?[\w-][^/]*)\//s.exec(script.text)?.[1];
  return [own, ofPackage].flatMap((name) => (name === undefined ? [] : [[literalWord(name), ...rest]]));
}

/** Managers that start a program of a package by its name alone. */
const scriptManager = /^(?:yarn|pnpm|bun)$/;

/** Programs that are the same under other names. */
const sameProgram: readonly (readonly [RegExp, string])[] = [
  [/^(?:gmake|gnumake)$/, "make"],
  [/^pip[\d.]+$/, "pip"],
  [/^python[\d.]+$/, "python"],
  [/^nodejs$/, "node"],
  [/^(?:ba|da|z|k|a)sh$/, "sh"],
  [/^mvnw$/, "mvn"],
  [/^gradlew$/, "gradle"],
  [/^(?:bunx|pnpx)$/, "npx"],
  [/^docker-compose$/, "docker"],
];

/** Returns the name under which a program is compared: without the version of its package. */
function canonicalProgram(word: Word): string {
  const name = programName(word).replace(/(?<=.)@[^@]*$/, "");
  return sameProgram.find(([names]) => names.test(name))?.[1] ?? name;
}

const scriptRunner = /^(?:source|\.|(?:ba|z|da|a|k)?sh|node(?:js)?|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;

const scriptName = /^[\w-]+\.(?:[cm]?[jt]sx?|py|rb|sh|bash|pl|php)$/;

/** Returns a path as an absolute one, so that `./x`, `x/../x` and the whole path are equal; any other word as it is. */
const placedText = (text: string, folder: string): string =>
  (text.includes("/") || scriptName.test(text)) && !text.includes("://") && !text.startsWith("-")
    ? posix.resolve(folder, text)
    : text;

const nodeManager = /^(?:npm|pnpm|yarn|bun)$/;
const managerAliases: Readonly<Record<string, string>> = {
  "run-script": "run",
  rum: "run",
  urn: "run",
  t: "test",
  tst: "test",
  i: "install",
  in: "install",
  ins: "install",
  inst: "install",
  insta: "install",
  instal: "install",
  isnt: "install",
  isnta: "install",
  isntal: "install",
  isntall: "install",
  add: "install",
  un: "uninstall",
  unlink: "uninstall",
  remove: "uninstall",
  rm: "uninstall",
  r: "uninstall",
  x: "exec",
  "clean-install": "ci",
  ic: "ci",
  "install-clean": "ci",
  up: "update",
  upgrade: "update",
  udpate: "update",
  ln: "link",
  c: "config",
  "dist-tags": "dist-tag",
  v: "view",
  info: "view",
  show: "view",
  s: "search",
  se: "search",
  find: "search",
  login: "adduser",
  "add-user": "adduser",
  author: "owner",
  it: "install-test",
  cit: "install-ci-test",
  innit: "init",
  create: "init",
  la: "ls",
  ll: "ls",
  list: "ls",
  rb: "rebuild",
  ddp: "dedupe",
  home: "docs",
  issues: "bugs",
  why: "explain",
  sit: "install-ci-test",
  "clean-install-test": "install-ci-test",
};
const cargoAliases: Readonly<Record<string, string>> = { t: "test", b: "build", r: "run", c: "check", d: "doc" };
const lifecycleScripts = /^(?:test|start|stop|restart)$/;

const renamed = (words: readonly (string | null)[], aliases: Readonly<Record<string, string>>) =>
  words.map((text) => (text !== null && Object.hasOwn(aliases, text) ? (aliases[text] ?? text) : text));

/** Returns the words with the other names of verbs replaced: `npm t` and `npm run-script test` are `npm test`. */
function canonicalWords(program: string, words: readonly (string | null)[]): readonly (string | null)[] {
  if (program === "cargo") return renamed(words[0]?.startsWith("+") === true ? words.slice(1) : words, cargoAliases);
  if (program === "docker-compose") return ["compose", ...words];
  if (/^(?:docker|podman)$/.test(program)) return words[0] === "container" ? words.slice(1) : words;
  if (!nodeManager.test(program)) return words;
  const verb = words.findIndex((text) => text?.startsWith("-") !== true);
  if (program === "npm" && /^[gs]et$/.test(words[verb] ?? ""))
    return [...words.slice(0, verb), "config", ...words.slice(verb)];
  const named = renamed(words, managerAliases);
  if (scriptManager.test(program)) return withoutRun(named);
  const run = named.indexOf("run");
  const script = run < 0 ? -1 : named.findIndex((text, at) => at > run && text?.startsWith("-") !== true);
  return script >= 0 && lifecycleScripts.test(named[script] ?? "") ? named.filter((_, at) => at !== run) : named;
}

/** Removes `run` and `workspace name` before a script, without which yarn, pnpm and bun start it too. */
function withoutRun(words: readonly (string | null)[]): readonly (string | null)[] {
  const at = words.findIndex((text) => text === "run" || text === "workspace");
  const isVerb = words.slice(0, at).every((text, index) => text?.startsWith("-") || words[index - 1]?.startsWith("-"));
  if (at < 0 || at === words.length - 1 || !isVerb) return words;
  const next = words[at] === "run" ? at + 1 : at + 2;
  return withoutRun([...words.slice(0, at), ...words.slice(next)]);
}

/**
 * Finds where the next word of a rule may be. Before each word of a rule, options may occur, each with at most one
 * value: `git -C folder push -q origin` is `git push origin`.
 */
function findZone(texts: readonly (string | null)[], from: number, tail: boolean): VerbZone {
  const places = new Set([from]);
  for (let at = from; at < texts.length && texts[at]?.startsWith("-") === true; ) {
    places.add(at + 1).add(at + 2);
    at += texts[at + 1]?.startsWith("-") === false ? 2 : 1;
  }
  const certain = new Map<string, number[]>();
  const uncertain: number[] = [];
  for (const place of places) {
    const text = texts[place];
    if (text === undefined ? tail : text === null) uncertain.push(place);
    if (text === undefined || text === null) continue;
    const same = certain.get(text);
    if (same === undefined) certain.set(text, [place]);
    else same.push(place);
  }
  return { certain, uncertain };
}

/** Runners that start nothing but programs of packages. */
const startsPrograms = /^(?:npx|bunx|pnpx|uvx|pipx) |^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/;

function matchSegment(rule: RulePattern, read: ReadSegment, place: RulePlace): MatchCertainty {
  const match = matchWords(rule, read, place);
  // A program that a runner starts is the same without the runner, and with another one.
  const started = match === "yes" ? null : runnerCommand(rule.words.map(literalWord));
  // `yarn test` is a script of the project, not the program `test`.
  const isProgram = started !== null && (started.length > 1 || startsPrograms.test(rule.words.slice(0, 2).join(" ")));
  if (!isProgram) return match;
  const other = matchWords({ ...rule, words: started.map(({ text }) => text) }, read, place);
  return other === "no" ? match : other;
}

function matchWords(rule: RulePattern, { lines, suspects }: ReadSegment, { root }: RulePlace): MatchCertainty {
  const [program, ...verbs] = rule.words;
  if (program === undefined) return "no";
  const name = canonicalProgram(literalWord(program));
  const wanted = canonicalWords(
    programName(literalWord(program)),
    optionWords(name, verbs.map(literalWord)).map(({ text }) => placedText(text, root)),
  ).filter((verb) => verb !== null);
  let unsure = false;
  for (const line of lines) {
    const match = matchLine(name, wanted, rule.rest, line);
    if (match === "yes") return "yes";
    unsure ||= match === "maybe";
  }
  // If the options of a wrapper could not be read, any of its words may be the program.
  return unsure || suspects.has(name) ? "maybe" : "no";
}

/** Matches word by word; the program is compared by its base name. */
function matchLine(name: string, verbs: readonly string[], goesOn: boolean, line: CommandWords): MatchCertainty {
  if (line.program === null) return "maybe";
  if (line.program !== name) return "no";
  if (!goesOn && countOptions(line.words.map(({ text }) => text)) > countOptions(verbs)) return "no";
  const match = matchVerbs(verbs, -1, line);
  return match === "yes" && !goesOn && line.openEnded ? "maybe" : match;
}

/** Positions of one verb that are followed up; more of them count as a possible match. */
const maxPositions = 20;

/** Tools whose words are targets, in any order. */
const targetTools = /^(?:make|just|task|rake|ninja|mvn|gradle|sbt)$/;

/** Matches an option, which may be anywhere, or a target, which may be anywhere after a position. */
function matchAnywhere([first = "", ...rest]: readonly string[], position: number, line: CommandWords): MatchCertainty {
  const after = line.words.slice(position + 1);
  const match = matchWord(first, after, line);
  const early = match === "yes" || !first.startsWith("-") ? "no" : matchWord(first, line.words, line);
  if (match === "no" && early === "no")
    return line.openEnded || after.some((word) => !isCertain(word)) ? "maybe" : "no";
  const further = matchVerbs(rest, position, line);
  if (further === "yes") return match === "no" ? early : match;
  // The value of an option before the verb is there too.
  const isValue = early !== "no" && rest.every((text) => line.words.some((word) => word.text === text));
  return isValue ? "maybe" : further;
}

function matchWord(wanted: string, words: readonly Word[], line: CommandWords): MatchCertainty {
  const texts = words.flatMap((word) => (isCertain(word) ? [word.text] : []));
  return texts.includes(wanted) ? "yes" : matchOption(line.program ?? "", wanted, texts);
}

/** Matches the words of a rule after a position, in order. */
function matchVerbs(verbs: readonly string[], position: number, line: CommandWords): MatchCertainty {
  const [first, ...rest] = verbs;
  if (first === undefined) return "yes";
  if (first.startsWith("-") || targetTools.test(line.program ?? "")) return matchAnywhere(verbs, position, line);
  const zone = line.zoneAfter(position);
  const places = zone.certain.get(first) ?? [];
  if (rest.length === 0 && places.length > 0) return "yes";
  let unsure = places.length > maxPositions || zone.uncertain.length > 0;
  for (const place of places.slice(0, maxPositions)) {
    const match = matchVerbs(rest, place, line);
    if (match === "yes") return "yes";
    unsure ||= match === "maybe";
  }
  return unsure ? "maybe" : "no";
}

/** True when no part of the word is made at run time. */
const isCertain = (word: Word): boolean => word.literal && !word.glob;
