/** The variables with which JupyterHub starts the server of one person. */
import { parseJson } from "./parse-json";
import { type PublicAddress, parsePublicUrls } from "./public-address";

export interface HubVariables {
  /** The person for whom the hub started this server. */
  readonly user: string;
  /** Name of this server among those of the person; "" = the default one. */
  readonly server: string;
  /** Address to listen at; null = all addresses of this machine. */
  readonly host: string | null;
  readonly port: number;
  /** The prefix of the pages, and the origins if the hub names them. */
  readonly publicAddress: PublicAddress;
  /** Address of the hub's API, without a final slash. */
  readonly apiUrl: string;
  /** This server's token at the hub. */
  readonly token: string;
  readonly clientId: string;
  /** Page of the hub that signs people in. */
  readonly authorizeUrl: string;
  /** Page of the hub with the person's servers. */
  readonly homeUrl: string;
  /** Address to which the hub sends the browser back, as it has registered it. */
  readonly callbackUrl: string;
  /** The same without the prefix. */
  readonly callbackPath: string;
  /** The folder that the hub names, which is opened; null = none. */
  readonly folder: string | null;
  /** A person needs one of them. */
  readonly scopes: readonly string[];
  readonly activityUrl: string;
  /** Time between two reports of the last activity, ms; 0 = none. */
  readonly activityMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that carry the hub's token: no other program may receive them. */
export const hubTokenVariables = ["JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN", "GOPI_HUB_TOKEN_FD"] as const;

const activityDefaultSeconds = 300;
const activityMaxSeconds = 86_400;

/** A fault in the variables, as a sentence. */
class HubVariableFault extends Error {}

/** Parses the variables. A string is the sentence about what is wrong with them. */
export function parseHubVariables(environment: Environment, token: string): HubVariables | string {
  try {
    return readVariables(environment, token);
  } catch (error) {
    if (error instanceof HubVariableFault) return error.message;
    throw error;
  }
}

function readVariables(environment: Environment, token: string): HubVariables {
  const required = (name: string): string =>
    environment[name] ||
    throwFault(`${name} isn't set, although there is a token of JupyterHub. It needs JupyterHub 2.0 or newer`);
  if (["KEYFILE", "CERTFILE", "CLIENT_CA"].some((part) => (environment[`JUPYTERHUB_SSL_${part}`] ?? "") !== ""))
    throwFault("JupyterHub's internal_ssl isn't supported. Switch it off in jupyterhub_config.py");
  const publicAddress = readPublicAddress(environment, required("JUPYTERHUB_SERVICE_PREFIX"));
  const apiUrl = readUrl("JUPYTERHUB_API_URL", required("JUPYTERHUB_API_URL"));
  const user = required("JUPYTERHUB_USER");
  const callbackUrl = environment.JUPYTERHUB_OAUTH_CALLBACK_URL || `${publicAddress.prefix}/oauth_callback`;
  const activity = environment.JUPYTERHUB_ACTIVITY_URL || `${apiUrl}/users/${encodeURIComponent(user)}/activity`;
  const hubOrigin = environment.JUPYTERHUB_HOST ?? "";
  if (hubOrigin !== "") readUrl("JUPYTERHUB_HOST", hubOrigin);
  const pages = `${withoutSlash(hubOrigin)}${withoutSlash(environment.JUPYTERHUB_BASE_URL || "/")}/hub`;
  return {
    user,
    server: environment.JUPYTERHUB_SERVER_NAME ?? "",
    ...readServiceUrl(required("JUPYTERHUB_SERVICE_URL")),
    publicAddress,
    apiUrl,
    token,
    clientId: required("JUPYTERHUB_CLIENT_ID"),
    authorizeUrl: `${pages}/api/oauth2/authorize`,
    homeUrl: `${pages}/home`,
    callbackUrl,
    callbackPath: readCallbackPath(callbackUrl, publicAddress.prefix),
    folder: environment.JUPYTERHUB_ROOT_DIR?.replace(/^~(?=\/|$)/, environment.HOME ?? "~") || null,
    scopes: readScopes(environment),
    activityUrl: readUrl("JUPYTERHUB_ACTIVITY_URL", activity),
    activityMs: readActivitySeconds(environment.JUPYTERHUB_ACTIVITY_INTERVAL) * 1_000,
  };
}

function throwFault(sentence: string): never {
  throw new HubVariableFault(sentence);
}

const withoutSlash = (text: string): string => text.replace(/\/+$/, "");

/** `http://HOST:PORT/…`: the host may be empty, or `*`, which URL does not parse. */
function readServiceUrl(text: string): Pick<HubVariables, "host" | "port"> {
  const [, scheme = "", host = "", port = ""] =
    /^(https?):\/\/(\[[0-9a-f:.]+\]|[\w.*-]*):(\d{1,5})(?:\/|$)/i.exec(text) ?? [];
  if (scheme === "" || Number(port) < 1 || Number(port) > 65_535)
    throwFault(`JUPYTERHUB_SERVICE_URL=${text} isn't an address with a port, such as http://127.0.0.1:8888/user/name/`);
  if (scheme.toLowerCase() === "https")
    throwFault("JupyterHub's internal_ssl isn't supported. Switch it off in jupyterhub_config.py");
  return {
    host: host === "" || host === "*" || host === "[::]" ? null : host.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port),
  };
}

function readPublicAddress(environment: Environment, prefix: string): PublicAddress {
  const own = parsePublicUrls(`http://localhost${prefix}`);
  if (typeof own === "string" || own.prefix === "" || own.prefix !== withoutSlash(prefix))
    return throwFault(`JUPYTERHUB_SERVICE_PREFIX=${prefix} isn't a path, such as /user/name/`);
  const named = environment.JUPYTERHUB_PUBLIC_URL || null;
  const published = named === null ? { ...own, origins: [] } : parsePublicUrls(named);
  if (typeof published === "string" || published.prefix !== own.prefix)
    return throwFault(`JUPYTERHUB_PUBLIC_URL=${named} isn't an address with the path ${prefix}`);
  return published;
}

function readUrl(name: string, text: string): string {
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return withoutSlash(text);
  return throwFault(`${name}=${text} isn't an http or https address`);
}

function readCallbackPath(callbackUrl: string, prefix: string): string {
  const path = URL.canParse(callbackUrl, "http://localhost") ? new URL(callbackUrl, "http://localhost").pathname : "";
  if (!path.startsWith(`${prefix}/`) || path === `${prefix}/`)
    throwFault(`JUPYTERHUB_OAUTH_CALLBACK_URL=${callbackUrl} isn't below JUPYTERHUB_SERVICE_PREFIX`);
  return path.slice(prefix.length);
}

/** JUPYTERHUB_OAUTH_SCOPES is the name of the variable before JupyterHub 3.0. */
function readScopes(environment: Environment): readonly string[] {
  const text = environment.JUPYTERHUB_OAUTH_ACCESS_SCOPES || environment.JUPYTERHUB_OAUTH_SCOPES || "";
  const scopes = parseJson(text);
  const isList = Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => typeof scope === "string");
  return isList
    ? scopes
    : throwFault("JUPYTERHUB_OAUTH_ACCESS_SCOPES isn't a list of scopes in JSON. It needs JupyterHub 2.0 or newer");
}

function readActivitySeconds(text: string | undefined): number {
  const seconds = text === undefined || text === "" ? activityDefaultSeconds : Number(text);
  if (seconds >= 0 && seconds <= activityMaxSeconds) return seconds;
  return throwFault(`JUPYTERHUB_ACTIVITY_INTERVAL=${text} isn't a number of seconds up to ${activityMaxSeconds}`);
}
