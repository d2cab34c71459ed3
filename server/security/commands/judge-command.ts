/**
 * Judges every part of a parsed command: refused, unreadable, reads, allowed by a rule, or asks.
 */
import { type PolicyReason, type Rule, type RulePattern, formatRulePattern } from "@/lib/permissions/policy";
import { type CommandRuleHit, strictestCommandRule } from "../rules/command-rules";
import { runsInlineCode } from "./interpreters";
import type { FsProbe } from "../paths/fs-probe";
import { strictestPathRule } from "../rules/path-rules";
import { type PathPolicy, runsCode } from "../paths/safe-path";
import { possiblePaths, expandTildePattern, operandText, type WordProtection, wordProtection } from "./word-protection";
import { isMerelyReading } from "./command-effects";
import { mayHideCommand } from "./hidden-commands";
import { followFolders } from "./shell-folders";
import { setsProgramSetting } from "./program-settings";
import { fileWords, type ReadPath, readPaths } from "./readers";
import { copiedTrees, writtenNames } from "./unpackers";
import { isVersionQuestion } from "./version-questions";
import { exceedsRule } from "../rules/rule-limits";
import { canHaveRule, exactRule, matchingRules, proposedRule } from "../rules/rule-pattern";
import type { ParsedCommand, Redirect, CommandSegment } from "../shell/parsed-command";
import { braceExpansion } from "../shell/shell-glob";
import { unknownPart, type Word } from "../shell/shell-words";
import { isSourcedScript, programName, runnerCommand } from "../shell/wrapped-commands";

/** The settings that a command is judged by. */
export interface CommandPolicy extends PathPolicy {
  /** The rules of this project. */
  readonly rules: readonly Rule[];
  readonly blockedWords: readonly string[];
  /** Current folder of the shell, absolute and real. */
  readonly cwd: string;
}

/** The verdict on one segment, before the mode is applied. */
export type SegmentVerdict =
  | {
      readonly risk: "refused";
      readonly reason: "blocked_word" | "protected" | "rule_denies";
      readonly detail: string;
      readonly rule?: Rule;
    }
  | { readonly risk: "unreadable" }
  | { readonly risk: "reads" }
  | { readonly risk: "rule"; readonly rule: Rule }
  /**
   * `always` = asks even in Full access (a file that makes other programs run code, an ask rule); `readsVerdict` =
   * without that rule the segment would only read.
   */
  | {
      readonly risk: "asks";
      readonly reason: PolicyReason;
      readonly always: boolean;
      readonly reads: boolean;
      readonly proposal: RulePattern | null;
    };

const readsVerdict: SegmentVerdict = { risk: "reads" };

const makeAskVerdict = (reason: PolicyReason, proposal: RulePattern | null = null): SegmentVerdict => ({
  risk: "asks",
  reason,
  always: reason === "runs_code",
  reads: false,
  proposal,
});

/** Returns one verdict per segment, in order: the worst one over the folders in which the segment may run. */
export function judgeCommand(parsed: ParsedCommand, policy: CommandPolicy, probe: FsProbe): readonly SegmentVerdict[] {
  // A script that this shell reads may define functions too.
  const hasFunctions =
    (parsed.kind === "parsed" && parsed.functions) || parsed.segments.some(({ words }) => isSourcedScript(words));
  const numbers = parsed.kind === "parsed" ? parsed.numbers : new Set<string>();
  const shell = followFolders(parsed, policy.cwd, probe);
  return parsed.segments.map((segment, index) => {
    const { folders, moves } = shell[index] ?? { folders: [null], moves: false };
    const verdicts = folders.map((cwd) => {
      const place: SegmentContext = { policy, probe, cwd, numbers };
      const verdict = judgeSegment(segment, place, moves);
      return applyRules(hasFunctions ? withoutTrustInNames(verdict) : verdict, segment, place);
    });
    return verdicts.reduce((worst, verdict) => (verdictRank(verdict) > verdictRank(worst) ? verdict : worst));
  });
}

/**
 * Returns how strict a verdict is; of two parts that ask, the one that offers no rule ranks higher, and a blocked word
 * is the weakest refusal: it is about a name, the others are about what the command does.
 */
function verdictRank(verdict: SegmentVerdict): number {
  if (verdict.risk === "refused") return verdict.reason === "blocked_word" ? 9 : 10;
  if (verdict.risk !== "asks") return { reads: 0, rule: 1, unreadable: 8 }[verdict.risk];
  return 2 + (verdict.proposal === null ? 1 : 0) + (verdict.always ? 2 : 0) + (verdict.reads ? 0 : 1);
}

/**
 * Downgrades a verdict of a command that defines functions: the name of a reader or of an allowed program may be such
 * a function.
 */
const withoutTrustInNames = (verdict: SegmentVerdict): SegmentVerdict =>
  verdict.risk === "reads" || verdict.risk === "rule"
    ? makeAskVerdict("executes")
    : verdict.risk === "asks"
      ? { ...verdict, proposal: null }
      : verdict;

/** Applies deny rules, then ask rules. A refusal stays one: only a deny rule replaces one for a blocked word. */
function applyRules(verdict: SegmentVerdict, segment: CommandSegment, place: SegmentContext): SegmentVerdict {
  if (verdict.risk === "refused" && verdict.reason !== "blocked_word") return verdict;
  const { rules } = place.policy;
  if (rules.every((rule) => rule.effect === "allow")) return verdict;
  const hits = [
    strictestCommandRule(segment, rules, { root: place.policy.root, cwd: place.cwd ?? place.policy.root }),
    matchPathRule(segment, place),
  ].filter((hit) => hit !== null);
  const denied = hits.find((hit) => hit.effect === "deny")?.rule;
  if (denied !== undefined)
    return { risk: "refused", reason: "rule_denies", detail: formatRulePattern(denied), rule: denied };
  if (hits.length === 0 || verdict.risk === "unreadable" || verdict.risk === "refused") return verdict;
  return { risk: "asks", reason: "rule_asks", always: true, reads: verdict.risk === "reads", proposal: null };
}

/** Applies path rules to the files that a command names, as far as they can be read; an uncertain match asks. */
function matchPathRule(segment: CommandSegment, { policy, probe, cwd }: SegmentContext): CommandRuleHit | null {
  const paths = readPaths(segment.words);
  const folder = cwd ?? policy.root;
  const named: { readonly word: Word; readonly access: "read" | "write"; readonly deep: boolean }[] = [
    ...(paths ?? fileWords(segment.words).map((word) => ({ word, recursive: false }))).map(({ word, recursive }) => ({
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
    for (const text of namedPaths(word, paths !== null, folder, probe)) {
      const place = probe.locate(text, folder);
      if (place.kind !== "inside") continue;
      const below = (deep || !word.literal) && place.folder;
      const verdict = strictestPathRule(policy.rules, access, [place.path.relative], below);
      if (verdict === null || verdict.effect === "allow") continue;
      if (verdict.effect === "deny" && verdict.certain) return { effect: "deny", rule: verdict.rule };
      asking ??= { effect: "ask", rule: verdict.rule };
    }
  }
  return asking;
}

/** Returns the paths a word may name; for a word made at run time, the folder that is certain. */
function namedPaths(word: Word, exact: boolean, folder: string, probe: FsProbe): readonly string[] {
  if (!word.literal) {
    const [certain = ""] = word.text.split(unknownPart);
    if (certain.startsWith("-") || /\s/.test(certain)) return [];
    return [certain.slice(0, certain.lastIndexOf("/") + 1) || "."];
  }
  if (word.glob) return probe.expand(expandTildePattern(word.pattern, word), folder)?.map(({ text }) => text) ?? [];
  return (exact ? [operandText(word)] : possiblePaths(word)).filter((text) => text !== "");
}

interface SegmentContext {
  readonly policy: CommandPolicy;
  readonly probe: FsProbe;
  /** Null when the folder in which a segment runs is not known. */
  readonly cwd: string | null;
  /** Variables that the command sets to numbers only. */
  readonly numbers: ReadonlySet<string>;
}

function judgeSegment(segment: CommandSegment, place: SegmentContext, moves: boolean): SegmentVerdict {
  const protection = findProtectedPath(segment, place);
  if (protection?.risk === "refused") return protection;
  const refusal = findBlockedWord(segment, place.policy) ?? protection;
  if (refusal !== null) return refusal;
  if (segment.unreadable !== null) return { risk: "unreadable" };
  if (mayHideCommand(segment, { blockedWords: place.policy.blockedWords, numbers: place.numbers }))
    return { risk: "unreadable" };
  if (isSourcedScript(segment.words) && !isInsideProject(segment.words[1], place)) return { risk: "unreadable" };
  const started = runnerCommand(segment.words) ?? segment.words;
  if (started.length > 0 && runsInlineCode(started) && readPaths(segment.words) === null) return { risk: "unreadable" };
  const redirect = worstRedirect(segment.redirects, place);
  if (redirect === "runs_code" || (!moves && writesCodeRunningFile(segment, place))) return makeAskVerdict("runs_code");
  if (redirect === "reads" && segment.assignments.length === 0 && !segment.special && !segment.openEnded) {
    if (segment.words.length === 0 || moves || segment.wrapper === "transparent" || onlyReads(segment, place))
      return readsVerdict;
  }
  const atRoot = place.cwd === place.policy.root;
  if (!canHaveRule(segment, redirect !== "reads")) return makeAskVerdict(redirect === "reads" ? "executes" : redirect);
  const rules = matchingRules(segment, place.policy.rules, atRoot);
  const rule = rules.find((one) => !exceedsRule(segment.words, one.words.length, place.probe, place.cwd));
  if (rule !== undefined) return { risk: "rule", rule };
  const proposal = proposedRule(segment, atRoot);
  // A command that a rule of its verb would not cover can only get a rule of its exact words.
  const isWider = proposal !== null && exceedsRule(segment.words, proposal.words.length, place.probe, place.cwd);
  return makeAskVerdict("executes", isWider ? exactRule(segment) : proposal);
}

const isInsideProject = (word: Word | undefined, { probe, cwd }: SegmentContext): boolean =>
  word !== undefined && !word.tilde && cwd !== null && probe.locate(word.text, cwd).kind === "inside";

/** `format.sh` is a script, not the program `format`. */
const scriptExtension = /\.(?:[cm]?[jt]s|[jt]sx|sh|bash|zsh|fish|py|rb|pl|php|lua)$/;

/** Refuses a blocked name in command position; `mkfs` also matches `mkfs.ext4`. */
function findBlockedWord(segment: CommandSegment, policy: CommandPolicy): SegmentVerdict | null {
  const first = segment.words[0];
  const names = [...(first === undefined ? [] : [programName(first)]), ...segment.suspects];
  const detail = policy.blockedWords.find((word) => {
    const blocked = word.toLowerCase();
    return names.some((name) => name === blocked || (name.startsWith(`${blocked}.`) && !scriptExtension.test(name)));
  });
  return detail === undefined ? null : { risk: "refused", reason: "blocked_word", detail };
}

/**
 * Refuses a word, redirect or value that names something protected; unreadable where it may name something protected.
 */
function findProtectedPath(segment: CommandSegment, place: SegmentContext): SegmentVerdict | null {
  const paths = readPaths(segment.words);
  const targets = segment.redirects.flatMap((redirect) => redirect.target ?? []);
  const operands = paths?.map((path) => path.word) ?? fileWords(segment.words);
  const judged: readonly (readonly [words: readonly Word[], exact: boolean])[] = [
    [operands, paths !== null],
    [[...targets, ...segment.words.slice(0, 1)], true],
    [segment.expandedWords, false],
  ];
  let worst: WordProtection = { kind: "none" };
  for (const [words, exact] of judged) {
    for (const word of words) {
      const found = wordProtection(word, place, exact);
      if (found.kind === "protected") return { risk: "refused", reason: "protected", detail: found.detail };
      if (found.kind === "unsure") worst = found;
    }
  }
  return worst.kind === "unsure" ? { risk: "unreadable" } : null;
}

const outputOperators = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;

/**
 * Returns the riskiest redirect; "reads" when only streams, /dev/null and readable files inside the project are
 * touched.
 */
function worstRedirect(
  redirects: readonly Redirect[],
  place: SegmentContext,
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
      if (mayNameCodeRunningFile(target, place, true)) return "runs_code";
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

function isCodeRunningFile(text: string, { probe, cwd, policy }: SegmentContext): boolean {
  const found = probe.locate(text, cwd ?? policy.root);
  // Outside the project the names decide: start files of the home folder and the system.
  return runsCode(found.kind === "inside" ? found.path.relative : text);
}

/** Readers with an option or operand for an output file. */
const namesOutput = /^(?:uniq|sort|find|fd|xxd|tree|yq)$/;

/** Git verbs that change none of the files they name. */
const readingGitVerbs =
  /^(?:add|blame|check-ignore|commit|diff|grep|log|ls-files|ls-tree|rev-parse|show|shortlog|status|describe|stage)$/;

/** Returns whether a command that is no reader may write the files that it names. */
function writesFiles({ words }: CommandSegment): boolean {
  const [first, ...rest] = words;
  if (first === undefined || readPaths(words) !== null) return false;
  const name = programName(first);
  if (name === "git") return !readingGitVerbs.test(rest.find((word) => !word.text.startsWith("-"))?.text ?? "");
  return namesOutput.test(name) || !isMerelyReading(name, words);
}

/** Folders with programs that are started by their names. */
const programFolder = /^(?:(?:\/usr(?:\/local)?)?\/s?bin|~\/bin)(?:\/|$)/;

/** Returns whether a command puts a file where the shell finds its programs. */
const placesProgram = ({ words, redirects }: CommandSegment): boolean =>
  redirects.some(({ operator, target }) => outputOperators.test(operator) && programFolder.test(target?.text ?? "")) ||
  (/^(?:cp|mv|install|ln|tee|rsync)$/.test(words[0] === undefined ? "" : programName(words[0])) &&
    programFolder.test(words.at(-1)?.text ?? ""));

/** Returns whether a command changes how other programs behave: a file that it names, or their settings. */
function writesCodeRunningFile(segment: CommandSegment, place: SegmentContext): boolean {
  if (placesProgram(segment)) return true;
  if (!writesFiles(segment)) return false;
  const unnamed = writtenNames(segment);
  return (
    unnamed === "unseen" ||
    copiedTrees(segment.words).some((word) => holdsCodeRunningFile(word, place)) ||
    setsProgramSetting(segment.words) ||
    [...fileWords(segment.words), ...unnamed].some((word) => mayNameCodeRunningFile(word, place, false))
  );
}

/** Returns whether a folder of the project has such a file below it, outside of installed packages. */
function holdsCodeRunningFile(word: Word, { probe, cwd, policy }: SegmentContext): boolean {
  if (!word.literal || word.glob) return false;
  const found = probe.locate(operandText(word), cwd ?? policy.root);
  return found.kind === "inside" && found.folder && probe.holdsCodeRunningFile(found.path);
}

/**
 * Returns whether a file that this word may name makes other programs run code; for a word made at run time, the known
 * components decide.
 */
function mayNameCodeRunningFile(word: Word, place: SegmentContext, exact: boolean): boolean {
  if (word.literal && !word.glob)
    return (exact ? [operandText(word)] : possiblePaths(word)).some(
      (text) => text !== "" && isCodeRunningFile(text, place),
    );
  const patterns = (word.braces ? braceExpansion(word.pattern, unknownPart) : null) ?? [word.pattern];
  return patterns.some((pattern) => {
    const plain = pattern.replace(/\\([\s\S])/g, "$1");
    // An unknown part may be empty.
    if (runsCode(plain) || runsCode(plain.replaceAll(unknownPart, ""))) return true;
    const names = pattern.includes(unknownPart)
      ? []
      : place.probe.expand(expandTildePattern(pattern, word), place.cwd ?? place.policy.root);
    return names?.some(({ text }) => runsCode(text) || isCodeRunningFile(text, place)) ?? false;
  });
}

function onlyReads({ words, input }: CommandSegment, place: SegmentContext): boolean {
  if (input !== "none" && isVersionQuestion(words)) return false;
  const paths = readPaths(words);
  return paths !== null && paths.every((path) => isReadable(path, place));
}

/** Returns whether every path the word leads to is inside the project and, for a walk, clean below. */
function isReadable(path: ReadPath, { probe, cwd }: SegmentContext): boolean {
  const { word } = path;
  if (!word.literal) return false;
  if (word.text === "-" || word.text === "/dev/null") return true;
  if (cwd === null) return false;
  const names = word.glob ? harmlessGlobNames(word, probe, cwd) : [operandText(word)];
  return (
    names !== null &&
    names.every((name) => {
      // A name that is not valid text for us is still a name for the program.
      const found = name.includes("\uFFFD") ? null : probe.locate(name, cwd);
      if (found?.kind !== "inside") return false;
      return !path.recursive || !found.folder || probe.isClean(found.path, path.skipsHidden);
    })
  );
}

const maxGlobNames = 1_000;

/**
 * Returns everything a glob may expand to, plus itself when it may match nothing; null when that cannot be proven
 * harmless.
 */
function harmlessGlobNames(word: Word, probe: FsProbe, cwd: string): readonly string[] | null {
  const found = word.tilde ? null : probe.expand(word.pattern, cwd);
  // A file named like an option would be parsed as an option.
  if (found === null || found.length > maxGlobNames || found.some(({ text }) => text.startsWith("-"))) return null;
  const names = found.map(({ text }) => (text.startsWith("~") ? `./${text}` : text));
  return found.some(({ certain: sure }) => sure) ? names : [...names, word.text];
}
