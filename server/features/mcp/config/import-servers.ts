/**
 * Reads servers from the files of other programs, and from pasted JSON or command lines: a list to choose from.
 * Nothing is started. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { type JsonSyntaxError, type ParsedJson, parseJsonWithComments } from "./json-with-comments";
import { type ConfigInput, readInputs } from "./inputs";
import { findLiteralSecrets, type LiteralSecret } from "./literal-secrets";
import { parsePastedCommands } from "./paste-command";
import { findUnpinnedPackage, type UnpinnedPackage } from "./pinned-package";
import { findRepeated, maxMcpServers, type McpConfigProblem, type McpServerConfig, readServers } from "./server-config";

/** mcp-servers = the common form of Claude Desktop, Cursor, Windsurf and others, and a bare server or list of them. */
type McpImportFormat = "mcp-servers" | "claude-code" | "vscode" | "gemini" | "opencode-1" | "opencode-2";

/** trusted = the file allows its tools without a question, which is ignored. */
type ImportNote = "trusted";

export interface ImportCandidate {
  readonly server: McpServerConfig;
  /** Folder for which the file configures it; null = everywhere. */
  readonly folder: string | null;
  readonly notes: readonly ImportNote[];
  /** Secrets written in the file, which move to the key file (`moveSecrets`). */
  readonly secrets: readonly LiteralSecret[];
  /** It downloads the newest version at each start; null = it does not. */
  readonly unpinned: UnpinnedPackage | null;
}

type McpImport =
  | {
      readonly ok: true;
      readonly format: McpImportFormat;
      readonly candidates: readonly ImportCandidate[];
      readonly inputs: readonly ConfigInput[];
      readonly problems: readonly McpConfigProblem[];
    }
  | { readonly ok: false; readonly error: JsonSyntaxError };

interface ServerList {
  readonly servers: JsonObject;
  /** Path of the list in the file. */
  readonly path: readonly string[];
  readonly folder: string | null;
}

export function readMcpImport(text: string): McpImport {
  const parsed = parsePasted(text);
  if (!parsed.ok) return parsed;
  const { format, lists, inputs } = findLists(parsed.value);
  const candidates: ImportCandidate[] = [];
  const problems: McpConfigProblem[] = [];
  for (const { servers, path, folder } of lists) {
    const adapted = adaptServers(format, servers);
    const read = readServers(adapted, (below) => parsed.lineOf([...path, ...below]));
    if (path.length > 0) problems.push(...findRepeated(parsed, path.slice(0, -1), path.slice(-1)));
    problems.push(...findRepeated(parsed, path, Object.keys(servers)), ...read.problems);
    for (const server of read.servers) candidates.push(makeCandidate(server, servers[server.name] ?? null, folder));
  }
  return { ok: true, format, candidates: candidates.slice(0, maxMcpServers), inputs, problems };
}

function makeCandidate(server: McpServerConfig, source: Json, folder: string | null): ImportCandidate {
  const members = isJsonObject(source) ? source : {};
  const notes: readonly (readonly [ImportNote, boolean])[] = [
    ["trusted", members.trust === true || (Array.isArray(members.alwaysAllow) && members.alwaysAllow.length > 0)],
  ];
  return {
    server,
    folder,
    notes: notes.flatMap(([note, applies]) => (applies ? [note] : [])),
    secrets: findLiteralSecrets(server),
    unpinned: server.kind === "stdio" ? findUnpinnedPackage(server) : null,
  };
}

/** Returns what `readMcpImport` reads of a file; histories and settings of the program are left out. */
export function selectImported(value: Json): Json {
  if (!isJsonObject(value) || isTarget(value)) return value;
  const { projects, ...members } = value;
  const read = ["mcpServers", "mcp", "servers", "inputs"];
  const part = Object.entries(members).filter(([name, member]) => read.includes(name) || isTarget(member));
  if (!isJsonObject(projects)) return Object.fromEntries(part);
  const withServers = Object.entries(projects).flatMap(([folder, project]): [string, Json][] =>
    isJsonObject(project) && isJsonObject(project.mcpServers) ? [[folder, { mcpServers: project.mcpServers }]] : [],
  );
  return Object.fromEntries([...part, ["projects", Object.fromEntries(withServers)]]);
}

/** Documentation often shows a member without the braces around it, `"github": {…}`, or a command line. */
function parsePasted(text: string): ParsedJson {
  const parsed = parseJsonWithComments(text);
  if (parsed.ok || /^\s*[{[]/.test(text)) return parsed;
  if (!/^\s*"/.test(text)) {
    const commands = parsePastedCommands(text);
    if (commands === null) return parsed;
    const mcpServers: { [name: string]: JsonObject } = {};
    for (const { name, server } of commands) mcpServers[freeName(name ?? guessName(server), mcpServers)] = server;
    return { ok: true, value: { mcpServers }, lineOf: () => 1, repeatedIn: () => [] };
  }
  const wrapped = parseJsonWithComments(`{${text}}`);
  return wrapped.ok ? wrapped : parsed;
}

/** The name, with a number if another command has it. */
function freeName(name: string, taken: JsonObject): string {
  let free = name;
  for (let number = 2; Object.hasOwn(taken, free); number += 1) free = `${name}-${number}`;
  return free;
}

interface FoundLists {
  readonly format: McpImportFormat;
  readonly lists: readonly ServerList[];
  readonly inputs: readonly ConfigInput[];
}

function findLists(value: Json): FoundLists {
  const root: JsonObject = isJsonObject(value) ? value : {};
  const list = (servers: Json | undefined, path: readonly string[], folder: string | null = null) =>
    isJsonObject(servers) ? [{ servers, path, folder }] : [];
  const { mcpServers, mcp, servers, projects } = root;
  if (isJsonObject(projects)) {
    const own = Object.entries(projects).flatMap(([folder, project]) =>
      isJsonObject(project) ? list(project.mcpServers, ["projects", folder, "mcpServers"], folder) : [],
    );
    return { format: "claude-code", lists: [...list(mcpServers, ["mcpServers"]), ...own], inputs: [] };
  }
  if (isJsonObject(mcpServers)) {
    const isGemini = Object.values(mcpServers).some((one) => isJsonObject(one) && ("httpUrl" in one || "trust" in one));
    return { format: isGemini ? "gemini" : "mcp-servers", lists: list(mcpServers, ["mcpServers"]), inputs: [] };
  }
  if (isJsonObject(servers))
    return { format: "vscode", lists: list(servers, ["servers"]), inputs: readInputs(root.inputs) };
  if (isJsonObject(mcp) && isJsonObject(mcp.servers)) {
    const isOpencode = Object.values(mcp.servers).some(isOpencodeServer);
    const format = isOpencode ? "opencode-2" : "vscode";
    return { format, lists: list(mcp.servers, ["mcp", "servers"]), inputs: readInputs(mcp.inputs) };
  }
  if (isJsonObject(mcp)) return { format: "opencode-1", lists: list(mcp, ["mcp"]), inputs: [] };
  return { format: "mcp-servers", lists: findBareServers(root), inputs: [] };
}

const isTarget = (value: Json): boolean =>
  isJsonObject(value) && ["command", "url", "httpUrl", "serverUrl"].some((field) => field in value);

const isOpencodeServer = (value: Json): boolean =>
  isJsonObject(value) && (Array.isArray(value.command) || value.type === "local" || value.type === "remote");

/** One server without a name, or servers without the list around them. */
function findBareServers(root: JsonObject): readonly ServerList[] {
  if (isTarget(root)) return [{ servers: { [guessName(root)]: root }, path: [], folder: null }];
  const servers = Object.fromEntries(Object.entries(root).filter(([, value]) => isTarget(value)));
  return Object.keys(servers).length === 0 ? [] : [{ servers, path: [], folder: null }];
}

/** A name from the package or the host, as in `github` for `@modelcontextprotocol/server-github`. */
function guessName({ command, args, url, httpUrl, serverUrl }: JsonObject): string {
  const address = [url, httpUrl, serverUrl].find((one) => typeof one === "string");
  if (typeof address === "string" && URL.canParse(address))
    return new URL(address).hostname.replace(/^(?:mcp|api|www)\./, "").split(".")[0] ?? "server";
  const words = [command, ...(Array.isArray(args) ? args : [])].flatMap((one) =>
    typeof one === "string" ? [one] : [],
  );
  const named = words.slice(1).find((word) => !word.startsWith("-")) ?? words[0] ?? "";
  const last =
    named
      .replace(/(.)@[^/]*$/, "$1")
      .split(/[\\/]/)
      .at(-1) ?? "";
  return last.replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$|\.[a-z]+$/g, "") || "server";
}

const adaptServers = (format: McpImportFormat, servers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(servers).map(([name, value]) => [name, adaptServer(format, value)]));

function adaptServer(format: McpImportFormat, value: Json): Json {
  if (!isJsonObject(value)) return value;
  if (isOpencodeServer(value)) return adaptOpencode(value);
  // Gemini's `url` is an SSE address, `httpUrl` a streamable one.
  if (format === "gemini" && "url" in value && value.httpUrl === undefined) return { ...value, type: "sse" };
  return value;
}

/** `command` is a list, the variables are `environment` and written as `{env:NAME}`. */
function adaptOpencode({ command, environment, ...rest }: JsonObject): Json {
  const words = Array.isArray(command) ? command : command === undefined ? [] : [command];
  const [program, ...args] = words;
  return replaceReferences({
    ...rest,
    ...(program === undefined
      ? {}
      : { command: program, args: [...args, ...(Array.isArray(rest.args) ? rest.args : [])] }),
    ...(environment === undefined ? {} : { env: environment }),
  });
}

function replaceReferences(value: Json): Json {
  if (typeof value === "string") return value.replace(/\{env:(\w+)\}/g, "$${$1}");
  if (Array.isArray(value)) return value.map(replaceReferences);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceReferences(inner)]));
}
