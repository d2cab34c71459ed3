/**
 * Requests to the addresses of a sign-in, which a server names: https or this machine, and inside of a private network
 * only if the server is, too. No headers of the user.
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { timeLimit } from "@/server/base/abort";
import { addressScope } from "@/server/base/address-scope";
import { nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import { failMcp, McpError } from "../failure";
import { readLimited, toWebResponse } from "../transport/http-body";
import { isPrivateName } from "../transport/http-target";
import { failSignIn, SignInError } from "./sign-in-failure";

const requestMs = 20_000;
const maxAnswerBytes = 1_000_000;

/** Throws SignInError for an address that may not be used. `mayBePrivate` = the server itself is. */
export function checkOauthAddress(url: URL, mayBePrivate: boolean): void {
  const isLoopback = url.protocol === "http:" && addressScope(url.hostname) === "machine";
  const isSafe = (url.protocol === "https:" || isLoopback) && url.username === "" && url.password === "";
  if (!isSafe || (!mayBePrivate && isPrivateName(url.hostname)))
    throw new SignInError(failSignIn("sign_in_address", { host: url.host }).error);
}

/** Rejects with SignInError, McpError, or the reason of the signal. */
export function makeOauthFetch(mayBePrivate: boolean, signal: AbortSignal): FetchLike {
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
      isRefused = !mayBePrivate && isPrivateName(address);
      return !isRefused;
    };
    const text = typeof body === "string" || body instanceof URLSearchParams ? body.toString() : undefined;
    const either = timeLimit(requestMs, signal);
    try {
      const request = { method: init?.method ?? "GET", headers, body: text, accepts };
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
