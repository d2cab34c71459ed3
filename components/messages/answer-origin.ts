/** Names who answered a card, if it was not the owner in the browser. */
import type { Origin } from "@/lib/events/event";

interface AnswerOriginText {
  readonly answeredInTerminal: string;
  readonly answeredBy: (name: string) => string;
}

/** Returns null for the owner in the browser, and for kinds that this version does not have. */
export function describeAnswerOrigin(origin: Origin | undefined, text: AnswerOriginText): string | null {
  if (origin === undefined) return null;
  if ("name" in origin) return text.answeredBy(origin.name);
  return origin.kind === "cli" ? text.answeredInTerminal : null;
}
