/** Judges every part of a parsed command: refused, unreadable, reads, allowed by a rule, or asks (R18-R22, R26, R27). Used by decide.ts. */
import { posix } from "node:path";
import { type PolicyReason, type Rule, type RulePattern, ruleText } from "@/lib/policy";
import { type CommandRuleHit, forbiddingRule } from "./command-rules";
import { runsInlineCode } from "./interpreters";
import type { Look } from "./look";
import { pathVerdict } from "./path-rules";
import { isProtectedName, type PathPolicy, runsCode } from "./paths";
import { fileWords, type ReadPath, readPaths } from "./readers";
import { canHaveRule, matchingRule, proposedRule } from "./rule-pattern";
import type { ParsedCommand, Redirect, Segment } from "./shell-parser";
import { braceWords, unknownPart, type Word } from "./shell-words";
import { programName, runnerCommand } from "./wrappers";

/** What a command is judged by. */
export interface CommandPolicy extends PathPolicy {
  /** The rules of this project. */
  readonly rules: readonly Rule[];
  readonly blockedWords: readonly string[];
  /** Where the shell stands, absolute and real. */
  readonly cwd: string;
}

/** The judgement of one segment, before the mode speaks. */
export type Verdict =
  | {
      readonly risk: "refused";
      readonly reason: "blocked_word" | "protected" | "rule_denies";
      readonly detail: string;
      readonly rule?: Rule;
    }
  | { readonly risk: "unreadable" }
  | { readonly risk: "reads" }
  | { readonly risk: "rule"; readonly rule: Rule }
  /** `always` = asks even in Full access (R27, ask rules); `reads` = but for that rule it would only read. */
  | {
      readonly risk: "asks";
      readonly reason: PolicyReason;
      readonly always: boolean;
      readonly reads: boolean;
      readonly proposal: RulePattern | null;
    };

const reads: Verdict = { risk: "reads" };

const asks = (reason: PolicyReason, proposal: RulePattern | null = null): Verdict => ({
  risk: "asks",
  reason,
  always: reason === "runs_code",
  reads: false,
  proposal,
});

/** One verdict per segment, in order. */
export function judgeCommand(parsed: ParsedCommand, policy: CommandPolicy, look: Look): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  let cwd: string | null = movesUnseen(parsed) ? null : policy.cwd;
  for (const segment of parsed.segments) {
    const place: Surroundings = { policy, look, cwd };
    const moved = cwd !== null && segment.main ? movedTo(segment, cwd, look) : null;
    const seen = segment.words[0]?.text === "cd" && moved === null && segment.unreadable === null;
    const verdict = judgeSegment(segment, place, moved !== null);
    verdicts.push(underRules(verdict, segment, place));
    if (seen) cwd = null;
    if (moved !== null && verdict.risk === "reads") cwd = moved;
  }
  return verdicts;
}

/** What is refused stays refused; then the rules that deny, then those that ask. */
function underRules(verdict: Verdict, segment: Segment, place: Surroundings): Verdict {
  if (verdict.risk === "refused") return verdict;
  const { rules } = place.policy;
  if (rules.every((rule) => rule.effect === "allow")) return verdict;
  const hits = [forbiddingRule(segment, rules), pathRule(segment, place)].filter((hit) => hit !== null);
  const denied = hits.find((hit) => hit.effect === "deny")?.rule;
  if (denied !== undefined) return { risk: "refused", reason: "rule_denies", detail: ruleText(denied), rule: denied };
  if (hits.length === 0 || verdict.risk === "unreadable") return verdict;
  return { risk: "asks", reason: "rule_asks", always: true, reads: verdict.risk === "reads", proposal: null };
}

/** The rules for paths hold for what a command names, too, as far as that can be read; what may only be meant asks. */
function pathRule(segment: Segment, { policy, look, cwd }: Surroundings): CommandRuleHit | null {
  const known = readPaths(segment.words);
  const folder = cwd ?? policy.root;
  const named: { readonly word: Word; readonly access: "read" | "write"; readonly deep: boolean }[] = [
    ...(known ?? fileWords(segment.words).map((word) => ({ word, recursive: false }))).map(({ word, recursive }) => ({
      word,
      access: "read" as const,
      deep: recursive,
    })),
    ...segment.redirects.flatMap(({ operator, target }) =>
      target === null
        ? []
        : [
            {
              word: target,
              access: outputOperators.test(operator) ? ("write" as const) : ("read" as const),
              deep: false,
            },
          ],
    ),
  ];
  if (writesFiles(segment))
    named.push(...fileWords(segment.words).map((word) => ({ word, access: "write" as const, deep: false })));
  let asking: CommandRuleHit | null = null;
  for (const { word, access, deep } of named) {
    for (const text of namesOf(word, known !== null, folder, look)) {
      const place = look.place(text, folder);
      if (place.kind !== "inside") continue;
      const below = (deep || !word.literal) && place.folder;
      const verdict = pathVerdict(policy.rules, access, [place.path.relative], below);
      if (verdict === null || verdict.effect === "allow") continue;
      if (verdict.effect === "deny" && verdict.sure) return { effect: "deny", rule: verdict.rule };
      asking ??= { effect: "ask", rule: verdict.rule };
    }
  }
  return asking;
}

/** The ways a word may name files; of what is made at run time the folder that is certain. */
function namesOf(word: Word, exact: boolean, folder: string, look: Look): readonly string[] {
  if (!word.literal) {
    const [certain = ""] = word.text.split(unknownPart);
    if (certain.startsWith("-") || /\s/.test(certain)) return [];
    return [certain.slice(0, certain.lastIndexOf("/") + 1) || "."];
  }
  if (word.glob) return look.expand(word, folder) ?? [];
  return (exact ? [operandText(word)] : candidates(word)).filter((text) => text !== "");
}

interface Surroundings {
  readonly policy: CommandPolicy;
  readonly look: Look;
  /** Null when the folder a segment runs in is not known. */
  readonly cwd: string | null;
}

/** Some `cd` runs where its turn is not certain, or `cd` may be a function: then no relative path can be placed. */
function movesUnseen(parsed: ParsedCommand): boolean {
  const movers = parsed.segments.filter((segment) => /^(?:cd|pushd|popd)$/.test(segment.words[0]?.text ?? ""));
  const functions = parsed.kind === "unreadable" || parsed.functions;
  return movers.some((segment) => functions || !segment.main || segment.words[0]?.text !== "cd");
}

/** The folder a plain `cd folder` leads to: it exists, is inside, and no link makes `..` ambiguous. */
function movedTo(segment: Segment, cwd: string, look: Look): string | null {
  const [command, folder] = segment.words;
  if (command?.text !== "cd" || folder === undefined || segment.words.length !== 2) return null;
  if (!folder.literal || folder.glob || folder.tilde || folder.text.startsWith("-") || folder.text.startsWith("~"))
    return null;
  const place = look.place(folder.text, cwd);
  if (place.kind !== "inside" || !place.folder) return null;
  return posix.resolve(cwd, folder.text) === place.path.absolute ? place.path.absolute : null;
}

function judgeSegment(segment: Segment, place: Surroundings, moves: boolean): Verdict {
  const refusal = blockedWord(segment, place.policy) ?? protectedPath(segment, place);
  if (refusal !== null) return refusal;
  if (segment.unreadable !== null) return { risk: "unreadable" };
  const started = runnerCommand(segment.words) ?? segment.words;
  if (started.length > 0 && runsInlineCode(started) && readPaths(segment.words) === null) return { risk: "unreadable" };
  const redirect = worstRedirect(segment.redirects, place);
  if (redirect === "runs_code" || (!moves && writesRunningFile(segment, place))) return asks("runs_code");
  if (redirect === "reads" && segment.assignments.length === 0 && !segment.special && !segment.tail) {
    if (segment.words.length === 0 || moves || segment.wrapper === "transparent" || onlyReads(segment.words, place))
      return reads;
  }
  const atRoot = place.cwd === place.policy.root;
  if (!canHaveRule(segment, redirect !== "reads")) return asks(redirect === "reads" ? "executes" : redirect);
  const rule = matchingRule(segment, place.policy.rules, atRoot);
  return rule === null ? asks("executes", proposedRule(segment, atRoot)) : { risk: "rule", rule };
}

/** `format.sh` is a script of somebody, not the program `format`. */
const isScript = /\.(?:[cm]?[jt]s|[jt]sx|sh|bash|zsh|fish|py|rb|pl|php|lua)$/;

/** A blocked name in command position; `mkfs` also stands for `mkfs.ext4`. */
function blockedWord(segment: Segment, policy: CommandPolicy): Verdict | null {
  const first = segment.words[0];
  const names = [...(first === undefined ? [] : [programName(first)]), ...segment.suspects];
  const detail = policy.blockedWords.find((word) => {
    const blocked = word.toLowerCase();
    return names.some((name) => name === blocked || (name.startsWith(`${blocked}.`) && !isScript.test(name)));
  });
  return detail === undefined ? null : { risk: "refused", reason: "blocked_word", detail };
}

/** A literal word, redirect or glob that names something protected. */
function protectedPath(segment: Segment, place: Surroundings): Verdict | null {
  const known = readPaths(segment.words);
  const operands = known?.map((path) => path.word) ?? fileWords(segment.words);
  const targets = segment.redirects.flatMap((redirect) => redirect.target ?? []);
  const exact = known !== null;
  for (const word of operands) {
    const detail = protectedIn(word, place, exact);
    if (detail !== null) return { risk: "refused", reason: "protected", detail };
  }
  for (const word of [...targets, ...segment.words.slice(0, 1)]) {
    const detail = protectedIn(word, place, true);
    if (detail !== null) return { risk: "refused", reason: "protected", detail };
  }
  return null;
}

function protectedIn(word: Word, { policy, look, cwd }: Surroundings, exact: boolean): string | null {
  const folder = cwd ?? policy.root;
  const isProtected = (text: string): boolean => text !== "" && look.place(text, folder).kind === "protected";
  if (!word.literal) {
    const parts = braceWords(word.text).flatMap((text) => text.split("/"));
    const hit = parts.find((part) => !part.includes(unknownPart) && isProtectedName(part, policy));
    return hit === undefined ? null : word.text.replaceAll(unknownPart, "…");
  }
  if (word.glob) return look.expand(word, folder)?.find(isProtected) ?? null;
  if (exact) return isProtected(operandText(word)) ? word.text : null;
  if (/\s/.test(word.text)) return namesProtected(word.text, policy) ? word.text : null;
  return candidates(word).find(isProtected) ?? null;
}

/** Words with blanks are mostly prose: only a whole component counts. */
const namesProtected = (text: string, policy: CommandPolicy): boolean =>
  text.includes("/") && text.split("/").some((part) => !/\s/.test(part) && isProtectedName(part, policy));

/** `~` was a plain character when it was quoted. */
const operandText = (word: Word): string => (word.text.startsWith("~") && !word.tilde ? `./${word.text}` : word.text);

/** The ways a word of an unknown program may name a file: itself, `--x=file`, `-Xfile`, `@file`, `a:file`. */
function candidates(word: Word): readonly string[] {
  const option = /^-[A-Za-z](.+)$/s.exec(word.text)?.[1];
  const parts = word.text.split(/[=:,]/).flatMap((part) => [part, part.replace(/^@/, "")]);
  const all = [operandText(word), ...(option === undefined ? [] : [option, option.replace(/^@/, "")]), ...parts];
  return [...new Set(all)];
}

const outputOperators = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;

/** "reads" when nothing but streams, nothing and files inside are touched. */
function worstRedirect(
  redirects: readonly Redirect[],
  place: Surroundings,
): "reads" | "writes" | "runs_code" | "outside" {
  let worst: "reads" | "writes" | "outside" = "reads";
  for (const { operator, target, descriptor } of redirects) {
    const named = descriptor !== null && !/^\d+$/.test(descriptor);
    if (target === null) {
      if (named) worst = "writes";
      continue;
    }
    const stream = /^[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(target.text);
    if (target.literal && !named && (stream || /^\/dev\/(?:null|stdout|stderr)$/.test(target.text))) continue;
    if (outputOperators.test(operator)) {
      if (target.literal && isRunningFile(operandText(target), place)) return "runs_code";
      worst = "writes";
    } else if (
      operator !== "<" ||
      named ||
      !isReadable({ word: target, recursive: false, skipsHidden: false }, place)
    ) {
      worst = worst === "writes" ? worst : "outside";
    }
  }
  return worst;
}

function isRunningFile(text: string, { look, cwd, policy }: Surroundings): boolean {
  const found = look.place(text, cwd ?? policy.root);
  return found.kind === "inside" && runsCode(found.path.relative);
}

/** Programs that write the files they name; a `cd` that is not followed moves the writing to where it cannot be seen. */
const fileWriters: ReadonlySet<string> = new Set([
  "cd",
  "pushd",
  "patch",
  "ed",
  "ex",
  "gsed",
  "perl",
  "sort",
  "sponge",
  "split",
  "tar",
  "unzip",
  "cp",
  "mv",
  "tee",
  "install",
  "ln",
  "touch",
  "sed",
  "rsync",
  "truncate",
  "chmod",
  "curl",
  "wget",
]);

function writesFiles({ words }: Segment): boolean {
  const first = words[0];
  return first !== undefined && fileWriters.has(programName(first)) && readPaths(words) === null;
}

function writesRunningFile(segment: Segment, place: Surroundings): boolean {
  if (!writesFiles(segment)) return false;
  return fileWords(segment.words).some(
    (word) => word.literal && candidates(word).some((text) => text !== "" && isRunningFile(text, place)),
  );
}

function onlyReads(words: readonly Word[], place: Surroundings): boolean {
  const paths = readPaths(words);
  return paths !== null && paths.every((path) => isReadable(path, place));
}

/** Every place the word leads to is inside and, for a walk, clean below. */
function isReadable(path: ReadPath, { look, cwd }: Surroundings): boolean {
  const { word } = path;
  if (!word.literal) return false;
  if (word.text === "-" || word.text === "/dev/null") return true;
  if (cwd === null) return false;
  const names = word.glob ? look.expand(word, cwd) : [operandText(word)];
  if (names === null) return false;
  // A file named like an option would be taken for one.
  if (word.glob && (names.length === 0 || names.some((name) => name.startsWith("-")) || word.tilde)) return false;
  return names.every((name) => {
    const found = look.place(word.glob && name.startsWith("~") ? `./${name}` : name, cwd);
    if (found.kind !== "inside") return false;
    return !path.recursive || !found.folder || look.isClean(found.path, path.skipsHidden);
  });
}
