/**
 * Requests to the addresses of a sign-in, which a server names: https or this machine, and to hosts that are not public
 * only if the server is not, either. No headers of the user.
 */
import { lookup as lookupName } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { abortable, timeLimit } from "@/server/base/abort";
import { addressScope, isProxyAddress, isPublicAddress } from "@/server/base/address-scope";
import { nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import { failMcp, McpError } from "../failure";
import { readLimited, toWebResponse } from "../transport/http-body";
import { hostFacts } from "../transport/http-fetch";
import { failSignIn, SignInError } from "./sign-in-failure";

const requestMs = 20_000;
const maxAnswerBytes = 1_000_000;

/**
 * Hosts that a sign-in may reach: public ones; public ones whose names a proxy resolves to addresses that it made up; any,
 * because the server is in a private network.
 */
export type OauthReach = "internet" | "proxy" | "private";

/**
 * The reach of a sign-in to this server, which the user confirmed. It is looked up each time, because a proxy can be
 * switched on and off. Rejects with the reason of the signal.
 */
export async function findOauthReach(
  server: URL,
  isPrivate: boolean,
  signal: AbortSignal,
  lookup: LookupFunction = lookupName,
): Promise<OauthReach> {
  if (isPrivate) return "private";
  // An address in place of a name is not from a proxy.
  if (isIP(server.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) return "internet";
  const found = new Promise<readonly string[]>((resolve) =>
    lookup(server.hostname, { all: true }, (error, addresses) => resolve(error === null ? toAddresses(addresses) : [])),
  );
  const addresses = await abortable(found, signal);
  return addresses.length > 0 && addresses.every(isProxyAddress) ? "proxy" : "internet";
}

/** Throws SignInError for an address that may not be used. */
export function checkOauthAddress(url: URL, reach: OauthReach): void {
  const isLoopback = url.protocol === "http:" && addressScope(url.hostname) === "machine";
  const isSafe = (url.protocol === "https:" || isLoopback) && url.username === "" && url.password === "";
  if (!isSafe || (reach !== "private" && addressScope(url.hostname) !== "internet"))
    throw new SignInError(failSignIn({ reason: "sign_in_address", host: url.host }).error);
}

const isInReach = (address: string, reach: OauthReach): boolean =>
  reach === "private" || isPublicAddress(address) || (reach === "proxy" && isProxyAddress(address));

/** Rejects with SignInError, McpError, or the reason of the signal. `lookup` resolves names. */
export function makeOauthFetch(reach: OauthReach, signal: AbortSignal, lookup: LookupFunction = lookupName): FetchLike {
  return async (input, init) => {
    const url = new URL(String(input));
    checkOauthAddress(url, reach);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const { body } = init ?? {};
    let isRefused = false;
    const accepts = (address: string): boolean => {
      isRefused = !isInReach(address, reach);
      return !isRefused;
    };
    const text = typeof body === "string" || body instanceof URLSearchParams ? body.toString() : undefined;
    const either = timeLimit(requestMs, signal);
    try {
      const request = {
        method: init?.method ?? "GET",
        headers,
        body: text,
        accepts,
        lookup: checkAddresses(lookup, accepts),
      };
      const answer = await nodeFetch(url.href, request, either);
      const read = await readLimited(answer, maxAnswerBytes, "fail");
      return toWebResponse(answer, read);
    } catch (error) {
      if (isRefused) throw new SignInError(failSignIn({ reason: "sign_in_address", host: url.host }).error);
      if (signal.aborted || !(error instanceof SocketError || either.aborted)) throw error;
      throw new McpError(failMcp({ reason: "unreachable", ...hostFacts(url, error) }).error);
    }
  };
}

const toAddresses = (found: Parameters<Parameters<LookupFunction>[2]>[1] | undefined): readonly string[] =>
  typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);

/** Nothing is connected to before all addresses of the name are accepted. */
const checkAddresses =
  (lookup: LookupFunction, accepts: (address: string) => boolean): LookupFunction =>
  (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      if (error === null && !toAddresses(found).every(accepts))
        callback(new Error(`${name} is not accepted`), found, family);
      else callback(error, found, family);
    });
