/**
 * The channels of gpt-oss and Muse Glimmer: analysis and what is addressed to itself is thinking, final and what is
 * addressed to the user is text, the rest is a call.
 */
import { readValue } from "@/server/tools/written-json/lenient-json";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { normalizeToolName, type ReaderSource } from "../reader-source";
import type { PlacedCall } from "./call-markers";

type HarmonyChannel =
  | { readonly kind: "thinking" | "text"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "call"; readonly start: number; readonly end: number; readonly call: PlacedCall }
  /** The header of calls that begin at `end` in a syntax of their own. */
  | { readonly kind: "header"; readonly start: number; readonly end: number }
  | { readonly kind: "cut"; readonly end: number };

const channelHeader =
  /(?=<\|(?:start|channel)\|>)(?:<\|start\|>\w*([^<\n]{0,100}))?(?:<\|channel\|>\s*(\w+)([^<\n{]{0,100}))?(?:<\|constrain\|>\s*\w*)?\s*(?:<\|message\|>|(?=\{))/y;
/** The same header after a server dropped its special tokens. */
const bareHeader =
  /(?:assistant)?(?:commentary|analysis)?[ \t]*to=(functions\.[\w-]+)[ \t]*(?:<\|channel\|>)?[ \t]*(?:commentary)?[ \t]*(?:<\|constrain\|>)?(?:json|code)?[ \t]*(?:<\|message\|>)?\s*(?=\{)/y;
/** A recipient at the head of the answer, whose opener was in the prompt. */
export const recipientHead = String.raw`to=([\w.-]{1,80})[ \t]*(?:<\|channel\|>[ \t]*\w*[ \t]*(?:<\|constrain\|>)?\w*[ \t]*)?(?:<\|message\|>|(?=\s*<atem:))`;
const recipientPattern = new RegExp(String.raw`[ \t]*${recipientHead}`, "y");
const bodyEnd = /<\|(?:end|call|return|eom|eot|start|channel)\|>/g;
const endToken = /\s*<\|(?:end|call|return|eom|eot)\|>/y;

function findBodyEnd(
  text: string,
  from: number,
): { readonly body: number; readonly end: number; readonly closed: boolean } {
  bodyEnd.lastIndex = from;
  const found = bodyEnd.exec(text);
  if (found === null) return { body: text.length, end: text.length, closed: false };
  const own = !/start|channel/.test(found[0]);
  return { body: found.index, end: found.index + (own ? found[0].length : 0), closed: true };
}

function readChannelCall(source: ReaderSource, start: number, body: number, name: string): HarmonyChannel {
  const { text } = source;
  const place = (input: PlacedCall["input"], end: number, whole: boolean): HarmonyChannel => ({
    kind: "call",
    start,
    end,
    call: { name: normalizeToolName(name), input, form: "both", start, end, whole },
  });
  const space = matchLengthAt(/\s*/y, text, body);
  if (text[body + space] !== "{") {
    const { body: end, end: behind, closed } = findBodyEnd(text, body);
    return closed ? place(text.slice(body, end).trim(), behind, true) : { kind: "cut", end: text.length };
  }
  const read = readValue(source, body + space);
  if (read.kind !== "value") return { kind: "cut", end: text.length };
  const token = matchLengthAt(endToken, text, read.end);
  return place(read.value, read.end + token, read.whole);
}

/** Whether a recipient is no tool, and how its messages are displayed. */
export const recipientKinds: ReadonlyMap<string, "text" | "thinking"> = new Map([
  ["user", "text"],
  ["self", "thinking"],
]);

/** Reads a message to `to` whose body is at `body`. */
function readMessageTo(source: ReaderSource, start: number, body: number, to: string): HarmonyChannel {
  const kind = recipientKinds.get(to);
  if (kind !== undefined) return readDisplayedBody(source.text, kind, start, body);
  const isElement = matchLengthAt(/\s*<[a-z]/y, source.text, body) > 0;
  return isElement ? { kind: "header", start, end: body } : readChannelCall(source, start, body, to);
}

function readDisplayedBody(text: string, kind: "text" | "thinking", start: number, from: number): HarmonyChannel {
  const { body, end } = findBodyEnd(text, from);
  return { kind, start, end, text: text.slice(from, body) };
}

/** Reads the channel whose header is at `at`; `isHead` = only white space precedes it on its line. */
export function readChannel(source: ReaderSource, at: number, isHead: boolean): HarmonyChannel | null {
  const { text } = source;
  const bare = matchAt(bareHeader, text, at);
  if (bare !== null) return readChannelCall(source, at, at + bare[0].length, bare[1] ?? "");
  const addressed = isHead ? matchAt(recipientPattern, text, at) : null;
  if (addressed !== null) return readMessageTo(source, at, at + addressed[0].length, addressed[1] ?? "");
  const found = matchAt(channelHeader, text, at);
  if (found === null || (found[2] === undefined && !/to=/.test(found[1] ?? ""))) return null;
  const body = at + found[0].length;
  const to = /to=([\w.:-]+)/.exec(`${found[1] ?? ""} ${found[3] ?? ""}`)?.[1];
  if (to !== undefined && found[2] !== "final") return readMessageTo(source, at, body, to);
  return readDisplayedBody(text, found[2] === "analysis" ? "thinking" : "text", at, body);
}

/** Reads `analysis…assistantfinal…` at the start of a text without special tokens: its thinking as one channel. */
export function readBareAnalysis(text: string): { kind: "thinking"; start: number; end: number; text: string }[] {
  const found = text.startsWith("analysis") ? /assistant(?:final|(?=commentary))/.exec(text) : null;
  if (found === null) return [];
  const end = found[0] === "assistant" ? found.index : found.index + found[0].length;
  return [{ kind: "thinking", start: 0, end, text: text.slice("analysis".length, found.index) }];
}
