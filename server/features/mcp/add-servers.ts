/** Finds servers in a text or in the files of other programs, and adds them to the home's file. Nothing is started. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { McpCandidate } from "@/lib/tools/mcp";
import type { SecretStore } from "@/server/store/access/secrets";
import { type ImportCandidate, type McpImport, readMcpImport } from "./config/import-servers";
import { moveSecrets, renameTaken } from "./config/literal-secrets";
import { referencedNames } from "./config/references";
import { maxMcpServers, type McpServerConfig } from "./config/server-config";
import type { McpFile } from "./mcp-file";
import { type ConfiguredServer, problemError } from "./configured-servers";
import { valueName } from "./server-start";
import { viewLaunch } from "./view-servers";

/** Files of other programs, below the user's home. */
const foreignFiles: readonly (readonly [program: string, path: string])[] = [
  ["Claude Desktop", "Library/Application Support/Claude/claude_desktop_config.json"],
  ["Claude Desktop", ".config/Claude/claude_desktop_config.json"],
  ["Claude Code", ".claude.json"],
  ["Cursor", ".cursor/mcp.json"],
  ["VS Code", "Library/Application Support/Code/User/mcp.json"],
  ["VS Code", ".config/Code/User/mcp.json"],
  ["Gemini CLI", ".gemini/settings.json"],
  ["opencode", ".config/opencode/opencode.json"],
  ["opencode", ".config/opencode/opencode.jsonc"],
];

const maxFileBytes = 20_000_000;

interface FoundServer {
  readonly from: string;
  readonly candidate: ImportCandidate;
}

type Environment = Readonly<Record<string, string | undefined>>;

const syntaxFailure = ({ line, column, expected }: Extract<McpImport, { ok: false }>["error"]) =>
  fail("bad_input", undefined, { reason: "syntax", line, column, expected });

/** The servers of a text, or those of all files that can be read. */
async function findServers(
  environment: Environment,
  text: string | undefined,
): Promise<Result<readonly FoundServer[]>> {
  if (text !== undefined) {
    const read = readMcpImport(text);
    if (!read.ok) return syntaxFailure(read.error);
    const [problem] = read.problems;
    if (read.candidates.length === 0 && problem !== undefined) return { ok: false, error: problemError(problem) };
    if (read.candidates.length === 0) return fail("bad_input", undefined, { reason: "no_servers" });
    return ok(read.candidates.map((candidate) => ({ from: "text", candidate })));
  }
  const home = environment.HOME ?? homedir();
  const lists = await Promise.all(foreignFiles.map(([from, path]) => readForeignFile(from, join(home, path))));
  return ok(lists.flat());
}

async function readForeignFile(from: string, path: string): Promise<readonly FoundServer[]> {
  try {
    if ((await stat(path)).size > maxFileBytes) return [];
    const read = readMcpImport(await readFile(path, "utf8"));
    return read.ok ? read.candidates.map((candidate) => ({ from, candidate })) : [];
  } catch {
    // It is not there, or belongs to someone else.
    return [];
  }
}

const viewCandidate = ({ from, candidate: { server, secrets } }: FoundServer): McpCandidate => ({
  name: server.name,
  from,
  launch: viewLaunch(server),
  secrets: secrets.map(({ variable }) => variable),
});

export async function findCandidates(
  environment: Environment,
  text: string | undefined,
): Promise<Result<{ readonly candidates: readonly McpCandidate[] }>> {
  const found = await findServers(environment, text);
  return found.ok ? ok({ candidates: found.value.map(viewCandidate) }) : found;
}

/** Adds the servers with these names; their literal secrets are moved to the key file. */
export async function addServers(
  file: McpFile,
  secrets: ReturnType<SecretStore["in"]>,
  environment: Environment,
  text: string | undefined,
  names: readonly string[],
): Promise<Result<void>> {
  const found = await findServers(environment, text);
  if (!found.ok) return found;
  const chosen = new Map<string, ImportCandidate>();
  for (const { candidate } of found.value) {
    const { name } = candidate.server;
    if (names.includes(name) && !chosen.has(name)) chosen.set(name, candidate);
  }
  if (chosen.size === 0) return fail("not_found");
  const { servers } = file.read();
  const existing = servers.find(({ name }) => chosen.has(name));
  if (existing !== undefined) return fail("exists", undefined, { name: existing.name });
  if (servers.length + chosen.size > maxMcpServers) return fail("too_many", undefined, { limit: maxMcpServers });
  const added = [...chosen].map(([name, { server, secrets: literals }]) => {
    const moved = renameTaken(literals, (variable) => secrets.get(variable) ?? environment[variable] ?? null);
    for (const { variable, value } of moved) secrets.set(variable, value);
    return { path: ["mcpServers", name], value: toJson(moveSecrets(server, moved)) };
  });
  return file.edit(added);
}

/** Deletes the stored values that only the removed server names. */
export function forgetSecrets(
  removed: Pick<ConfiguredServer, "config" | "projectId">,
  remaining: readonly Pick<ConfiguredServer, "config">[],
  secrets: ReturnType<SecretStore["in"]>,
): void {
  const used = new Set(remaining.flatMap(({ config }) => [...referencedNames(config)]));
  for (const name of referencedNames(removed.config)) if (!used.has(name)) secrets.set(valueName(removed, name), null);
}

/** The server as the file has it; what is the default is left out. */
function toJson(server: McpServerConfig): Json {
  const { timeoutMs, includeTools, excludeTools, disabled } = server;
  const common = {
    ...(disabled ? { disabled } : {}),
    ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
    ...(includeTools === null ? {} : { includeTools }),
    ...(excludeTools.length === 0 ? {} : { excludeTools }),
  };
  if (server.kind === "http") {
    const { url, transport, headers, oauth } = server;
    return {
      ...(transport === null ? {} : { type: transport }),
      url,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(oauth === null ? {} : { oauth: { ...oauth } }),
      ...common,
    };
  }
  const { command, args, env, cwd, envFile } = server;
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(cwd === null ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
    ...common,
  };
}
