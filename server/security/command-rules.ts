/**
 * Applies deny and ask rules to one part of a command: also to a program given by path, to options before the verb,
 * and to parts whose program cannot be read. A possible but uncertain match asks.
 */
import type { Rule, RuleEffect, RulePattern } from "@/lib/policy";
import type { Segment } from "./shell-parser";
import { plainWord, type Word } from "./shell-words";
import { programName, runnerCommand } from "./wrappers";

export interface CommandRuleHit {
  readonly effect: Exclude<RuleEffect, "allow">;
  readonly rule: Rule;
}

/**
 * Returns the strictest matching rule, or null when none matches this part. An uncertain match of a deny rule results
 * in ask.
 */
export function forbiddingRule(segment: Segment, rules: readonly Rule[]): CommandRuleHit | null {
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

type Match = "yes" | "maybe" | "no";

/** A part prepared for matching: work proportional to its length is done once, not once per rule. */
interface ReadSegment {
  readonly lines: readonly Line[];
  readonly suspects: ReadonlySet<string>;
}

/** The words of a part, or of the command that a runner in it starts. */
interface Line {
  readonly words: readonly Word[];
  readonly tail: boolean;
  /** Null = it may be any program. */
  readonly program: string | null;
  /** Positions where the verbs of a rule may begin, counted from the word after the program. */
  readonly starts: Starts;
}

interface Starts {
  /** Positions by the word at that position. */
  readonly known: ReadonlyMap<string, readonly number[]>;
  /** Positions whose word is not known before run time. */
  readonly unsure: readonly number[];
}

function readSegment({ words, tail, suspects }: Segment): ReadSegment {
  const started = runnerCommand(words);
  const lines = (started === null ? [words] : [words, started]).flatMap((line): readonly Line[] => {
    const [first, ...rest] = line;
    if (first === undefined) return [];
    const program = isCertain(first) ? programName(first) : null;
    return [{ words: rest, tail, program, starts: startsIn(rest, tail) }];
  });
  return { lines, suspects: new Set(suspects) };
}

/**
 * Finds where the verbs of a rule may begin. Between the program and the second word of a rule with a rest, options
 * may occur, each with at most one value: `git -C folder push` is `git push`.
 */
function startsIn(words: readonly Word[], tail: boolean): Starts {
  const places = new Set([0]);
  for (let at = 0; at < words.length && words[at]?.text.startsWith("-"); ) {
    places.add(at + 1).add(at + 2);
    at += words[at + 1]?.text.startsWith("-") === false ? 2 : 1;
  }
  const known = new Map<string, number[]>();
  const unsure: number[] = [];
  for (const place of places) {
    const word = words[place];
    if (word === undefined ? tail : !isCertain(word)) unsure.push(place);
    if (word === undefined || !isCertain(word)) continue;
    const same = known.get(word.text);
    if (same === undefined) known.set(word.text, [place]);
    else same.push(place);
  }
  return { known, unsure };
}

function matchSegment(rule: RulePattern, { lines, suspects }: ReadSegment): Match {
  const [program, ...verbs] = rule.words;
  if (program === undefined) return "no";
  const name = programName(plainWord(program));
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
function matchLine(name: string, verbs: readonly string[], goesOn: boolean, line: Line): Match {
  if (line.program === null) return "maybe";
  if (line.program !== name) return "no";
  if (goesOn) return matchFrom(verbs, line);
  if (line.words.length > verbs.length) return "no";
  const match = matchAt(verbs, line, 0);
  return match === "yes" && line.tail ? "maybe" : match;
}

function matchFrom(verbs: readonly string[], line: Line): Match {
  const [first] = verbs;
  if (first === undefined) return "yes";
  let unsure = false;
  for (const start of line.starts.known.get(first) ?? []) {
    const match = matchAt(verbs, line, start);
    if (match === "yes") return "yes";
    unsure ||= match === "maybe";
  }
  return unsure || line.starts.unsure.some((start) => matchAt(verbs, line, start) !== "no") ? "maybe" : "no";
}

function matchAt(verbs: readonly string[], { words, tail }: Line, from: number): Match {
  let unsure = false;
  for (const [index, verb] of verbs.entries()) {
    const match = sameWord(verb, words[from + index], tail);
    if (match === "no") return "no";
    unsure ||= match === "maybe";
  }
  return unsure ? "maybe" : "yes";
}

/** True when no part of the word is made at run time. */
const isCertain = (word: Word): boolean => word.literal && !word.glob;

function sameWord(expected: string, word: Word | undefined, tail: boolean): Match {
  if (word === undefined) return tail ? "maybe" : "no";
  if (!isCertain(word)) return "maybe";
  return word.text === expected ? "yes" : "no";
}
