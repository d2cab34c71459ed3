/**
 * Deny and ask rules over one part of a command: also behind a path, options before the verb, and where the program cannot be read,
 * as blocked words are. What may be meant but cannot be told asks. Used by judge-command.ts; allow rules stand in rule-pattern.ts.
 */
import type { Rule, RuleEffect, RulePattern } from "@/lib/policy";
import type { Segment } from "./shell-parser";
import { plainWord, type Word } from "./shell-words";
import { programName, runnerCommand } from "./wrappers";

export interface CommandRuleHit {
  readonly effect: Exclude<RuleEffect, "allow">;
  readonly rule: Rule;
}

/** The strictest of them; null when none is about this part. A deny that only may be meant comes out as ask. */
export function forbiddingRule(segment: Segment, rules: readonly Rule[]): CommandRuleHit | null {
  let asking: CommandRuleHit | null = null;
  for (const rule of rules) {
    if (rule.tool !== "bash" || rule.effect === "allow") continue;
    const match = matchSegment(rule, segment);
    if (match === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    if (match !== "no") asking ??= { effect: "ask", rule };
  }
  return asking;
}

type Match = "yes" | "maybe" | "no";

function matchSegment(rule: RulePattern, segment: Segment): Match {
  const started = runnerCommand(segment.words);
  const matches = [matchWords(rule, segment.words, segment.tail)];
  if (started !== null) matches.push(matchWords(rule, started, segment.tail));
  if (matches.includes("yes")) return "yes";
  return matches.includes("maybe") || namesSuspects(rule, segment) ? "maybe" : "no";
}

/** Where the options of a wrapper could not be read, any of its words may be the program. */
function namesSuspects(rule: RulePattern, { suspects }: Segment): boolean {
  const [program] = rule.words;
  return program !== undefined && suspects.includes(nameOf(program));
}

const nameOf = (text: string): string => programName(plainWord(text));

/**
 * Word by word, the program by its base name. Between the program and the second word of a rule that may go on, options may stand,
 * each with one value: `git -C folder push` is `git push`.
 */
function matchWords(rule: RulePattern, words: readonly Word[], tail: boolean): Match {
  const [program, ...verbs] = rule.words;
  const [first, ...rest] = words;
  if (program === undefined || first === undefined) return "no";
  if (!first.literal || first.glob) return "maybe";
  if (programName(first) !== nameOf(program)) return "no";
  if (rule.rest) return matchFrom(verbs, rest, tail);
  if (rest.length > verbs.length) return "no";
  const each = verbs.map((verb, index) => sameWord(verb, rest[index], tail));
  if (each.includes("no")) return "no";
  return each.includes("maybe") || tail ? "maybe" : "yes";
}

function matchFrom(verbs: readonly string[], words: readonly Word[], tail: boolean): Match {
  const plain = matchAt(verbs, words, 0, tail);
  if (plain === "yes" || verbs.length === 0) return plain;
  let unsure = plain === "maybe";
  for (let at = 0; at < words.length && words[at]?.text.startsWith("-"); ) {
    for (const start of [at + 1, at + 2]) {
      const match = matchAt(verbs, words, start, tail);
      if (match === "yes") return "yes";
      unsure ||= match === "maybe";
    }
    at += words[at + 1]?.text.startsWith("-") === false ? 2 : 1;
  }
  return unsure ? "maybe" : "no";
}

function matchAt(verbs: readonly string[], words: readonly Word[], from: number, tail: boolean): Match {
  let unsure = false;
  for (const [index, verb] of verbs.entries()) {
    const match = sameWord(verb, words[from + index], tail);
    if (match === "no") return "no";
    unsure ||= match === "maybe";
  }
  return unsure ? "maybe" : "yes";
}

/** A word that is made at run time may become any. */
function sameWord(expected: string, word: Word | undefined, tail: boolean): Match {
  if (word === undefined) return tail ? "maybe" : "no";
  if (!word.literal || word.glob) return "maybe";
  return word.text === expected ? "yes" : "no";
}
