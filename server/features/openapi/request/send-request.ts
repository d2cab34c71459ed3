/** Sends the request of a call: to the confirmed host only, with redirects to the same origin, within limits. */
import { addressScope, isPublicAddress } from "@/server/base/address-scope";
import { timeLimit } from "@/server/base/abort";
import {
  type EgressAnswer,
  type EgressFailure,
  makeEgress,
  publicEgressOptions,
} from "@/server/providers/egress/egress";
import type { Result } from "@/lib/events/error";
import type { ApiRequest } from "./build-request";

export type ApiAnswer = Extract<EgressAnswer, { readonly kind: "answer" }>;

export type ApiSendFailure =
  | EgressFailure
  /** The server redirects to another origin, `detail`. */
  | { readonly reason: "redirected"; readonly host: string; readonly detail: string };

/** Rejects only with the signal's reason. */
export type SendApiRequest = (request: ApiRequest, signal: AbortSignal) => Promise<Result<ApiAnswer, ApiSendFailure>>;

export const apiTimeoutMs = 60_000;
const maxBytes = 10_000_000;
const maxRedirects = 3;

/** Private addresses are reached only if the address that the owner confirmed is one by its name. */
const makeEgressFor = (url: URL) =>
  makeEgress({
    ...publicEgressOptions,
    accepts: addressScope(url.hostname) === "internet" ? isPublicAddress : () => true,
  });

export const sendApiRequest: SendApiRequest = async (request, signal) => {
  const limit = timeLimit(apiTimeoutMs, signal);
  const egress = makeEgressFor(request.url);
  let current = request;
  for (let redirects = 0; ; redirects += 1) {
    const { method, url, headers, cookies, body } = current;
    const sent = {
      url,
      method,
      ...(body === null ? {} : { body }),
      headers: { ...headers, ...(cookies.length === 0 ? {} : { Cookie: cookies.join("; ") }) },
      maxBytes,
      timeoutMs: apiTimeoutMs,
      follows: () => false,
    };
    const answer = await egress.send(sent, limit).catch((error: unknown) => {
      signal.throwIfAborted();
      if (limit.aborted) return fail({ reason: "timeout", host: url.host, detail: "" });
      throw error;
    });
    if (!answer.ok) return answer;
    if (answer.value.kind === "answer") return { ok: true, value: answer.value };
    const { to, status } = answer.value;
    if (to.origin !== request.url.origin) return fail({ reason: "redirected", host: url.host, detail: to.origin });
    if (redirects >= maxRedirects) return fail({ reason: "too_many_redirects", host: url.host, detail: "" });
    current = redirect(current, status, to);
  }
};

const fail = (error: ApiSendFailure): { readonly ok: false; readonly error: ApiSendFailure } => ({ ok: false, error });

/** As browsers do it: a POST request becomes GET after 301 and 302, any but HEAD after 303. */
function redirect(request: ApiRequest, status: number, url: URL): ApiRequest {
  const { method } = request;
  const becomesGet = status === 303 ? method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
  if (!becomesGet) return { ...request, url };
  const { "Content-Type": _type, ...headers } = request.headers;
  return { ...request, method: "GET", url, headers, body: null };
}
