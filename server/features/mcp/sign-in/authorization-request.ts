/** Prepares a sign-in: finds the authorization server, registers this program with it, and returns the address to open. */
import type { AuthorizationServerMetadata, FetchLike } from "@modelcontextprotocol/client";
import { timeLimit } from "@/server/base/abort";
import { type NodeResponse, nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import type { ClientModule } from "../client-link";
import type { McpOauthConfig } from "../config/server-config";
import { failMcp, McpError } from "../failure";
import { toWebResponse } from "../transport/http-body";
import { hostFacts } from "../transport/http-fetch";
import { acceptsPeer, type HttpOptions, isPrivateName, isSafeTarget, shownHost } from "../transport/http-target";
import { checkOauthAddress, findOauthReach, makeOauthFetch, type OauthReach } from "./oauth-fetch";
import { failSignIn, SignInError } from "./sign-in-failure";
import type { RegisteredClient, SignInOwner, StoredSignIns } from "./stored-sign-ins";

export interface SignInTarget extends Pick<HttpOptions, "url" | "headers"> {
  readonly oauth: McpOauthConfig | null;
  readonly owner: SignInOwner;
}

export interface AuthorizationRequest {
  /** To be opened in the browser of the user. */
  readonly address: URL;
  readonly codeVerifier: string;
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly client: RegisteredClient;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
  readonly reach: OauthReach;
}

/** Time for the server to answer the request that it refuses, ms. */
const probeMs = 20_000;
const maxShownChars = 200;

/** Rejects with SignInError, McpError, or the reason of the signal. */
export async function prepareAuthorization(
  module: ClientModule,
  target: SignInTarget,
  stored: StoredSignIns,
  { redirectUrl, state }: { readonly redirectUrl: string; readonly state: string },
  signal: AbortSignal,
): Promise<AuthorizationRequest> {
  const probe = await probeServer(module, target, signal);
  const reach = await findOauthReach(new URL(target.url), probe.isPrivate, signal);
  const fetchFn = makeOauthFetch(reach, signal);
  const { resourceMetadataUrl } = probe;
  // `checkIssuer` accepts more than the client.
  const discovery = { resourceMetadataUrl, fetchFn, skipIssuerMetadataValidation: true };
  const found = await module.discoverOAuthServerInfo(target.url, discovery);
  const { authorizationServerUrl: authorizationServer, authorizationServerMetadata: metadata } = found;
  if (metadata !== undefined) checkIssuer(metadata.issuer, authorizationServer);
  const resource = found.resourceMetadata?.resource;
  const isOfServer =
    resource === undefined ||
    module.checkResourceAllowed({ requestedResource: target.url, configuredResource: resource });
  if (!isOfServer)
    throw new SignInError(failSignIn({ reason: "sign_in_resource", resource: shownAddress(resource) }).error);
  const requested =
    target.oauth?.scopes?.join(" ") ?? probe.scope ?? found.resourceMetadata?.scopes_supported?.join(" ");
  const session = stored.session(target.url);
  const wanted = joinScopes(requested, session?.scope, session?.missingScope);
  const scope = withRefresh(wanted === "" ? undefined : wanted, metadata, target.oauth);
  const client = await findClient(module, target, stored, {
    metadata,
    authorizationServer,
    redirectUrl,
    scope,
    fetchFn,
  });
  const { authorizationUrl: address, codeVerifier } = await module.startAuthorization(authorizationServer, {
    metadata,
    clientInformation: toClientInformation(client),
    redirectUrl,
    scope,
    state,
    resource,
  });
  checkOauthAddress(address, reach);
  return { address, codeVerifier, authorizationServer, metadata, client, resource, scope, reach };
}

/** Returns each scope once, separated by spaces. */
export const joinScopes = (...lists: readonly (string | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => list?.split(" ") ?? []))].filter((scope) => scope !== "").join(" ");

/**
 * Throws SignInError if the metadata are of another authorization server than the one at `expected`. Servers of 2025-03-26
 * have theirs at the origin, and an issuer with a path there.
 */
function checkIssuer(issuer: string, expected: string): void {
  const [named, url] = [URL.canParse(issuer) ? new URL(issuer) : null, new URL(expected)];
  const isSame = withoutSlash(issuer) === withoutSlash(expected);
  if (isSame || (named?.origin === url.origin && url.pathname === "/" && named.username === "")) return;
  const facts = { issuer: shownAddress(issuer), expected: shownAddress(expected) };
  throw new SignInError(failSignIn({ reason: "sign_in_issuer", ...facts }).error);
}

/** An issuer without metadata is known by its address, which ends with a slash. */
export const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** Origin and path; the rest of an address may contain keys. */
const shownAddress = (address: string): string => {
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: "", pathname: shownHost(address) };
  return `${origin}${pathname}`.slice(0, maxShownChars);
};

export const issuerOf = ({
  metadata,
  authorizationServer,
}: Pick<AuthorizationRequest, "metadata" | "authorizationServer">): string => metadata?.issuer ?? authorizationServer;

export const toClientInformation = ({
  clientId,
  clientSecret,
}: Pick<RegisteredClient, "clientId" | "clientSecret">) => ({
  client_id: clientId,
  ...(clientSecret === null ? {} : { client_secret: clientSecret }),
});

/** Without this scope some servers give no token that renews the other one. */
function withRefresh(
  scope: string | undefined,
  metadata: AuthorizationServerMetadata | undefined,
  oauth: McpOauthConfig | null,
): string | undefined {
  if (scope === undefined || oauth?.scopes !== undefined) return scope;
  const isOffered = metadata?.scopes_supported?.includes("offline_access") === true;
  return isOffered && !scope.split(" ").includes("offline_access") ? `${scope} offline_access` : scope;
}

interface ClientOptions extends Pick<AuthorizationRequest, "metadata" | "authorizationServer"> {
  readonly redirectUrl: string;
  readonly scope: string | undefined;
  readonly fetchFn: FetchLike;
}

/** The client of the configuration, the one that is registered, or a new one. */
async function findClient(
  { registerClient, RegistrationRejectedError }: ClientModule,
  { oauth }: SignInTarget,
  stored: StoredSignIns,
  options: ClientOptions,
): Promise<RegisteredClient> {
  const { metadata, authorizationServer, redirectUrl, scope, fetchFn } = options;
  const configured = oauth?.clientId;
  if (configured !== undefined) return { clientId: configured, clientSecret: oauth?.clientSecret ?? null, redirectUrl };
  const issuer = issuerOf(options);
  const registered = stored.client(issuer, redirectUrl);
  if (registered !== null) return registered;
  if (metadata !== undefined && metadata.registration_endpoint === undefined)
    throw new SignInError(failSignIn({ reason: "sign_in_unsupported" }).error);
  const clientMetadata = {
    client_name: "gopi-web",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  };
  try {
    const answer = await registerClient(authorizationServer, { metadata, clientMetadata, scope, fetchFn });
    const client = { clientId: answer.client_id, clientSecret: answer.client_secret ?? null, redirectUrl };
    stored.saveClient(issuer, client);
    return client;
  } catch (error) {
    if (!(error instanceof RegistrationRejectedError)) throw error;
    throw new SignInError(failSignIn({ reason: "sign_in_unsupported" }).error);
  }
}

interface Probe {
  readonly resourceMetadataUrl: URL | undefined;
  readonly scope: string | undefined;
  readonly isPrivate: boolean;
}

/** Sends requests that the server refuses, and reads from its answer where the user signs in. */
async function probeServer(
  { extractWWWAuthenticateParams }: ClientModule,
  { url: text, headers }: SignInTarget,
  signal: AbortSignal,
): Promise<Probe> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isSafeTarget(url))
    throw new McpError(failMcp({ reason: "insecure", host: shownHost(text) }).error);
  let isPrivate = isPrivateName(url.hostname);
  const accepts = (address: string): boolean => {
    isPrivate ||= isPrivateName(address);
    return acceptsPeer(url)(address);
  };
  const accept = { Accept: "application/json, text/event-stream" };
  const request = { jsonrpc: "2.0", id: "sign-in", method: "ping" };
  const either = timeLimit(probeMs, signal);
  const attempts = [
    {
      method: "POST",
      headers: { ...headers, ...accept, "Content-Type": "application/json" },
      body: JSON.stringify(request),
    },
    { method: "GET", headers: { ...headers, ...accept } },
  ];
  for (const attempt of attempts) {
    let answer: NodeResponse;
    try {
      answer = await nodeFetch(url.href, { ...attempt, accepts }, either);
    } catch (error) {
      if (signal.aborted || !(error instanceof SocketError || either.aborted)) throw error;
      throw new McpError(failMcp({ reason: "unreachable", ...hostFacts(url, error) }).error);
    }
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(toWebResponse(answer, null, 401));
    if (answer.status === 401) return { resourceMetadataUrl, scope, isPrivate };
  }
  return { resourceMetadataUrl: undefined, scope: undefined, isPrivate };
}
