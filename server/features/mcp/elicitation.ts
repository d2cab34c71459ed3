/** Questions of a server to the user: what is passed on, and the answer that the server gets. */
import type { Json } from "@/lib/events/content";
import type { ElicitedContent } from "@/lib/tools/elicitation";
import { stripAnsi } from "@/lib/text/ansi";
import { toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { abortable } from "@/server/base/abort";
import { parseJson } from "@/server/base/parse-json";
import type { Clock } from "./clock";
import { isJsonObject } from "./transport/messages";

/** Time for the user to answer, ms. */
export const answerMs = 600_000;
const maxMessageChars = 4_000;

export type ElicitationRequest =
  | {
      readonly mode: "form";
      readonly message: string;
      /** JSON Schema of a flat object: texts, numbers, booleans, choices. */
      readonly schema: Json;
    }
  /** To be opened by a click of the user only; the protocol is http or https. */
  | { readonly mode: "url"; readonly message: string; readonly url: string };

/** decline = the user refused; cancel = no answer was given. */
export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: ElicitedContent }
  | { readonly action: "decline" | "cancel" };

/** Asks the user. The signal fires when the server, or the call, does not need the answer any more. */
export type Elicit = (request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;

/** Parameters of `elicitation/create`, checked by the client. */
interface ElicitationParams {
  readonly mode?: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: string;
}

/** Returns what the user is asked; null = it is refused without asking. */
export function readElicitation(params: ElicitationParams): ElicitationRequest | null {
  const message = toPlainLines(stripAnsi(params.message.slice(0, maxMessageChars)), maxMessageChars);
  if (params.mode !== "url") {
    const schema = parseJson(JSON.stringify(params.requestedSchema ?? null));
    return isJsonObject(schema) ? { mode: "form", message, schema } : null;
  }
  const { url = "" } = params;
  const address = URL.canParse(url) ? new URL(url) : null;
  return address !== null && /^https?:$/.test(address.protocol) ? { mode: "url", message, url: address.href } : null;
}

/** Asks with a time limit. Never rejects: after a failure or the limit the answer is `cancel`. */
export async function elicitWithin(
  elicit: Elicit,
  request: ElicitationRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const limit = new AbortController();
  const cancel = clock.after(answerMs, () => limit.abort());
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await abortable(elicit(request, either), either);
  } catch {
    return { action: "cancel" };
  } finally {
    cancel();
  }
}
