/**
 * Prose or call: decides for everything that is written like a call whether the model meant it. Pure; called by read-text.
 * The rules, in order: only offered names; only what fits (an explicit call that does not is still one, so that the model is
 * told how to call it right); no example, nothing shown, nothing that is explained afterwards. A call of a tool that was not
 * offered is found by the same rules, so that the model is told; which offered tools run never depends on it.
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
  /** Nothing of it had to be added. */
  readonly whole: boolean;
}

type Calls = Extract<Part, { kind: "calls" }>;

/** Words behind a call in a model's own syntax that do not undo it. */
const trailingMaxChars = 200;

interface Setting {
  readonly text: string;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The message holds nothing but calls and thinking. */
  readonly onlyCalls: boolean;
  /** null = only calls of offered tools count. */
  readonly familiar: Familiar | null;
}

/** Whether a call that does not fit is answered as one. */
function answersMisfit(part: Calls, call: PlacedCall, setting: Setting): boolean {
  if (part.strength === "tag") return false;
  if (part.strength === "react") return call.form === "both";
  return part.strength === "marker" || (setting.onlyCalls && call.form === "both");
}

const toolName = /^(?!(?:assistant|user|system|all|final)$)[a-z_][\w.:/-]{0,63}$/i;
/** Elements that other documents have too. */
const everydayElement = /<(?:function|tool|call|action)\s/iy;

/** Whether a call of a tool that was not offered is told to the model: in its own syntax any name, otherwise a familiar one. */
function isTold(
  part: Calls,
  { name, input, form, start }: PlacedCall,
  { text, onlyCalls, familiar }: Setting,
): boolean {
  if (familiar === null || form !== "both" || !toolName.test(name)) return false;
  if (part.strength === "marker") return onlyCalls || familiar(name) || matchAt(everydayElement, text, start) === null;
  return familiar(name) && isObject(input);
}

function acceptCall(part: Calls, call: PlacedCall, setting: Setting): readonly AcceptedCall[] | null {
  const tool = setting.tools.get(call.name);
  const { name, input: written, start, end, whole } = call;
  if (tool === undefined) return isTold(part, call, setting) ? [{ name, input: written, start, end, whole }] : null;
  if (isWeak(part.strength) && (call.form === "alone" || (call.form === "loose" && !setting.onlyCalls))) return null;
  const { fits, inputs } = fit(tool, call.input);
  // What fits only with a guess of ours must not run: an unfit list of edits may parse as a whole.
  if (!fits && (!answersMisfit(part, call, setting) || call.form === "loose" || tool.parse(call.input).ok)) return null;
  return inputs.map((input) => ({ name, input, start, end, whole }));
}

function accept(part: Calls, setting: Setting): readonly AcceptedCall[] {
  const all = part.calls.map((call) => acceptCall(part, call, setting));
  return all.some((one) => one === null) ? [] : all.flatMap((one) => one ?? []);
}

/** The call stands in the middle of a sentence. */
function insideSentence(text: string, { start, end }: Calls): boolean {
  const before =
    text
      .slice(Math.max(0, start - wordsMaxChars), start)
      .split("\n")
      .at(-1) ?? "";
  const behind = trimTokens(text.slice(end, end + wordsMaxChars).split("\n")[0] ?? "");
  return before.trim() !== "" && behind !== "" && (/^[a-z,;)]/.test(behind) || !/[:：.!?。！？>*]\s*$/.test(before));
}

/** The words behind a call speak against it; `last` = no other call follows. */
function undoneByTail(part: Calls, tail: string, last: boolean): boolean {
  const words = trimTokens(tail.slice(0, wordsMaxChars));
  if (words === "") return false;
  // Closers were added: what goes on there may have belonged to a value.
  const whole = part.calls.every((call) => call.whole);
  if (!whole && (isWeak(part.strength) || /^[ \t]*[^\s<[]/.test(tail))) return true;
  if (explains(words)) return true;
  if (!last) return false;
  return isWeak(part.strength) || tail.length > wordsMaxChars || words.length > trailingMaxChars;
}

interface Candidate {
  readonly part: Calls;
  readonly calls: readonly AcceptedCall[];
  /** Where the words before it begin. */
  readonly from: number;
}

const isBlank = (text: string): boolean => trimTokens(text) === "";

/** Forwards: what its own form and the words before it say. */
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
  /** false = the stream was cut off: only what is complete as it stands counts. */
  readonly ended: boolean;
}

/** The calls that run, in order. */
export const judge = (judged: Judged): readonly AcceptedCall[] => accepted(judged, null);

/** The calls of tools that were not offered, in order: none of them runs, but the model is told. */
export function judgeStrangers(judged: Judged, familiar: Familiar): readonly AcceptedCall[] {
  const names = new Set(judged.tools.map((tool) => tool.name));
  return accepted(judged, familiar).filter((call) => !names.has(call.name));
}

function accepted({ scan, text, tools, ended }: Judged, familiar: Familiar | null): readonly AcceptedCall[] {
  const ends = [0, ...scan.parts.map((part) => part.end)];
  const starts = [...scan.parts.map((part) => part.start), text.length];
  const onlyCalls =
    scan.parts.every((part) => part.kind !== "text" || isBlank(part.text)) &&
    starts.every((start, index) => isBlank(text.slice(ends[index], start)));
  const setting: Setting = { text, tools: new Map(tools.map((tool) => [tool.name, tool])), onlyCalls, familiar };
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
