/**
 * Signs the user in to servers at an address. The return address of the authorization server is public: it is compared
 * with a state of 128 bit that is valid once, for ten minutes.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import { abortable, timeLimit } from "@/server/base/abort";
import { randomSecret } from "@/server/base/id";
import { type ClientModule, loadClient } from "../client-link";
import { failMcp, failureIn, McpError } from "../failure";
import type { HttpAuthorization } from "../transport/http-target";
import {
  issuerOf,
  joinScopes,
  prepareAuthorization,
  type SignInTarget,
  toClientInformation,
  withoutSlash,
} from "./authorization-request";
import type { CallbackListener } from "./callback-listener";
import { findOauthReach, makeOauthFetch } from "./oauth-fetch";
import { makePendingSignIns, type PendingSignIn, pendingMs } from "./pending-sign-ins";
import { failSignIn, SignInError } from "./sign-in-failure";
import type { SignInSession, StoredSignIns } from "./stored-sign-ins";

/** A token is renewed this long before it expires, ms; a short one after half of its life, not at each request. */
const renewMs = 60_000;
/** After a renewal that failed for now, the stored token is used this long before the next one, ms. */
const renewalPauseMs = 30_000;
/** Time for a renewal, ms. */
const renewalMs = 60_000;
/** Time for the servers to answer at the begin and at the end of a sign-in, ms. */
const requestsMs = 60_000;
const signInPath = "/oauth/callback";

interface SignInsOptions {
  readonly stored: StoredSignIns;
  /** ms epoch */
  now(): number;
  /** Returns the port of this server. */
  port(): number;
  /** Address of the owner's pages, without a final slash. */
  pagesAt(): string;
  /** Listens on another port of this machine for return addresses. */
  readonly listener: CallbackListener;
}

/** `T` = what the caller wants back with the end of a sign-in. */
interface OauthSignIns<T> {
  /** Returns the address that the user opens. */
  begin(target: SignInTarget, subject: T, signal: AbortSignal): Promise<Result<URL>>;
  /** Takes the return address. Null = it is of no sign-in that runs. */
  finish(address: URL, signal: AbortSignal): Promise<{ readonly subject: T; readonly result: Result<void> } | null>;
  /** Null = the user is signed out. */
  session(server: string): Pick<SignInSession, "missingScope"> | null;
  /** Deletes the tokens, and ends the sign-ins that run. */
  signOut(server: string): void;
  authorization(server: string): HttpAuthorization;
}

export function makeOauthSignIns<T>(options: SignInsOptions): OauthSignIns<T> {
  const { stored, now, port, pagesAt, listener } = options;
  const pending = makePendingSignIns<T>(now);
  const renewals = new Map<string, (signal: AbortSignal) => Promise<string | null>>();

  const renewalOf = (server: string) => {
    const existing = renewals.get(server);
    if (existing !== undefined) return existing;
    const renewal = shareWhileRunning((signal) => renewToken(options, server, signal));
    renewals.set(server, renewal);
    return renewal;
  };
  const pausedUntil = new Map<string, number>();
  /** Renews a token that expires; while that fails, the stored one is used until its server refuses it. */
  const renewEarly = async (server: string, access: string, signal: AbortSignal): Promise<string | null> => {
    if (now() < (pausedUntil.get(server) ?? 0)) return access;
    try {
      return await renewalOf(server)(signal);
    } catch {
      signal.throwIfAborted();
      pausedUntil.set(server, now() + renewalPauseMs);
      return stored.session(server)?.access ?? null;
    }
  };

  return {
    async begin(target, subject, signal) {
      const state = randomSecret();
      const cancelled = pending.cancelled(target.url);
      const either = timeLimit(requestsMs, signal, cancelled);
      const chosen = target.oauth?.callbackPort;
      const redirectUrl = (chosen === undefined ? pagesAt() : `http://localhost:${chosen}`) + signInPath;
      const isOwn = chosen === undefined || chosen === port();
      const returnPort = isOwn ? null : await listener.open(chosen, pendingMs);
      if (returnPort === null && !isOwn) return failSignIn({ reason: "sign_in_port", port: chosen });
      try {
        const module = await loadClient();
        const request = await prepareAuthorization(module, target, stored, { redirectUrl, state }, either);
        const { url: server, owner } = target;
        pending.add(state, { subject, server, owner, request, redirectUrl, returnPort, cancelled });
        return ok(request.address);
      } catch (error) {
        returnPort?.release();
        return explainSignIn(error, either);
      }
    },
    async finish(address, signal) {
      const found = pending.take(address.searchParams.get("state") ?? "");
      // Anyone can send addresses here: nothing is kept of a wrong one.
      if (found === null) return null;
      const either = timeLimit(requestsMs, signal, found.cancelled);
      return { subject: found.subject, result: await exchangeCode(options, found, address.searchParams, either) };
    },
    session: stored.session,
    signOut(server) {
      pending.cancel(server);
      stored.saveSession(server, null);
    },
    authorization: (server) => ({
      async token(signal) {
        const session = stored.session(server);
        if (session === null) return null;
        const isOld = session.renewAt !== undefined && session.renewAt <= now();
        return isOld && session.refresh !== null ? renewEarly(server, session.access, signal) : session.access;
      },
      async renew(refused, signal) {
        const access = stored.session(server)?.access ?? null;
        // Another request has renewed it.
        return access !== refused ? access : renewalOf(server)(signal);
      },
      require: (scopes) => requireScopes(stored, server, scopes),
      secrets() {
        const session = stored.session(server);
        return session === null ? [] : [session.access, session.refresh ?? ""].filter((value) => value !== "");
      },
    }),
  };
}

function requireScopes(stored: StoredSignIns, server: string, scopes: string): void {
  const session = stored.session(server);
  if (session === null) return;
  const missingScope = joinScopes(session.missingScope, scopes);
  // A save writes a file.
  if (session.missingScope !== missingScope) stored.saveSession(server, { ...session, missingScope });
}

/** A refresh token is often valid once: requests share the renewal that runs, which none of them ends. */
function shareWhileRunning<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let running: Promise<T> | null = null;
  return (signal) => {
    running ??= work(timeLimit(renewalMs)).finally(() => {
      running = null;
    });
    return abortable(running, signal);
  };
}

async function exchangeCode<T>(
  { stored, now }: SignInsOptions,
  { server, owner, request, redirectUrl }: PendingSignIn<T>,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<Result<void>> {
  const module = await loadClient();
  const { metadata, authorizationServer, client, resource, scope, reach, codeVerifier } = request;
  const issuer = issuerOf(request);
  const code = parameters.get("code");
  const iss = parameters.get("iss") ?? undefined;
  // The code of another authorization server must not be sent to this one, whether it has metadata or not.
  if (iss !== undefined && withoutSlash(iss) !== withoutSlash(issuer)) return failSignIn({ reason: "sign_in_issuer" });
  // The rest of the answer is not shown: anyone can write it.
  if (code === null) return failSignIn({ reason: "sign_in_denied" });
  try {
    const tokens = await module.exchangeAuthorization(authorizationServer, {
      metadata,
      clientInformation: toClientInformation(client),
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
      codeVerifier,
      redirectUri: redirectUrl,
      resource,
      fetchFn: makeOauthFetch(reach, signal),
    });
    signal.throwIfAborted();
    const { clientId, clientSecret } = client;
    const base = { issuer, authorizationServer, clientId, clientSecret, isPrivate: reach === "private", owner };
    stored.saveSession(server, {
      ...base,
      ...(resource === undefined ? {} : { resource }),
      ...(scope === undefined ? {} : { scope }),
      ...toStored(tokens, now()),
    });
    return ok(undefined);
  } catch (error) {
    if (isForgottenClient(module, error)) stored.saveClient(issuer, null);
    return explainSignIn(error, signal);
  }
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
}

const toStored = (
  { access_token: access, refresh_token: refresh, expires_in: seconds }: Tokens,
  now: number,
): Pick<SignInSession, "access" | "refresh" | "renewAt"> => ({
  access,
  refresh: refresh ?? null,
  ...(seconds === undefined ? {} : { renewAt: now + Math.max(seconds * 1_000 - renewMs, seconds * 500) }),
});

/** Returns a new token; null = the user is signed out. Throws McpError when the authorization server cannot be used now. */
async function renewToken(
  { stored, now }: SignInsOptions,
  server: string,
  signal: AbortSignal,
): Promise<string | null> {
  const session = stored.session(server);
  if (session === null || session.refresh === null) {
    stored.saveSession(server, null);
    return null;
  }
  const module = await loadClient();
  const { authorizationServer, issuer, resource, isPrivate, refresh: refreshToken } = session;
  try {
    const reach = await findOauthReach(new URL(server), isPrivate, signal);
    const fetchFn = makeOauthFetch(reach, signal);
    const metadata = await module.discoverAuthorizationServerMetadata(authorizationServer, {
      fetchFn,
      // That of the sign-in is compared.
      skipIssuerValidation: true,
    });
    if (issuerOf({ metadata, authorizationServer }) !== issuer)
      throw new SignInError(failSignIn({ reason: "sign_in_issuer" }).error);
    const clientInformation = toClientInformation(session);
    const options = { metadata, clientInformation, refreshToken, resource, fetchFn };
    const tokens = toStored(await module.refreshAuthorization(authorizationServer, options), now());
    // The user has signed out, or in again, meanwhile.
    if (stored.session(server)?.refresh !== refreshToken) return stored.session(server)?.access ?? null;
    const { renewAt: _past, ...rest } = session;
    stored.saveSession(server, { ...rest, ...tokens });
    return tokens.access;
  } catch (error) {
    if (!(error instanceof module.OAuthError) || isTemporary(module, error)) throw asMcpError(error, issuer);
    if (isForgottenClient(module, error)) stored.saveClient(issuer, null);
    const current = stored.session(server);
    // The user has signed in again meanwhile.
    if (current?.refresh !== refreshToken) return current?.access ?? null;
    stored.saveSession(server, null);
    return null;
  }
}

const isTemporary = ({ OAuthErrorCode }: ClientModule, { code }: { readonly code: string }): boolean =>
  [OAuthErrorCode.ServerError, OAuthErrorCode.TemporarilyUnavailable, OAuthErrorCode.TooManyRequests].some(
    (one) => one === code,
  );

const isForgottenClient = ({ OAuthError, OAuthErrorCode }: ClientModule, error: unknown): boolean =>
  error instanceof OAuthError &&
  [OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient].some((one) => one === error.code);

function asMcpError(error: unknown, issuer: string): unknown {
  if (failureIn(error) !== null || (error instanceof DOMException && error.name === "AbortError")) return error;
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
  return new McpError(failMcp({ reason: "unreachable", host }).error);
}

async function explainSignIn(error: unknown, signal: AbortSignal): Promise<Result<never>> {
  const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
  if (signal.aborted) return fail(isLate ? "timeout" : "aborted");
  if (error instanceof SignInError) return { ok: false, error: error.error };
  const reported = failureIn(error);
  if (reported !== null) return { ok: false, error: reported };
  const { IssuerMismatchError, AuthorizationServerMismatchError, InsecureTokenEndpointError } = await loadClient();
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError)
    return failSignIn({ reason: "sign_in_issuer" });
  if (error instanceof InsecureTokenEndpointError)
    return failSignIn({ reason: "sign_in_address", host: new URL(error.tokenEndpoint).host });
  return failSignIn({ reason: "sign_in_failed" });
}
