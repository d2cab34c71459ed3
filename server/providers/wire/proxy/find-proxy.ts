/**
 * The proxy of the environment for an address: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case. Hosts of this machine and
 * its network are never reached through it.
 */
import { lookup as lookupName } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Result } from "@/lib/events/error";
import { addressScope } from "@/server/base/address-scope";

type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export interface Proxy {
  /** Without credentials. */
  readonly url: URL;
  /** Host and port, for errors. */
  readonly host: string;
  readonly headers: { readonly "Proxy-Authorization"?: string };
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** Null = the address is reached directly. Fails if the address of the proxy is not one of http or https. */
export function findProxy(url: URL, environment: ProxyEnvironment = process.env): Result<Proxy | null, string> {
  const read = (name: string): string => (environment[name.toLowerCase()] ?? environment[name] ?? "").trim();
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const address = read(variable);
  if (address === "" || addressScope(url.hostname) !== "internet" || isExcluded(url, read("NO_PROXY")))
    return { ok: true, value: null };
  const parts = /^(?:([a-z][\w+.-]*):\/\/)?(?:(.*)@)?([^@]+)$/is.exec(address);
  const [, scheme = "http", credentials = "", rest = ""] = parts ?? [];
  const text = `${scheme}://${rest}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  // The text may contain a password.
  if (proxy === null || !/^https?:$/.test(proxy.protocol))
    return { ok: false, error: `the address in ${variable} must begin with http:// or https://, then the host` };
  return {
    ok: true,
    value: { url: new URL(proxy.origin), host: `${proxy.hostname}:${portOf(proxy)}`, headers: keyOf(credentials) },
  };
}

/** The header of `user:password` as it is before the host; the password may contain any character, encoded or not. */
function keyOf(credentials: string): Proxy["headers"] {
  if (credentials === "") return {};
  const [, user = "", password = ""] = /^([^:]*):?(.*)$/s.exec(credentials) ?? [];
  const pair = `${decodeText(user)}:${decodeText(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The entries of `NO_PROXY` are names (with those below them), addresses, ranges of addresses, each with a port or not, and `*`. */
function isExcluded(url: URL, list: string): boolean {
  const host = hostOf(url).toLowerCase();
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const plain = entry.replace(/^\[(.*)\]$/, "$1");
      if (isIP(plain) !== 0) return isInRange(host, plain);
      if (entry.includes("/")) return isInRange(host, entry);
      const [, name = "", port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
      if (isIP(name) !== 0) return port === portOf(url) && isInRange(host, name);
      const suffix = name.replace(/^\*?\.*/, "").replace(/\.$/, "");
      const isPort = port === undefined || port === portOf(url);
      return suffix !== "" && isPort && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)));
    });
}

/** `range` = an address, in any of its spellings, with the number of its first bits that count or not. */
function isInRange(host: string, range: string): boolean {
  const family = isIP(range.split("/")[0] ?? "") === 6 ? "ipv6" : "ipv4";
  const [network = "", bits = family === "ipv6" ? "128" : "32"] = range.split("/");
  if (isIP(host) !== isIP(network) || isIP(host) === 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === "ipv6" ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
}

/** Behind a proxy the names of the internet often have no answer, sometimes after a long time, ms. */
const resolveMs = 2_000;
const isUnresolved = (code = ""): boolean => /^(?:ENOTFOUND|EAI_[A-Z]+)$/.test(code);

/**
 * Resolves the host of an address as the system does, or as `lookup` does. An empty list = it has no answer here. Rejects with
 * any other error of `lookup`.
 */
export function resolveHost(url: URL, lookup: LookupFunction = lookupName): Promise<readonly string[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve([]), resolveMs);
    lookup(host, { all: true }, (error, found) => {
      clearTimeout(timer);
      if (error === null) resolve(typeof found === "string" ? [found] : found.map(({ address }) => address));
      else if (isUnresolved(error.code)) resolve([]);
      else reject(error);
    });
  });
}

/**
 * Whether a proxy may be asked for a host that has no answer here, although its address has to be checked: then no other
 * services of the proxy's network than those of the web can be reached.
 */
export const isUncheckedHostAllowed = (url: URL): boolean =>
  addressScope(url.hostname) === "internet" && isIP(hostOf(url)) === 0 && url.port === "";
