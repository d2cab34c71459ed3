/** Questions of a server to the user: what is passed on, and the answer that the server gets. */
import { runSteps, type Steps } from "@/lib/async/steps";
import type { RequiredAddress } from "@/lib/events/error-reasons";
import { isJsonObject, type Json } from "@/lib/events/content";
import type { ElicitedContent } from "@/lib/tools/elicitation";
import { stripAnsi } from "@/lib/text/ansi";
import { toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { abortable } from "@/server/base/abort";
import { parseJson } from "@/server/base/parse-json";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import type { Clock } from "./call-limit";
import { makeServerMask, maskDefinition } from "./mask-content";

/** Time for the user to answer, ms. */
export const answerMs = 600_000;
const maxMessageChars = 4_000;
/** A call that needs more is refused. */
const maxAddresses = 5;
const maxIdChars = 200;

export type ElicitationRequest =
  | {
      readonly mode: "form";
      readonly message: string;
      /** JSON Schema of a flat object: texts, numbers, booleans, choices. */
      readonly schema: Json;
    }
  /** To be opened by a click of the user only; the protocol is http or https. */
  | {
      readonly mode: "url";
      readonly message: string;
      readonly url: string;
      /** Id of an address that a call needs, by which the server may report its end: opening the address does not finish it. */
      readonly elicitationId?: string;
    };

/** decline = the user refused; cancel = no answer was given. */
export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: ElicitedContent }
  | { readonly action: "decline" | "cancel" };

/** An answer within the time; unanswered = there was none. */
export type TimedAnswer = ElicitationAnswer | { readonly action: "unanswered" };

/** Reason of the signal of a question whose time is over. */
const timeIsOver = new Error("the user did not answer in time");

/** Whether the signal of a question fired because its time is over. */
export const isUnanswered = ({ reason }: AbortSignal): boolean => reason === timeIsOver;

/** Asks the user. The signal fires when the server, or the call, does not need the answer any more. */
export type Elicit = (request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;

/** Parameters of `elicitation/create`, checked by the client. */
interface ElicitationParams {
  readonly mode?: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: string;
}

const unmasked = makeServerMask([]);

/** Returns what the user is asked, with its texts masked and its values as they are; null = it is refused without asking. */
export function* readElicitation(
  params: ElicitationParams,
  mask: SecretMask = unmasked,
): Steps<ElicitationRequest | null> {
  const message = yield* mask(toPlainLines(stripAnsi(params.message.slice(0, maxMessageChars)), maxMessageChars));
  if (params.mode !== "url") {
    const schema = parseJson(JSON.stringify(params.requestedSchema ?? null));
    return isJsonObject(schema) ? { mode: "form", message, schema: yield* maskDefinition(schema, mask) } : null;
  }
  const { url = "" } = params;
  const address = URL.canParse(url) ? new URL(url) : null;
  return address !== null && /^https?:$/.test(address.protocol) ? { mode: "url", message, url: address.href } : null;
}

/**
 * Reads the addresses that an error -32042 names, in the form of the protocol, which is also the form of the result. [] =
 * one of them cannot be shown, or they are too many.
 */
export function readRequiredAddresses(elicitations: unknown, mask: SecretMask = unmasked): readonly RequiredAddress[] {
  if (!Array.isArray(elicitations) || elicitations.length > maxAddresses) return [];
  const addresses = elicitations.flatMap((value: unknown): readonly RequiredAddress[] => {
    const one = parseJson(JSON.stringify(value ?? null));
    if (!isJsonObject(one) || typeof one.url !== "string") return [];
    const { message = "", url, elicitationId = "" } = one;
    const params = { mode: "url", url, message: typeof message === "string" ? message : "" };
    const read = runSteps(readElicitation(params, mask));
    const isId = typeof elicitationId === "string" && elicitationId.length <= maxIdChars;
    return read?.mode === "url" && isId ? [{ ...read, elicitationId }] : [];
  });
  return addresses.length === elicitations.length ? addresses : [];
}

/** Asks with a time limit. Never rejects: when the signal fires, or after a failure, the answer is `cancel`. */
export async function elicitWithin(
  elicit: Elicit,
  request: ElicitationRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<TimedAnswer> {
  const limit = new AbortController();
  const cancel = clock.after(answerMs, () => limit.abort(timeIsOver));
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await abortable(elicit(request, either), either);
  } catch {
    return { action: limit.signal.aborted ? "unanswered" : "cancel" };
  } finally {
    cancel();
  }
}
