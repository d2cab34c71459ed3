/** Finds servers in a text or in the files of other programs, and adds them to the home's file. Nothing is started. */
import { homedir } from "node:os";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { McpCandidate, McpFound, McpState } from "@/lib/tools/mcp";
import type { WorkerProgram } from "@/server/base/run-worker";
import type { SecretStore } from "@/server/store/access/secrets";
import { type ImportCandidate, readMcpImport } from "./config/import-servers";
import { moveSecrets, renameTaken } from "./config/literal-secrets";
import { referencedNames } from "./config/references";
import { maxMcpServers, type McpServerConfig } from "./config/server-config";
import { type ForeignServer, readForeignFiles, syntaxError, viewProblems } from "./import/foreign-files";
import type { McpFile } from "./mcp-file";
import { type ConfiguredServer, problemError } from "./configured-servers";
import { valueName } from "./server-start";
import { viewLaunch } from "./view-servers";

type Environment = Readonly<Record<string, string | undefined>>;

/** Servers to choose from, those that cannot be used, and the files that could not be read. */
interface FoundServers {
  readonly servers: readonly ForeignServer[];
  readonly skipped: McpState["problems"];
  readonly unread: McpState["problems"];
}

interface ServerFinder {
  /** The servers of a text; undefined = those of the files of other programs. Fails with bad_input. */
  find(text: string | undefined): Promise<Result<FoundServers>>;
}

/** `worker` reads large files; they are given up when the signal fires. */
export const makeServerFinder = (
  environment: Environment,
  worker: WorkerProgram,
  signal: AbortSignal,
): ServerFinder => ({
  find: async (text) =>
    text === undefined ? ok(await readForeignFiles(environment.HOME ?? homedir(), worker, signal)) : findInText(text),
});

function findInText(text: string): Result<FoundServers> {
  const read = readMcpImport(text);
  if (!read.ok) return { ok: false, error: syntaxError(read.error) };
  const [problem] = read.problems;
  if (read.candidates.length === 0 && problem !== undefined) return { ok: false, error: problemError(problem) };
  if (read.candidates.length === 0) return fail("bad_input", undefined, { reason: "no_servers" });
  return ok({
    servers: read.candidates.map((candidate) => ({ from: "text", candidate })),
    skipped: viewProblems("", read.problems),
    unread: [],
  });
}

/** Current values of variables. */
interface CurrentValues {
  readonly secrets: ReturnType<SecretStore["in"]>;
  readonly environment: Environment;
}

/**
 * Gives the variables of all found secrets names that have no other value. Whichever servers are added, each has the names
 * that were shown.
 */
function nameSecrets(servers: readonly ForeignServer[], { secrets, environment }: CurrentValues): typeof servers {
  const named = new Map<string, string>();
  return servers.map(({ from, candidate }) => {
    const valueOf = (variable: string): string | null =>
      named.get(variable) ?? secrets.get(variable) ?? environment[variable] ?? null;
    const renamed = renameTaken(candidate.secrets, valueOf);
    for (const { variable, value } of renamed) named.set(variable, value);
    return { from, candidate: { ...candidate, secrets: renamed } };
  });
}

const viewCandidate = ({ from, candidate: { server, secrets } }: ForeignServer): McpCandidate => ({
  name: server.name,
  from,
  launch: viewLaunch(server, secrets),
  secrets: secrets.map(({ variable }) => variable),
});

export async function findCandidates(
  finder: ServerFinder,
  values: CurrentValues,
  text: string | undefined,
): Promise<Result<McpFound>> {
  const found = await finder.find(text);
  if (!found.ok) return found;
  const { servers, skipped, unread } = found.value;
  return ok({
    candidates: nameSecrets(servers, values).map(viewCandidate),
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(unread.length === 0 ? {} : { unread }),
  });
}

/** Adds the servers with these names; their literal secrets are moved to the key file. */
export async function addServers(
  file: McpFile,
  values: CurrentValues,
  finder: ServerFinder,
  text: string | undefined,
  names: readonly string[],
): Promise<Result<void>> {
  const found = await finder.find(text);
  if (!found.ok) return found;
  const chosen = new Map<string, ImportCandidate>();
  for (const { candidate } of nameSecrets(found.value.servers, values)) {
    const { name } = candidate.server;
    if (names.includes(name) && !chosen.has(name)) chosen.set(name, candidate);
  }
  if (chosen.size === 0) return fail("not_found");
  const { servers } = file.read();
  const existing = servers.find(({ name }) => chosen.has(name));
  if (existing !== undefined) return fail("exists", undefined, { name: existing.name });
  if (servers.length + chosen.size > maxMcpServers) return fail("too_many", undefined, { limit: maxMcpServers });
  const added = [...chosen].map(([name, { server, secrets }]) => ({
    path: ["mcpServers", name],
    value: toJson(moveSecrets(server, secrets)),
  }));
  const edited = await file.edit(added);
  // A failed edit leaves none of the servers' secrets here.
  if (!edited.ok) return edited;
  for (const { secrets } of chosen.values())
    for (const { variable, value } of secrets) values.secrets.set(variable, value);
  return edited;
}

interface RemainingEntries {
  readonly servers: readonly Pick<ConfiguredServer, "config">[];
  /** Whether an entry that cannot be used refers to a name. */
  mayRefer(name: string): boolean;
}

/** Deletes the stored values that only the removed server names. */
export function forgetSecrets(
  removed: Pick<ConfiguredServer, "config" | "projectId">,
  { servers, mayRefer }: RemainingEntries,
  secrets: ReturnType<SecretStore["in"]>,
): void {
  const used = new Set(servers.flatMap(({ config }) => [...referencedNames(config)]));
  for (const name of referencedNames(removed.config))
    if (!used.has(name) && !mayRefer(name)) secrets.set(valueName(removed, name), null);
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
