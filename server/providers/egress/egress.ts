/**
 * Requests to addresses that a model, a page or a search engine chose: every name is resolved here, every address it
 * has is checked, the connection goes to a checked address (through a proxy: to the name), and every redirect is judged like a first request. Nothing
 * is sent that identifies the user: no cookies, no credentials.
 */
import { lookup as lookupName } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { type Result, thrownText } from "@/lib/events/error";
import { abortable, timeLimit } from "@/server/base/abort";
import { isPublicAddress } from "@/server/base/address-scope";
import { type NodeResponse, nodeFetch } from "@/server/providers/wire/node-fetch";
import { findProxy, isUncheckedHostAllowed } from "@/server/providers/wire/proxy/find-proxy";
import { readUnpacked } from "./read-unpacked";

export interface EgressRequest {
  readonly url: URL;
  /** Absent = GET, or POST with a body. */
  readonly method?: string;
  /** A request with a body follows no redirect. */
  readonly body?: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Most unpacked bytes that are read; a longer answer is cut. */
  readonly maxBytes: number;
  /** Limit for the whole request, redirects included. */
  readonly timeoutMs: number;
  /** Whether a redirect to this address may be followed; the headers of the request are not sent to another origin. */
  follows(url: URL): boolean;
}

export type EgressAnswer =
  | {
      readonly kind: "answer";
      /** After redirects. */
      readonly url: URL;
      readonly status: number;
      header(name: string): string | undefined;
      readonly bytes: Buffer;
      /** The answer is longer than `maxBytes`. */
      readonly isCut: boolean;
    }
  /** The server redirects to an address that may not be followed. */
  | { readonly kind: "redirect"; readonly status: number; readonly to: URL };

/**
 * not_http = another scheme, or credentials in the address; not_public = the host, or one of its addresses, is not public;
 * bad_answer = not HTTP, a broken or unsupported packing, a redirect without a valid address.
 */
export interface EgressFailure {
  readonly reason:
    | "not_http"
    | "not_public"
    | "unresolved"
    | "unreachable"
    | "timeout"
    | "too_many_redirects"
    | "bad_answer";
  readonly host: string;
  /** The address that is not public, or the message of the component that failed. */
  readonly detail: string;
}

export interface EgressOptions {
  /** Returns the addresses of a name; rejects if it has none. */
  resolve(name: string): Promise<readonly string[]>;
  /** Whether a connection to this address is allowed. */
  accepts(address: string): boolean;
}

export interface Egress {
  /** Rejects only with the signal's reason. */
  send(request: EgressRequest, signal: AbortSignal): Promise<Result<EgressAnswer, EgressFailure>>;
}

const maxRedirects = 5;
const maxHeaderBytes = 16_384;
/** Pages differ by what they believe to be talking to; a plain name gets plain pages. */
const userAgent = "Mozilla/5.0 (compatible; gopi-web)";

/** Public hosts only, resolved as the system does it. */
export const publicEgressOptions: EgressOptions = {
  resolve: async (name) => (await lookupName(name, { all: true })).map(({ address }) => address),
  accepts: isPublicAddress,
};

class EgressError extends Error {
  override readonly name = "EgressError";
  constructor(readonly failure: EgressFailure) {
    super(failure.detail);
  }
}

const failure = (reason: EgressFailure["reason"], { host }: URL, detail: string): EgressError =>
  new EgressError({ reason, host, detail });

export function makeEgress(options: EgressOptions): Egress {
  return {
    async send(request, signal) {
      const limit = timeLimit(request.timeoutMs, signal);
      let { url } = request;
      try {
        for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
          const hop = await sendOnce(options, request, url, limit);
          if (hop.kind === "answer") return { ok: true, value: hop };
          if (request.body !== undefined || !request.follows(hop.to)) return { ok: true, value: hop };
          url = hop.to;
        }
        throw failure("too_many_redirects", url, `more than ${maxRedirects} redirects`);
      } catch (error) {
        signal.throwIfAborted();
        if (limit.aborted) return failed(failure("timeout", url, `no answer within ${request.timeoutMs} ms`));
        return failed(error instanceof EgressError ? error : failure("unreachable", url, thrownText(error)));
      }
    },
  };
}

const failed = ({ failure: error }: EgressError): Result<never, EgressFailure> => ({ ok: false, error });

async function sendOnce(
  options: EgressOptions,
  request: EgressRequest,
  url: URL,
  signal: AbortSignal,
): Promise<EgressAnswer> {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw failure("not_http", url, url.protocol);
  if (url.username !== "" || url.password !== "") throw failure("not_http", url, "credentials in the address");
  const addresses = await checkedAddresses(options, url, signal);
  const isSameOrigin = url.origin === request.url.origin;
  const response = await nodeFetch(
    url.href,
    {
      method: request.method ?? (request.body === undefined ? "GET" : "POST"),
      headers: {
        "User-Agent": userAgent,
        "Accept-Encoding": "gzip, deflate, br",
        ...(isSameOrigin ? request.headers : { Accept: request.headers.Accept ?? "*/*" }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      lookup: makeLookup(addresses),
      // An address in place of a name is connected to without a lookup.
      accepts: (address) => options.accepts(address),
      maxHeaderBytes,
    },
    signal,
  );
  try {
    const to = readRedirect(response, url);
    if (to !== null) return { kind: "redirect", status: response.status, to };
    const read = await readUnpacked(response, request.maxBytes, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw failure("bad_answer", url, thrownText(error));
    });
    return { kind: "answer", url, status: response.status, header: (name) => response.header(name), ...read };
  } finally {
    response.destroy();
  }
}

/** Resolves the host. All of its addresses must be allowed: a name with a private one beside is not a public host. */
async function checkedAddresses(
  { resolve, accepts }: EgressOptions,
  url: URL,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = isIP(name) !== 0;
  const addresses = isAddress
    ? [name]
    : await abortable(resolve(name), signal).catch((error: unknown) => {
        signal.throwIfAborted();
        // The proxy resolves it; the name itself is checked.
        if (isProxied(url)) return [];
        throw failure("unresolved", url, thrownText(error));
      });
  const refused = addresses.find((address) => !accepts(address));
  if (refused !== undefined) throw failure("not_public", url, refused);
  if (addresses.length === 0 && !isProxied(url)) throw failure("unresolved", url, "the name has no address");
  return addresses;
}

function isProxied(url: URL): boolean {
  const proxy = findProxy(url);
  return proxy.ok && proxy.value !== null && isUncheckedHostAllowed(url);
}

/** Gives the connection the addresses that were checked, so that the name is not resolved a second time. */
function makeLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = all;
  return (_name, { all: wantsAll }, callback) => {
    if (wantsAll === true) callback(null, all);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
}

/** null = no redirect. */
function readRedirect(response: NodeResponse, url: URL): URL | null {
  const { status } = response;
  const location = response.header("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  if (!URL.canParse(location, url)) throw failure("bad_answer", url, "a redirect without a valid address");
  return new URL(location, url);
}
