/** Recognizes refusals of earlier answers in a request: of their reasoning, or of the ids of their calls. Pure. */
import type { AgentError } from "@/lib/events/error";

/** missing, unwanted: the reasoning of an answer; call_ids = ids that do not have nine letters and digits. */
export type HistoryRefusal = NonNullable<NonNullable<AgentError<"server_error">["facts"]>["history"]>;

const nineCharactersPattern =
  /tool[ _-]?call[ _-]?ids?\b.{0,200}?(?:length (?:of )?9\b|9 (?:letters|characters|alphanumeric))/is;
/** A field of a message; `thinking` alone is also a parameter of requests. */
const fieldPattern =
  /reasoning_content|\breasoning\b (?:field )?is missing|(?=.*\b(?:messages?|assistant)\b).*['"`.\]](?:reasoning|thinking)\b/is;
const missingPattern = /missing|required|passed back|must (?:be )?(?:provided|included|present|passed|contain|have)/i;
const unwantedPattern =
  /remove|extra (?:inputs|fields)|not (?:permitted|allowed|supported|accepted)|unsupported|unrecogni[sz]ed|unknown|unexpected|does not exist|invalid/i;

/** Finds it in the text of a refusal; undefined = it is another one. */
export function findHistoryRefusal(words: string): HistoryRefusal | undefined {
  if (nineCharactersPattern.test(words)) return "call_ids";
  if (!fieldPattern.test(words)) return undefined;
  if (missingPattern.test(words) && !/\bremove\b/i.test(words)) return "reasoning_missing";
  return unwantedPattern.test(words) ? "reasoning_unwanted" : undefined;
}
