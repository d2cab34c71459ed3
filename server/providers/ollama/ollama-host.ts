/** Parses Ollama server addresses in every form Ollama's own client accepts (OLLAMA_HOST, the setting). */
import { isIP } from "node:net";
import { fail, ok, type Result } from "@/lib/events/error";
import { addressScope } from "@/server/base/address-scope";

const defaultPortText = "11434";
const schemePorts = { http: "80", https: "443" } as const;

const isScheme = (text: string): text is keyof typeof schemePorts => text === "http" || text === "https";

/** Strips spaces and quotes left by shells and .env files. */
const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .trim();

/** Splits `host:8080`, with IPv6 in brackets or bare. An invalid port becomes the default one, as in Ollama. */
function splitPort(address: string, defaultPort: string): { readonly name: string; readonly port: string } {
  const bare = address.replace(/^\[|\]$/g, "");
  if (isIP(bare) === 6) return { name: bare, port: defaultPort };
  const match = /^(.*):([^:\]]*)$/.exec(address);
  const name = (match?.[1] ?? address).replace(/^\[(.*)\]$/, "$1");
  const port = match?.[2] ?? defaultPort;
  return {
    name,
    port: /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535 ? String(Number(port)) : defaultPort,
  };
}

/** Replaces 0.0.0.0 and ::, which are listen addresses, by loopback. */
function connectable(name: string): string {
  if (name === "" || name === "0.0.0.0") return "127.0.0.1";
  if (isIP(name) !== 6) return name;
  return /^[0:]+$/.test(name) ? "[::1]" : `[${name}]`;
}

/**
 * Returns `http://host:port/path` without a final slash and always with a port. Empty text is http://127.0.0.1:11434.
 * Fails with `bad_input` and the text when it is not an address.
 */
export function parseOllamaHost(text: string): Result<string> {
  const bad = (): Result<string> => fail("bad_input", `not an address of a model server: ${text.trim().slice(0, 200)}`);
  const plain = unquote(text);
  const cut = plain.indexOf("://");
  const scheme = cut < 0 ? "http" : plain.slice(0, cut).toLowerCase();
  const rest = cut < 0 ? plain : plain.slice(cut + 3);
  if (!isScheme(scheme) || /[\s\p{Cc}\\]/u.test(rest)) return bad();

  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path =
    slash < 0
      ? ""
      : rest
          .slice(slash)
          .replace(/[?#].*$/s, "")
          .replace(/\/+$/, "");
  const at = authority.lastIndexOf("@");
  const { name, port } = splitPort(authority.slice(at + 1), cut < 0 ? defaultPortText : schemePorts[scheme]);
  try {
    const url = new URL(`${scheme}://${authority.slice(0, at + 1)}${connectable(name)}:${port}${path}`);
    return ok(`${url.protocol}//${credentials(url)}${url.hostname}:${port}${url.pathname.replace(/\/+$/, "")}`);
  } catch {
    return bad();
  }
}

function credentials(url: URL): string {
  if (url.username === "" && url.password === "") return "";
  return url.password === "" ? `${url.username}@` : `${url.username}:${url.password}@`;
}

/** The setting, else OLLAMA_HOST, else empty; input of parseOllamaHost. */
export const chosenHost = (setting: string, environment: string | undefined): string =>
  setting.trim() === "" ? (environment ?? "") : setting;

/** A parsed address without user and password, for display. */
export const withoutCredentials = (host: string): string => host.replace(/^(https?:\/\/)[^/]*@/, "$1");

/** Whether the parsed address is this machine, so that its server can be started from here. */
export const isLocalHost = (host: string): boolean => addressScope(new URL(host).hostname) === "machine";
