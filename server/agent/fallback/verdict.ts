/**
 * Decides for every call candidate whether it is a call or prose. Pure. The rules, in order: only offered names; only
 * fitting arguments (an explicit call with misfitting arguments is still a call, so that the model receives the
 * correct usage); no examples, quotations, or calls explained afterwards. A call of an unknown tool is found by the
 * same rules, so that the model receives an error; it never affects which offered tools run.
 */
import type { Json } from "@/lib/content";
import { explains, wordsMaxChars } from "./announcement";
import { fit } from "./fitting";
import { isObject } from "./lenient-json";
import { isWeak, makeLeadJudge } from "./lead-judge";
import type { PlacedCall } from "./markers";
import type { Part, Scan } from "./scan";
import { type Familiar, matchAt, type OfferedTool } from "./source";
import { trimTokens } from "./stop-tokens";

export interface AcceptedCall {
  readonly name: string;
  readonly input: Json;
  readonly start: number;
  readonly end: number;
  /** Nothing had to be added. */
  readonly whole: boolean;
}

type Calls = Extract<Part, { kind: "calls" }>;

/** Text after a call in a model's own syntax, up to this length, does not invalidate it. */
const trailingMaxChars = 200;

interface Setting {
  readonly text: string;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The message consists only of calls and thinking. */
  readonly onlyCalls: boolean;
  /** null = only calls of offered tools count. */
  readonly isAlias: Familiar | null;
}

/** Whether a call with misfitting arguments is answered with an error. */
function answersMisfit(part: Calls, call: PlacedCall, setting: Setting): boolean {
  if (part.strength === "tag") return false;
  if (part.strength === "react") return call.form === "both";
  return part.strength === "marker" || (setting.onlyCalls && call.form === "both");
}

const toolName = /^(?!(?:assistant|user|system|all|final)$)[a-z_][\w.:/-]{0,63}$/i;
/** Elements that also occur in other documents. */
const everydayElement = /<(?:function|tool|call|action)\s/iy;

/**
 * Whether a call of an unknown tool is answered with an error: in the model's own syntax any name, otherwise only an
 * alias.
 */
function isTold(part: Calls, { name, input, form, start }: PlacedCall, { text, onlyCalls, isAlias }: Setting): boolean {
  if (isAlias === null || form !== "both" || !toolName.test(name)) return false;
  if (part.strength === "marker") return onlyCalls || isAlias(name) || matchAt(everydayElement, text, start) === null;
  return isAlias(name) && isObject(input);
}

function acceptCall(part: Calls, call: PlacedCall, setting: Setting): readonly AcceptedCall[] | null {
  const tool = setting.tools.get(call.name);
  const { name, input: written, start, end, whole } = call;
  if (tool === undefined) return isTold(part, call, setting) ? [{ name, input: written, start, end, whole }] : null;
  if (isWeak(part.strength) && (call.form === "alone" || (call.form === "loose" && !setting.onlyCalls))) return null;
  const { fits, inputs } = fit(tool, call.input);
  // A call that fits only after a guess must not run: a misfitting list of edits may parse as a whole.
  if (!fits && (!answersMisfit(part, call, setting) || call.form === "loose" || tool.parse(call.input).ok)) return null;
  return inputs.map((input) => ({ name, input, start, end, whole }));
}

function accept(part: Calls, setting: Setting): readonly AcceptedCall[] {
  const all = part.calls.map((call) => acceptCall(part, call, setting));
  return all.some((one) => one === null) ? [] : all.flatMap((one) => one ?? []);
}

/** The call is inside a sentence. */
function insideSentence(text: string, { start, end }: Calls): boolean {
  const before =
    text
      .slice(Math.max(0, start - wordsMaxChars), start)
      .split("\n")
      .at(-1) ?? "";
  const after = trimTokens(text.slice(end, end + wordsMaxChars).split("\n")[0] ?? "");
  return before.trim() !== "" && after !== "" && (/^[a-z,;)]/.test(after) || !/[:：.!?。！？>*]\s*$/.test(before));
}

/** Whether the text after a call speaks against it; `last` = no other call follows. */
function undoneByTail(part: Calls, tail: string, last: boolean): boolean {
  const words = trimTokens(tail.slice(0, wordsMaxChars));
  if (words === "") return false;
  // Closers were added: following text may have belonged to a value.
  const whole = part.calls.every((call) => call.whole);
  if (!whole && (isWeak(part.strength) || /^[ \t]*[^\s<[]/.test(tail))) return true;
  if (explains(words)) return true;
  if (!last) return false;
  return isWeak(part.strength) || tail.length > wordsMaxChars || words.length > trailingMaxChars;
}

interface Candidate {
  readonly part: Calls;
  readonly calls: readonly AcceptedCall[];
  /** Start of the text before it. */
  readonly from: number;
}

const isBlank = (text: string): boolean => trimTokens(text) === "";

/** Forward pass: checks the form of each call and the text before it. */
function candidates(scan: Scan, setting: Setting): readonly (Candidate | null)[] {
  let from = 0;
  const lead = makeLeadJudge();
  return scan.parts.map((part) => {
    const start = from;
    from = part.end;
    if (part.kind !== "calls") {
      lead.forget();
      return null;
    }
    const refused = lead.refuses(part.strength, setting.text.slice(start, part.start));
    const calls = refused ? [] : accept(part, setting);
    return calls.length === 0 ? null : { part, calls, from: start };
  });
}

export interface Judged {
  readonly scan: Scan;
  readonly text: string;
  readonly tools: readonly OfferedTool[];
  /** false = the stream was truncated: only complete calls count. */
  readonly ended: boolean;
}

/** Returns the calls to execute, in order. */
export const judge = (judged: Judged): readonly AcceptedCall[] => accepted(judged, null);

/** Returns the calls of unknown tools, in order: none of them runs, but the model receives an error. */
export function judgeStrangers(judged: Judged, isAlias: Familiar): readonly AcceptedCall[] {
  const names = new Set(judged.tools.map((tool) => tool.name));
  return accepted(judged, isAlias).filter((call) => !names.has(call.name));
}

function accepted({ scan, text, tools, ended }: Judged, isAlias: Familiar | null): readonly AcceptedCall[] {
  const ends = [0, ...scan.parts.map((part) => part.end)];
  const starts = [...scan.parts.map((part) => part.start), text.length];
  const onlyCalls =
    scan.parts.every((part) => part.kind !== "text" || isBlank(part.text)) &&
    starts.every((start, index) => isBlank(text.slice(ends[index], start)));
  const setting: Setting = { text, tools: new Map(tools.map((tool) => [tool.name, tool])), onlyCalls, isAlias };
  const running: Candidate[] = [];
  let next = text.length;
  let joinedUndone = -1;
  for (const candidate of candidates(scan, setting).toReversed()) {
    if (candidate === null) continue;
    const { part } = candidate;
    const undone =
      part.end === joinedUndone ||
      insideSentence(text, part) ||
      undoneByTail(part, text.slice(part.end, next), running.length === 0);
    if (undone) {
      if (isBlank(text.slice(candidate.from, part.start))) joinedUndone = candidate.from;
      continue;
    }
    running.push(candidate);
    next = part.start;
  }
  const calls = running.toReversed().flatMap((candidate) => candidate.calls);
  return ended ? calls : calls.filter((call) => call.whole);
}
