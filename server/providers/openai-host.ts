/** Reads the base address of an OpenAI-compatible server and knows where else it may be. Pure; used by openai and whoever keeps connections. */
import { isIP } from "node:net";
import { fail, ok, type Result } from "@/lib/error";
import type { Preset } from "./presets";

const privateNames = /(?:^|\.)(?:localhost|local|lan|internal|home\.arpa)$/;
const privateIPv4 =
  /^(?:0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const privateIPv6 = /^\[(?:::1\]|f[cd]|fe[89ab])/;

/** The name of a parsed address means this machine or its own network; a name without a dot is one of these. */
function isNearby(name: string): boolean {
  if (isIP(name) === 4) return privateIPv4.test(name);
  if (name.startsWith("[")) return privateIPv6.test(name);
  return !name.includes(".") || privateNames.test(name);
}

/** What people paste along with the base: the path of one call, a query, slashes. */
const trimmedPath = (path: string): string =>
  path.replace(/\/+$/, "").replace(/\/(?:chat\/)?completions$|\/models$/, "");

/**
 * `http(s)://host[:port][/path]` without a final slash. Without a scheme: http for this machine and its network, else https.
 * Fails with `bad_input` and the text when it cannot be an address.
 */
export function parseBaseUrl(text: string): Result<string> {
  const bad = (): Result<string> => fail("bad_input", `not a base URL: ${shownBase(text.trim()).slice(0, 200)}`);
  const plain = text.trim().replace(/^["']+|["']+$/g, "");
  if (plain === "" || /[\s\p{Cc}\\]/u.test(plain)) return bad();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(plain)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return bad();
  try {
    const url = new URL(scheme === undefined ? `http://${plain}` : plain);
    if (scheme === undefined && !isNearby(url.hostname)) url.protocol = "https:";
    // An address to listen on; a client connects to this machine.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
    const credentials = url.username === "" ? "" : `${url.username}${url.password && `:${url.password}`}@`;
    return ok(`${url.protocol}//${credentials}${url.host}${trimmedPath(url.pathname)}`);
  } catch {
    return bad();
  }
}

/** An address as it may be shown: without user, password and query. */
export const shownBase = (base: string): string => base.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1").replace(/[?#].*$/s, "");

/** Prompts stay on this machine or its network: by what the server is and by where it is. */
export function staysLocal(preset: Pick<Preset, "local">, baseUrl: string): boolean {
  const base = parseBaseUrl(baseUrl);
  return preset.local && base.ok && isNearby(new URL(base.value).hostname);
}

/** Where the same host may have its interface, likeliest first; never `base` itself. */
export function otherBases(base: string): readonly string[] {
  const origin = base.replace(/^([a-z]+:\/\/[^/]+).*$/i, "$1");
  const paths = ["/v1", "/api/v1", "/openai/v1", "/v2", "/api/v3", "/v1beta/openai", "/compatible-mode/v1", ""];
  const all = [`${base}/v1`, ...paths.map((path) => `${origin}${path}`)];
  return [...new Set(all)].filter((one) => one !== base);
}
