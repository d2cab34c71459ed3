/**
 * Applies deny and ask rules to one part of a command: also to a program given by path, to options before the verb,
 * and to parts whose program cannot be read. A possible but uncertain match asks.
 */
import { posix } from "node:path";
import type { Rule, RuleEffect, RulePattern } from "@/lib/permissions/policy";
import type { CommandSegment } from "../shell/parsed-command";
import { literalWord, type Word } from "../shell/shell-words";
import { programName, runnerCommand } from "../shell/wrapped-commands";

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

/** Where paths in rules and in the command start. */
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
  const script =
    first !== undefined && scriptRunner.test(programName(first))
      ? rest.findIndex((word) => !word.text.startsWith("-"))
      : -1;
  const all = [words, ...(started === null ? [] : [started]), ...(script < 0 ? [] : [rest.slice(script)])];
  const lines = all.flatMap((line): readonly CommandWords[] => {
    const [head, ...tail] = line;
    if (head === undefined) return [];
    const program = isCertain(head) ? programName(head) : null;
    const texts = canonicalWords(
      program,
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
  return { lines, suspects: new Set(suspects) };
}

const scriptRunner = /^(?:(?:ba|z|da|a|k)?sh|node(?:js)?|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;

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
};
const lifecycleScripts = /^(?:test|start|stop|restart)$/;

/** Returns the words with the other names of npm's verbs replaced: `npm t` and `npm run-script test` are `npm test`. */
function canonicalWords(program: string | null, words: readonly (string | null)[]): readonly (string | null)[] {
  if (program === null || !nodeManager.test(program)) return words;
  const named = words.map((text) =>
    text !== null && Object.hasOwn(managerAliases, text) ? (managerAliases[text] ?? text) : text,
  );
  const run = named.indexOf("run");
  const script = run < 0 ? -1 : named.findIndex((text, at) => at > run && text?.startsWith("-") !== true);
  return script >= 0 && lifecycleScripts.test(named[script] ?? "") ? named.filter((_, at) => at !== run) : named;
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

function matchSegment(rule: RulePattern, { lines, suspects }: ReadSegment, { root }: RulePlace): MatchCertainty {
  const [program, ...verbs] = rule.words;
  if (program === undefined) return "no";
  const name = programName(literalWord(program));
  const wanted = canonicalWords(
    name,
    verbs.map((verb) => placedText(verb, root)),
  ).filter((verb) => verb !== null);
  let unsure = false;
  for (const line of lines) {
    const match = matchLine(name, wanted, rule.rest, line);
    if (match === "yes") return "yes";
    unsure ||= match === "maybe";
  }
  // Where the options of a wrapper could not be read, any of its words may be the program.
  return unsure || suspects.has(name) ? "maybe" : "no";
}

/** Matches word by word; the program is compared by its base name. */
function matchLine(name: string, verbs: readonly string[], goesOn: boolean, line: CommandWords): MatchCertainty {
  if (line.program === null) return "maybe";
  if (line.program !== name) return "no";
  if (!goesOn && line.words.length > verbs.length) return "no";
  const match = matchVerbs(verbs, -1, line);
  return match === "yes" && !goesOn && line.openEnded ? "maybe" : match;
}

/** Positions of one verb that are followed up; more of them count as a possible match. */
const maxPositions = 20;

/** Matches the words of a rule after a position, in order. */
function matchVerbs(verbs: readonly string[], position: number, line: CommandWords): MatchCertainty {
  const [first, ...rest] = verbs;
  if (first === undefined) return "yes";
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
