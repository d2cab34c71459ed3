/** Recognizes the error of a server that could not read the model's answer, and finds that answer in it. Pure. */
import type { AgentError } from "@/lib/events/error";
import { ProviderError } from "../provider";
import { isTruncatedCallError, readQuotation } from "./wire-errors";

const quotations: readonly { readonly start: RegExp; readonly end?: RegExp }[] = [
  { start: /failed to parse input at pos \d+:? ?/i },
  { start: /(?:does not|doesn't|did not) match the expected [\w-]+ format[.:]? ?/i },
  { start: /error parsing tool call: raw='/i, end: /',? err=(?!.*',? err=).*$/s },
];

/** An older llama-server that reads the answer otherwise than before: it quotes both, as far as they are text. */
const changedReadingPattern = /^invalid diff: /i;

/** Errors that do not quote the answer; those of Ollama's parsers have no words of their own. A page in place of JSON is none. */
const brokenCallPattern =
  /unexpected tokens remaining in message header|unexpected token \d+ while expecting start token|error parsing tool call|invalid tool call arguments|failed to parse (?:tool|function)[ _]?call|^(?:XML syntax error on line \d+|failed to parse XML|mismatched arg_key and arg_value|invalid character '(?!<' looking for beginning of value).{1,6}' (?:after|looking for|in ))/i;

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
    const text = quoted.slice(0, quoted.length - closing.length);
    // A call without arguments was not cut.
    return { text, around: text === "" ? "" : found[0] + closing };
  }
  if (changedReadingPattern.test(words)) return { text: "", around: "" };
  return brokenCallPattern.test(words) ? { text: "", around: words } : undefined;
}

/**
 * Returns the failure if an error is about an answer that the server's parser could not read; undefined = it is another one. No
 * other rule may read such an error: it contains text of the model.
 */
export function unparsedAnswerFailure(
  words: string,
  { detail, facts }: Pick<AgentError, "detail" | "facts">,
): ProviderError | undefined {
  const unparsed = findUnparsedAnswer(words);
  if (unparsed === undefined) return undefined;
  const described = { ...(detail !== undefined && { detail }), ...(facts !== undefined && { facts }) };
  if (isTruncatedCallError(unparsed.around)) return new ProviderError({ code: "output_limit", ...described });
  return new ProviderError({ code: "unparsed_answer", ...described }, { unparsed: unparsed.text, retryable: true });
}
