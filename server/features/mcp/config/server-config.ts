/** Reads `mcp.json`: the servers in the form that users of other programs have, and every problem with its line. Pure. */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import type { McpEntryFacts, Reasoned } from "@/lib/events/error-reasons";
import { type ConfigInput, readInputs } from "./inputs";
import { type ParsedJson, parseJsonWithComments } from "./json-with-comments";
import { namesReferredIn } from "./references";

export const maxMcpServers = 50;
/** Problems of a list that are reported: a file that is no configuration may have thousands. */
const maxProblems = 100;
const maxNameChars = 64;
const maxPort = 65_535;

interface ServerBase {
  readonly name: string;
  readonly disabled: boolean;
  /** Time without progress of a call, ms; null = the default. */
  readonly timeoutMs: number | null;
  /** Null = all. */
  readonly includeTools: readonly string[] | null;
  readonly excludeTools: readonly string[];
}

interface TextMap {
  readonly [name: string]: string;
}

/** Values are as written: their variables are not expanded. */
export interface StdioServerConfig extends ServerBase {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: TextMap;
  /** Null = the project. */
  readonly cwd: string | null;
  /** File with more variables, in the form of dotenv; absent = none. */
  readonly envFile?: string;
}

export interface McpOauthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly callbackPort?: number;
}

export interface HttpServerConfig extends ServerBase {
  readonly kind: "http";
  readonly url: string;
  /** Null = streamable HTTP, then SSE. */
  readonly transport: "http" | "sse" | null;
  readonly headers: TextMap;
  readonly oauth: McpOauthConfig | null;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;

type McpConfigReason = Reasoned<keyof McpEntryFacts>;

/** Whether the file admits a tool, by its name at the server. */
export const admitsTool = (
  { includeTools, excludeTools }: Pick<McpServerConfig, "includeTools" | "excludeTools">,
  ownName: string,
): boolean => (includeTools?.includes(ownName) ?? true) && !excludeTools.includes(ownName);

export type McpConfigProblem = McpConfigReason & {
  /** From 1. */
  readonly line: number;
};

export interface McpConfig {
  /** In the order of the file; those without a problem. */
  readonly servers: readonly McpServerConfig[];
  readonly problems: readonly McpConfigProblem[];
  readonly inputs: readonly ConfigInput[];
  /** Variables and inputs that entries with a problem refer to; of a text that is not JSON, all in it. */
  readonly faultyNames: ReadonlySet<string>;
}

export const noServers: McpConfig = { servers: [], problems: [], inputs: [], faultyNames: new Set() };

/** Reads the file; "" = no servers. `members` = names of the member that has the servers; the first one that is there. */
export function parseMcpConfig(text: string, members: readonly string[] = ["mcpServers"]): McpConfig {
  if (text.trim() === "") return noServers;
  const parsed = parseJsonWithComments(text);
  if (!parsed.ok)
    return { ...noServers, problems: [{ reason: "syntax", ...parsed.error }], faultyNames: namesReferredIn([text]) };
  const root: JsonObject = isJsonObject(parsed.value) ? parsed.value : {};
  const member = members.find((name) => isJsonObject(root[name]));
  const list = member === undefined ? undefined : root[member];
  if (member === undefined || !isJsonObject(list))
    return { ...noServers, problems: [{ reason: "no_servers", line: 1 }], faultyNames: namesReferredIn([text]) };
  const read = readServers(list, (path) => parsed.lineOf([member, ...path]));
  const repeated = [...findRepeated(parsed, [], [member]), ...findRepeated(parsed, [member], Object.keys(list))];
  const usable = new Set(read.servers.map(({ name }) => name));
  const faulty = Object.entries(list).flatMap(([name, value]) => (usable.has(name) ? [] : [JSON.stringify(value)]));
  return {
    servers: read.servers,
    problems: [...repeated, ...read.problems],
    inputs: readInputs(root.inputs),
    // The content of a repeated member is only in the text.
    faultyNames: namesReferredIn(repeated.length === 0 ? faulty : [text]),
  };
}

/** The members of the object at the path with one of these names that do not count, since another one follows. */
export const findRepeated = (
  parsed: Extract<ParsedJson, { readonly ok: true }>,
  path: readonly string[],
  names: readonly string[],
): readonly McpConfigProblem[] =>
  parsed
    .repeatedIn(path)
    .flatMap(({ name, line }) => (names.includes(name) ? [{ reason: "repeated", name, line }] : []));

/** Reads named servers. `lineOf` gets a path below the list. */
export function readServers(
  list: JsonObject,
  lineOf: (path: readonly string[]) => number,
): Pick<McpConfig, "servers" | "problems"> {
  const servers: McpServerConfig[] = [];
  const problems: McpConfigProblem[] = [];
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(list)) {
    const other = names.get(name.toLowerCase());
    const read: McpServerConfig | McpConfigReason =
      name.trim() === "" || name.length > maxNameChars
        ? { reason: "name", server: name }
        : other !== undefined
          ? { reason: "same_name", server: name, other }
          : servers.length >= maxMcpServers
            ? { reason: "too_many", server: name }
            : readServer(name, value);
    names.set(name.toLowerCase(), name);
    if (!("reason" in read)) servers.push(read);
    else if (problems.length < maxProblems)
      problems.push({ ...read, line: lineOf(read.reason === "field" ? [name, read.field] : [name]) });
  }
  return { servers, problems };
}

class WrongField extends Error {
  constructor(readonly field: string) {
    super(field);
  }
}

/** Reads one server. Members that other programs have and this one does not are ignored. */
function readServer(name: string, value: Json): McpServerConfig | McpConfigReason {
  if (!isJsonObject(value)) return { reason: "target", server: name };
  try {
    return readTarget(name, value);
  } catch (error) {
    if (!(error instanceof WrongField)) throw error;
    return { reason: "field", server: name, field: error.field };
  }
}

function readTarget(name: string, value: JsonObject): McpServerConfig | McpConfigReason {
  const timeout = readNumber(value, "timeout");
  const base: ServerBase = {
    name,
    disabled: readFlag(value, "disabled") || !readFlag(value, "enabled", true),
    // Some programs count it in seconds.
    timeoutMs: timeout === null ? null : timeout < 1_000 ? timeout * 1_000 : timeout,
    includeTools: value.includeTools === undefined ? null : readTexts(value, "includeTools"),
    excludeTools: readTexts(value, "excludeTools"),
  };
  const command = readText(value, "command");
  if (command !== null) {
    const cwd = readText(value, "cwd");
    const envFile = readText(value, "envFile");
    const target = { command, args: readTexts(value, "args"), env: readMap(value, "env"), cwd };
    return { ...base, kind: "stdio", ...target, ...(envFile === null ? {} : { envFile }) };
  }
  const httpUrl = readText(value, "httpUrl");
  const url = httpUrl ?? readText(value, "url") ?? readText(value, "serverUrl");
  if (url === null) return { reason: "target", server: name };
  // A variable may stand for the host.
  if (!/^(?:https?:\/\/|\$)/i.test(url)) return { reason: "address", server: name };
  const type = readText(value, "type");
  const transport = type === "sse" ? "sse" : httpUrl !== null || type?.includes("http") === true ? "http" : null;
  return { ...base, kind: "http", url, transport, headers: readMap(value, "headers"), oauth: readOauth(value.oauth) };
}

function readText(value: JsonObject, field: string): string | null {
  const found = value[field];
  if (found === undefined || found === null || found === "") return null;
  if (typeof found !== "string") throw new WrongField(field);
  return found;
}

function readFlag(value: JsonObject, field: string, absent = false): boolean {
  const found = value[field] ?? absent;
  if (typeof found !== "boolean") throw new WrongField(field);
  return found;
}

function readNumber(value: JsonObject, field: string): number | null {
  const found = value[field] ?? null;
  if (found !== null && !(typeof found === "number" && found > 0)) throw new WrongField(field);
  return found;
}

const toText = (value: Json, field: string): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new WrongField(field);
};

function readTexts(value: JsonObject, field: string): readonly string[] {
  const found = value[field] ?? [];
  if (!Array.isArray(found)) throw new WrongField(field);
  return found.map((one) => toText(one, field));
}

function readMap(value: JsonObject, field: string): TextMap {
  const found = value[field] ?? {};
  if (!isJsonObject(found)) throw new WrongField(field);
  return Object.fromEntries(Object.entries(found).map(([name, one]) => [name, toText(one, field)]));
}

function readOauth(value: Json | undefined): McpOauthConfig | null {
  if (value === undefined || value === null || typeof value === "boolean") return null;
  if (!isJsonObject(value)) throw new WrongField("oauth");
  const { scopes, scope } = value;
  const list = typeof scopes === "string" ? scopes : typeof scope === "string" ? scope : null;
  const clientId = readText(value, "clientId");
  const clientSecret = readText(value, "clientSecret");
  const callbackPort = readNumber(value, "callbackPort");
  if (callbackPort !== null && !(Number.isInteger(callbackPort) && callbackPort <= maxPort))
    throw new WrongField("oauth");
  return {
    ...(clientId === null ? {} : { clientId }),
    ...(clientSecret === null ? {} : { clientSecret }),
    ...(list !== null
      ? { scopes: list.split(/[\s,]+/) }
      : scopes === undefined
        ? {}
        : { scopes: readTexts(value, "scopes") }),
    ...(callbackPort === null ? {} : { callbackPort }),
  };
}
