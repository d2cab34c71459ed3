/**
 * Decides for every call candidate whether it is a call or prose. Pure. The rules, in order: only offered names; only
 * fitting arguments (an explicit call with misfitting arguments is still a call, so that the model receives the
 * correct usage); no examples, quotations, or calls explained afterwards. A call of an unknown tool is found by the
 * same rules, so that the model receives an error; it never affects which offered tools run.
 */
import { isJsonObject, type Json, type UnrunCall, type UnrunReason } from "@/lib/events/content";
import { isForeignToolName } from "@/server/tools/arguments/foreign-names";
import { isExplanation, contextMaxChars } from "./lead-classifier";
import { fitArguments } from "./fit-arguments";
import { isWeakConfidence, makeLeadJudge } from "./lead-judge";
import type { PlacedCall } from "../grammars/call-markers";
import type { AnswerPart, AnswerScan } from "../scan-answer";
import { matchAt } from "@/server/base/match-at";
import { isAmbiguousAlias, type OfferedTool } from "../reader-source";
import { trimTokens } from "../stop-tokens";

export interface DetectedCall {
  readonly name: string;
  readonly input: Json;
  readonly start: number;
  readonly end: number;
  /** Nothing had to be added. */
  readonly whole: boolean;
}

type CandidatePart = Extract<AnswerPart, { kind: "calls" }>;

/** Text after a call in a model's own syntax, up to this length, does not invalidate it. */
const trailingMaxChars = 200;

interface VerdictContext {
  readonly text: string;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The message consists only of calls and thinking. */
  readonly onlyCalls: boolean;
  /** false = only calls of offered tools count. */
  readonly acceptsUnknown: boolean;
}

/** Whether a call with misfitting arguments is answered with an error. */
function isErrorForMisfit(part: CandidatePart, call: PlacedCall, setting: VerdictContext): boolean {
  if (part.strength === "tag") return false;
  if (part.strength === "react") return call.form === "both";
  return part.strength === "marker" || (setting.onlyCalls && call.form === "both");
}

const toolNamePattern = /^(?!(?:assistant|user|system|all|final)$)[a-z_][\w.:/-]{0,63}$/i;
/** Elements that also occur in other documents. */
const everydayElement = /<(?:function|tool|call|action)\s/iy;

/**
 * Whether a call of an unknown tool is answered with an error: in the model's own syntax any name, otherwise only an
 * alias.
 */
function isErrorForUnknownTool(
  part: CandidatePart,
  { name, input, form, start }: PlacedCall,
  { text, onlyCalls, acceptsUnknown }: VerdictContext,
): boolean {
  if (!acceptsUnknown || form !== "both" || !toolNamePattern.test(name)) return false;
  if (part.strength === "marker")
    return onlyCalls || isForeignToolName(name) || matchAt(everydayElement, text, start) === null;
  if (isWeakConfidence(part.strength) && isAmbiguousAlias(name)) return false;
  return isForeignToolName(name) && isJsonObject(input);
}

function acceptOneCall(part: CandidatePart, call: PlacedCall, setting: VerdictContext): readonly DetectedCall[] | null {
  const tool = setting.tools.get(call.name);
  const { name, input: written, start, end, whole } = call;
  if (tool === undefined)
    return isErrorForUnknownTool(part, call, setting) ? [{ name, input: written, start, end, whole }] : null;
  if (isWeakConfidence(part.strength) && (call.form === "alone" || (call.form === "loose" && !setting.onlyCalls)))
    return null;
  const { fits, inputs } = fitArguments(tool, call.input);
  // A call that fits only after a guess must not run: a misfitting list of edits may parse as a whole.
  if (!fits && (!isErrorForMisfit(part, call, setting) || call.form === "loose" || tool.parse(call.input).ok))
    return null;
  return inputs.map((input) => ({ name, input, start, end, whole }));
}

function acceptPart(part: CandidatePart, setting: VerdictContext): readonly DetectedCall[] {
  const all = part.calls.map((call) => acceptOneCall(part, call, setting));
  return all.some((one) => one === null) ? [] : all.flatMap((one) => one ?? []);
}

/** The call is inside a sentence. */
function isInsideSentence(text: string, { start, end }: CandidatePart): boolean {
  const before =
    text
      .slice(Math.max(0, start - contextMaxChars), start)
      .split("\n")
      .at(-1) ?? "";
  const after = trimTokens(text.slice(end, end + contextMaxChars).split("\n")[0] ?? "");
  return before.trim() !== "" && after !== "" && (/^[a-z,;)]/.test(after) || !/[:：.!?。！？>*]\s*$/.test(before));
}

/** Whether the text after a call speaks against it; `last` = no other call follows. */
function isUndoneByTail(part: CandidatePart, tail: string, last: boolean): boolean {
  const words = trimTokens(tail.slice(0, contextMaxChars));
  if (words === "") return false;
  // Closers were added: following text may have belonged to a value.
  const whole = part.calls.every((call) => call.whole);
  if (!whole && (isWeakConfidence(part.strength) || /^[ \t]*[^\s<[]/.test(tail))) return true;
  if (isExplanation(words)) return true;
  if (!last) return false;
  return isWeakConfidence(part.strength) || tail.length > contextMaxChars || words.length > trailingMaxChars;
}

interface CallCandidate {
  readonly part: CandidatePart;
  readonly calls: readonly DetectedCall[];
  /** Start of the text before it. */
  readonly from: number;
  /** The text before it speaks against it. */
  readonly isExample: boolean;
}

const hasNoText = (text: string): boolean => trimTokens(text) === "";

/** Forward pass: checks the form of each call and the text before it. */
function findCallCandidates(scan: AnswerScan, setting: VerdictContext): readonly (CallCandidate | null)[] {
  let from = 0;
  const lead = makeLeadJudge();
  const endsWithCalls = hasNoText(setting.text.slice(scan.parts.findLast((part) => part.kind === "calls")?.end));
  return scan.parts.map((part) => {
    const start = from;
    from = part.end;
    if (part.kind !== "calls") {
      lead.reset();
      return null;
    }
    const certain = endsWithCalls && !isWeakConfidence(part.strength) && part.calls.every((call) => call.whole);
    const isText = part.strength === "tag" && part.calls.some((call) => typeof call.input === "string");
    const isExample = lead.refuses({ strength: part.strength, certain, isText }, setting.text.slice(start, part.start));
    const calls = acceptPart(part, setting);
    return calls.length === 0 ? null : { part, calls, from: start, isExample };
  });
}

interface CallVerdictInput {
  readonly scan: AnswerScan;
  readonly text: string;
  readonly tools: readonly OfferedTool[];
  /** false = the stream was truncated: only complete calls count. */
  readonly ended: boolean;
}

interface CallVerdict {
  /** The calls to execute, in order. */
  readonly running: readonly DetectedCall[];
  /** Whole calls that only the text around them speaks against, in order. */
  readonly unrun: readonly UnrunCall[];
}

export const judgeOfferedCalls = (judged: CallVerdictInput): CallVerdict => judgeCalls(judged, false);

/** Returns the calls of unknown tools, in order: none of them runs, but the model receives an error. */
export function acceptUnknownTools(judged: CallVerdictInput): readonly DetectedCall[] {
  const names = new Set(judged.tools.map((tool) => tool.name));
  return judgeCalls(judged, true).running.filter((call) => !names.has(call.name));
}

function judgeCalls({ scan, text, tools, ended }: CallVerdictInput, acceptsUnknown: boolean): CallVerdict {
  const ends = [0, ...scan.parts.map((part) => part.end)];
  const starts = [...scan.parts.map((part) => part.start), text.length];
  const onlyCalls =
    scan.parts.every((part) => part.kind !== "text" || hasNoText(part.text)) &&
    starts.every((start, index) => hasNoText(text.slice(ends[index], start)));
  const setting: VerdictContext = {
    text,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    onlyCalls,
    acceptsUnknown,
  };
  const running: CallCandidate[] = [];
  const refused: (CallCandidate & { readonly reason: UnrunReason })[] = [];
  let next = text.length;
  let joinedUndone = -1;
  for (const candidate of findCallCandidates(scan, setting).toReversed()) {
    if (candidate === null) continue;
    const { part } = candidate;
    if (candidate.isExample) {
      refused.push({ ...candidate, reason: "example" });
      continue;
    }
    const isSentence = isInsideSentence(text, part);
    const undone =
      part.end === joinedUndone || isSentence || isUndoneByTail(part, text.slice(part.end, next), running.length === 0);
    if (undone) {
      refused.push({ ...candidate, reason: isSentence ? "sentence" : "explained" });
      if (hasNoText(text.slice(candidate.from, part.start))) joinedUndone = candidate.from;
      continue;
    }
    running.push(candidate);
    next = part.start;
  }
  const calls = running.toReversed().flatMap((candidate) => candidate.calls);
  return {
    running: ended ? calls : calls.filter((call) => call.whole),
    unrun: refused.toReversed().flatMap((one) => toUnrunCalls(one, setting.tools)),
  };
}

/** A call without its end, or with arguments that do not fit its tool, is not offered to the user. */
function toUnrunCalls(
  { calls, reason }: CallCandidate & { readonly reason: UnrunReason },
  tools: VerdictContext["tools"],
): readonly UnrunCall[] {
  return calls
    .filter(({ name, input, whole }) => whole && tools.get(name)?.parse(input).ok === true)
    .map(({ name, input }) => ({ name, input, reason }));
}
