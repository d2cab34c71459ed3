/** The options and variables that say where a server listens, and who may come in. */
import { resolve } from "node:path";
import type { HubVariables } from "@/server/base/hub-variables";
import { machineAddresses } from "@/server/base/machine-addresses";
import { type PublicAddress, parsePublicUrls, type PublicUrlProblem } from "@/server/base/public-address";
import { localHost, parseHub } from "./hub-arguments";
import { type Environment, type ParsedOptions, printable, UsageError } from "./options";
import { resolveFile } from "./resolve-path";

export interface ListenArguments {
  /** null = the default one or the next free; 0 = any free one. */
  readonly port: number | null;
  /** A loopback address. */
  readonly host: string;
  /** This machine's network addresses to listen on as well; empty without --host. */
  readonly network: readonly string[];
  /** For https; absent = plain http only. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Address at which a proxy publishes this server; absent = the server is at its own addresses only. */
  readonly publicAddress?: PublicAddress;
  /** Absolute path of a Unix socket to listen on as well. */
  readonly socket?: string;
  /** The proxy at the socket signs `name` in, by this header (in lower case). */
  readonly proxyUser?: { readonly header: string; readonly name: string };
  /** The hub that starts this server for one person; absent = none does. */
  readonly hub?: HubVariables;
}

/** Throws UsageError. */
export function parseListenArguments(options: ParsedOptions, environment: Environment, cwd: string): ListenArguments {
  const published = parsePublicAddress(options, environment);
  const hub = parseHub(options, environment, published);
  if (hub !== null) {
    const { port, host, publicAddress } = hub;
    return { hub, port, host: localHost(host), network: [], publicAddress };
  }
  return {
    port: parsePort(options.text("port")),
    ...parseHost(options.text("host")),
    ...parseTls(options, cwd),
    ...published,
    ...parseSocket(options, environment, cwd, published.publicAddress !== undefined),
  };
}

const variables = { "public-url": "GOPI_PUBLIC_URL", socket: "GOPI_SOCKET", "proxy-user": "GOPI_PROXY_USER" } as const;

/** Returns the option, else its variable; null = neither is set. */
const optionOrVariable = (options: ParsedOptions, environment: Environment, name: keyof typeof variables) =>
  options.text(name) ?? (environment[variables[name]] || null);

/** The same as parameters of a service, which has no variables of this shell. */
export function serviceParameters(
  options: ParsedOptions,
  environment: Environment,
  { tls, socket }: ListenArguments,
): readonly string[] {
  const option = (name: "port" | "host" | "public-url" | "proxy-user"): readonly string[] => {
    const isOption = name === "port" || name === "host";
    const text = isOption ? options.text(name) : optionOrVariable(options, environment, name);
    return text === null ? [] : [`--${name}`, text];
  };
  return [
    ...option("port"),
    ...option("host"),
    ...option("public-url"),
    ...(socket === undefined ? [] : ["--socket", socket]),
    ...option("proxy-user"),
    ...(tls === undefined ? [] : ["--tls-cert", tls.cert, "--tls-key", tls.key]),
  ];
}

function parsePort(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError(`--port needs a number up to 65535, but got ${printable(text)}`);
  return Number(text);
}

const loopbackAddresses: ReadonlyMap<string, string> = new Map([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
  ["::1", "::1"],
  ["[::1]", "::1"],
]);

/** Wildcard addresses: all addresses of this machine. */
const wildcardAddresses: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);

function parseHost(text: string | null): Pick<ListenArguments, "host" | "network"> {
  const wanted = (text ?? "127.0.0.1").toLowerCase();
  const loopback = loopbackAddresses.get(wanted);
  if (loopback !== undefined) return { host: loopback, network: [] };
  const machine = machineAddresses();
  const host = "127.0.0.1";
  if (wildcardAddresses.has(wanted)) {
    if (machine.length === 0) throw new UsageError(`--host ${wanted}: this machine isn't on a network`);
    return { host, network: machine };
  }
  const address = wanted.replace(/^\[(.*)\]$/, "$1");
  if (machine.includes(address)) return { host, network: [address] };
  const own = machine.length === 0 ? "It isn't on a network" : `Use ${machine.join(", ")}, or 0.0.0.0 for all of them`;
  throw new UsageError(`--host ${printable(text ?? "")} isn't an address of this machine. ${own}`);
}

function parseTls(options: ParsedOptions, cwd: string): Pick<ListenArguments, "tls"> {
  const [cert, key] = [options.text("tls-cert"), options.text("tls-key")];
  if (cert === null && key === null) return {};
  if (cert === null || key === null) throw new UsageError("--tls-cert and --tls-key are used together");
  return { tls: { cert: resolveFile(cert, cwd), key: resolveFile(key, cwd) } };
}

const publicUrlProblems: Readonly<Record<PublicUrlProblem, string>> = {
  not_an_address: "isn't an http or https address without a user, a query and a fragment",
  different_paths: "has addresses with different paths: all have the same one",
  own_path: "has a path that gopi-web uses itself: choose another one, such as /ide/",
  bad_path: "has a path that proxies read in two ways: use letters, digits and - . _ ~ @",
};

function parsePublicAddress(
  options: ParsedOptions,
  environment: Environment,
): { readonly publicAddress?: PublicAddress } {
  const text = optionOrVariable(options, environment, "public-url");
  if (text === null) return {};
  const publicAddress = parsePublicUrls(text);
  if (typeof publicAddress !== "string") return { publicAddress };
  throw new UsageError(
    `${options.text("public-url") === null ? "GOPI_PUBLIC_URL=" : "--public-url "}${printable(text)} ${publicUrlProblems[publicAddress]}`,
  );
}

/** Bytes of a path that every system accepts for a socket. */
const socketPathMaxBytes = 103;
/** Headers that browsers send, or that proxies do not set to a name. */
const otherHeaders = /^(?:host|cookie|origin|authorization|connection|upgrade|content-.*|sec-.*)$/;

function parseSocket(
  options: ParsedOptions,
  environment: Environment,
  cwd: string,
  isPublished: boolean,
): Pick<ListenArguments, "socket" | "proxyUser"> {
  const named = optionOrVariable(options, environment, "socket");
  const user = optionOrVariable(options, environment, "proxy-user");
  if (user !== null && named === null)
    throw new UsageError("--proxy-user needs --socket PATH: over a port, every program of this machine could send it");
  if (named === null) return {};
  const socket = resolve(cwd, named);
  if (named === "" || Buffer.byteLength(socket) > socketPathMaxBytes)
    throw new UsageError(`--socket needs a path of at most ${socketPathMaxBytes} bytes, but got ${printable(socket)}`);
  if (user === null) return { socket };
  const proxyUser = parseProxyUser(user);
  if (!isPublished)
    throw new UsageError(
      "--proxy-user needs --public-url URL: a page at another name that leads to the proxy must not be signed in",
    );
  return { socket, proxyUser };
}

function parseProxyUser(text: string): NonNullable<ListenArguments["proxyUser"]> {
  const [, header = "", name = ""] = /^([\w-]{1,60})=([!-+\--~](?:[ -+\--~]{0,198}[!-+\--~])?)$/.exec(text) ?? [];
  if (header === "" || otherHeaders.test(header.toLowerCase()))
    throw new UsageError(
      `--proxy-user needs HEADER=NAME, such as X-Forwarded-User=alice: the header of the proxy and the one user who may come in. Got ${printable(text)}`,
    );
  return { header: header.toLowerCase(), name };
}
