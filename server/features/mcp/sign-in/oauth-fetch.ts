/**
 * Requests to the addresses of a sign-in, which a server names: https or this machine, and to hosts that are not public (R32)
 * only if the server is not, either. No headers of the user.
 */
import { lookup as lookupName } from "node:dns";
import type { LookupFunction } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { timeLimit } from "@/server/base/abort";
import { addressScope, isPublicAddress } from "@/server/base/address-scope";
import { nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import { failMcp, McpError } from "../failure";
import { readLimited, toWebResponse } from "../transport/http-body";
import { failSignIn, SignInError } from "./sign-in-failure";

const requestMs = 20_000;
const maxAnswerBytes = 1_000_000;

/** Throws SignInError for an address that may not be used. `mayBePrivate` = the server itself is. */
export function checkOauthAddress(url: URL, mayBePrivate: boolean): void {
  const isLoopback = url.protocol === "http:" && addressScope(url.hostname) === "machine";
  const isSafe = (url.protocol === "https:" || isLoopback) && url.username === "" && url.password === "";
  if (!isSafe || (!mayBePrivate && addressScope(url.hostname) !== "internet"))
    throw new SignInError(failSignIn("sign_in_address", { host: url.host }).error);
}

/** Rejects with SignInError, McpError, or the reason of the signal. `lookup` resolves names. */
export function makeOauthFetch(
  mayBePrivate: boolean,
  signal: AbortSignal,
  lookup: LookupFunction = lookupName,
): FetchLike {
  return async (input, init) => {
    const url = new URL(String(input));
    checkOauthAddress(url, mayBePrivate);
    const headers: Record<string, string> = {};
    new Headers(init?.headers).forEach((value, name) => {
      headers[name] = value;
    });
    const { body } = init ?? {};
    let isRefused = false;
    const accepts = (address: string): boolean => {
      isRefused = !mayBePrivate && !isPublicAddress(address);
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
      if (isRefused) throw new SignInError(failSignIn("sign_in_address", { host: url.host }).error);
      if (signal.aborted || !(error instanceof SocketError || either.aborted)) throw error;
      throw new McpError(failMcp({ reason: "unreachable", host: url.host }).error);
    }
  };
}

/** Nothing is connected to before all addresses of the name are accepted. */
const checkAddresses =
  (lookup: LookupFunction, accepts: (address: string) => boolean): LookupFunction =>
  (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      if (error === null && !addresses.every(accepts)) callback(new Error(`${name} is not accepted`), found, family);
      else callback(error, found, family);
    });
