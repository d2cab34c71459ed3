/** Recognizes the error of a server that could not read the model's answer, and finds that answer in it. Pure. */
import { parseJson } from "@/server/base/parse-json";
import { ProviderError } from "../provider";
import { isTruncatedCallError } from "./wire-errors";

const quotations: readonly { readonly start: RegExp; readonly end?: RegExp }[] = [
  { start: /failed to parse input at pos \d+:? ?/i },
  { start: /(?:does not|doesn't|did not) match the expected [\w-]+ format[.:]? ?/i },
  { start: /error parsing tool call: raw='/i, end: /',? err=(?!.*',? err=).*$/s },
];

/** Errors that do not quote the answer; those of Ollama's parsers have no words of their own. */
const brokenCallPattern =
  /error parsing tool call|invalid tool call arguments|failed to parse (?:tool|function)[ _]?call|^(?:XML syntax error on line \d+|failed to parse XML|mismatched arg_key and arg_value|invalid character '.{1,6}' (?:after|looking for|in ))/i;

const cutEscape = /(?<!\\)((?:\\\\)*)\\(?:u[\da-f]{0,3})?$/i;

/** Decodes the text of a JSON string, of which the end may be missing; text that is none stays. */
function decodeJsonText(text: string): string {
  const value = parseJson(`"${text.replace(cutEscape, "$1")}"`);
  return typeof value === "string" ? value : text;
}

/** The start of a JSON string that is a member. */
const memberStart = /"\w{1,40}\\*":\s*(\\*)"[^"\\]*$/;
const memberStartMaxChars = 400;

/**
 * Returns the text from `from` on. Gateways pass on the body of a server as text, whole or cut: then the quotation, which begins
 * at `at`, is within a JSON string, or within one of another, whose quotes have a backslash more for each.
 */
function readQuotation(words: string, at: number, from: number): string {
  const rest = words.slice(from);
  const slashes = memberStart.exec(words.slice(Math.max(0, at - memberStartMaxChars), at))?.[1];
  if (slashes === undefined) return rest;
  const end = new RegExp(`(?<!\\\\)${slashes.replaceAll("\\", "\\\\")}"`).exec(rest)?.index ?? rest.length;
  let text = rest.slice(0, end);
  for (let level = slashes.length + 1; level > 0; level >>= 1) text = decodeJsonText(text);
  return text;
}

interface UnparsedAnswer {
  /** The answer as far as it is quoted; "" = it is not. */
  readonly text: string;
  /** The server's own words. */
  readonly around: string;
}

function findUnparsedAnswer(words: string): UnparsedAnswer | undefined {
  for (const { start, end } of quotations) {
    const found = start.exec(words);
    if (found === null) continue;
    const quoted = readQuotation(words, found.index, found.index + found[0].length);
    const closing = end?.exec(quoted)?.[0] ?? "";
    return { text: quoted.slice(0, quoted.length - closing.length), around: found[0] + closing };
  }
  return brokenCallPattern.test(words) ? { text: "", around: words } : undefined;
}

/**
 * Returns the failure if an error is about an answer that the server's parser could not read; undefined = it is another one. No
 * other rule may read such an error: it contains text of the model.
 */
export function unparsedAnswerFailure(words: string, detail: string): ProviderError | undefined {
  const unparsed = findUnparsedAnswer(words);
  if (unparsed === undefined) return undefined;
  if (isTruncatedCallError(unparsed.around)) return new ProviderError({ code: "output_limit", detail });
  return new ProviderError({ code: "unparsed_answer", detail }, { unparsed: unparsed.text, retryable: true });
}
