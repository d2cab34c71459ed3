/** Parses base addresses of OpenAI-compatible servers and lists alternative ones. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { addressScope } from "@/server/base/address-scope";
import type { Preset } from "../presets";

/** Whether the name of a parsed address is this machine or its network. */
const isLocalName = (name: string): boolean => ["machine", "network"].includes(addressScope(name));

/** Removes what users paste along with the base: the path of one call, slashes. */
const trimmedPath = (path: string): string =>
  path.replace(/\/+$/, "").replace(/\/(?:chat\/)?completions$|\/models$/, "");

/**
 * Returns `http(s)://host[:port][/path]` without a final slash. Without a scheme: http for this machine and its
 * network, else https. Fails with `bad_input` and the text when it is not an address.
 */
export function parseBaseUrl(text: string): Result<string> {
  const bad = (): Result<string> =>
    fail("bad_input", `not a base URL: ${baseWithoutCredentials(text.trim()).slice(0, 200)}`);
  const plain = text.trim().replace(/^["']+|["']+$/g, "");
  if (plain === "" || /[\s\p{Cc}\\]/u.test(plain)) return bad();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(plain)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return bad();
  try {
    const url = new URL(scheme === undefined ? `http://${plain}` : plain);
    if (scheme === undefined && !isLocalName(url.hostname)) url.protocol = "https:";
    // A listen address; a client connects to loopback.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
    const credentials = url.username === "" ? "" : `${url.username}${url.password && `:${url.password}`}@`;
    return ok(`${url.protocol}//${credentials}${url.host}${trimmedPath(url.pathname)}`);
  } catch {
    return bad();
  }
}

/** An address without user, password and query, for display. */
export const baseWithoutCredentials = (base: string): string =>
  base.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1").replace(/[?#].*$/s, "");

/** Whether prompts stay on this machine or its network, by the kind of server and its address. */
export function staysLocal(preset: Pick<Preset, "local">, baseUrl: string): boolean {
  const base = parseBaseUrl(baseUrl);
  return preset.local && base.ok && isLocalName(new URL(base.value).hostname);
}

/** Whether an address is not that of this machine alone. */
export function isOnNetwork(baseUrl: string): boolean {
  const base = parseBaseUrl(baseUrl);
  return base.ok && addressScope(new URL(base.value).hostname) !== "machine";
}

/** Other addresses of the interface on the same host, most likely first; never `base` itself. */
export function alternativeBases(base: string): readonly string[] {
  const origin = base.replace(/^([a-z]+:\/\/[^/]+).*$/i, "$1");
  const paths = ["/v1", "/api/v1", "/openai/v1", "/v2", "/api/v3", "/v1beta/openai", "/compatible-mode/v1", ""];
  const all = [`${base}/v1`, ...paths.map((path) => `${origin}${path}`)];
  return [...new Set(all)].filter((one) => one !== base);
}
