/**
 * Applies deny and ask rules to one part of a command: also to a program given by path, to options before the verb,
 * and to parts whose program cannot be read. A possible but uncertain match asks.
 */
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
export function strictestCommandRule(segment: CommandSegment, rules: readonly Rule[]): CommandRuleHit | null {
  const read = readSegment(segment);
  let asking: CommandRuleHit | null = null;
  for (const rule of rules) {
    if (rule.tool !== "bash" || rule.effect === "allow") continue;
    const match = matchSegment(rule, read);
    if (match === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    if (match !== "no") asking ??= { effect: "ask", rule };
  }
  return asking;
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
  /** Positions where the verbs of a rule may begin, counted from the word after the program. */
  readonly verbPositions: VerbPositions;
}

interface VerbPositions {
  /** Positions by the word at that position. */
  readonly certain: ReadonlyMap<string, readonly number[]>;
  /** Positions whose word is not known before run time. */
  readonly uncertain: readonly number[];
}

function readSegment({ words, openEnded, suspects }: CommandSegment): ReadSegment {
  const started = runnerCommand(words);
  const lines = (started === null ? [words] : [words, started]).flatMap((line): readonly CommandWords[] => {
    const [first, ...rest] = line;
    if (first === undefined) return [];
    const program = isCertain(first) ? programName(first) : null;
    return [{ words: rest, openEnded, program, verbPositions: findVerbPositions(rest, openEnded) }];
  });
  return { lines, suspects: new Set(suspects) };
}

/**
 * Finds where the verbs of a rule may begin. Between the program and the second word of a rule with a rest, options
 * may occur, each with at most one value: `git -C folder push` is `git push`.
 */
function findVerbPositions(words: readonly Word[], tail: boolean): VerbPositions {
  const places = new Set([0]);
  for (let at = 0; at < words.length && words[at]?.text.startsWith("-"); ) {
    places.add(at + 1).add(at + 2);
    at += words[at + 1]?.text.startsWith("-") === false ? 2 : 1;
  }
  const indices = new Map<string, number[]>();
  const unsure: number[] = [];
  for (const place of places) {
    const word = words[place];
    if (word === undefined ? tail : !isCertain(word)) unsure.push(place);
    if (word === undefined || !isCertain(word)) continue;
    const same = indices.get(word.text);
    if (same === undefined) indices.set(word.text, [place]);
    else same.push(place);
  }
  return { certain: indices, uncertain: unsure };
}

function matchSegment(rule: RulePattern, { lines, suspects }: ReadSegment): MatchCertainty {
  const [program, ...verbs] = rule.words;
  if (program === undefined) return "no";
  const name = programName(literalWord(program));
  let unsure = false;
  for (const line of lines) {
    const match = matchLine(name, verbs, rule.rest, line);
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
  if (goesOn) return matchVerbs(verbs, line);
  if (line.words.length > verbs.length) return "no";
  const match = matchVerbsAt(verbs, line, 0);
  return match === "yes" && line.openEnded ? "maybe" : match;
}

function matchVerbs(verbs: readonly string[], line: CommandWords): MatchCertainty {
  const [first] = verbs;
  if (first === undefined) return "yes";
  let unsure = false;
  for (const start of line.verbPositions.certain.get(first) ?? []) {
    const match = matchVerbsAt(verbs, line, start);
    if (match === "yes") return "yes";
    unsure ||= match === "maybe";
  }
  return unsure || line.verbPositions.uncertain.some((start) => matchVerbsAt(verbs, line, start) !== "no")
    ? "maybe"
    : "no";
}

function matchVerbsAt(verbs: readonly string[], { words, openEnded }: CommandWords, from: number): MatchCertainty {
  let unsure = false;
  for (const [index, verb] of verbs.entries()) {
    const match = matchWord(verb, words[from + index], openEnded);
    if (match === "no") return "no";
    unsure ||= match === "maybe";
  }
  return unsure ? "maybe" : "yes";
}

/** True when no part of the word is made at run time. */
const isCertain = (word: Word): boolean => word.literal && !word.glob;

function matchWord(expected: string, word: Word | undefined, tail: boolean): MatchCertainty {
  if (word === undefined) return tail ? "maybe" : "no";
  if (!isCertain(word)) return "maybe";
  return word.text === expected ? "yes" : "no";
}
