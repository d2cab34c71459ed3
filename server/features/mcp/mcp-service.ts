/** The servers of `mcp.json`: what is configured, what the user approved, and the calls of their tools. */
import { homedir } from "node:os";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import {
  approveAll,
  approveTools,
  type ListedTool,
  mergeListed,
  type StoredTool,
  storedToolState,
} from "@/lib/tools/tool-definitions";
import { computeHash } from "@/server/base/id";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import type { ApprovedSource, ToolSourceKey } from "@/server/store/access/tool-sources";
import { isArgumentsObject } from "@/server/tools/arguments/parameter-shapes";
import { ToolError } from "@/server/tools/core/tool";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { toSourceId } from "@/server/tools/toolbox/tool-name";
import type { FeatureHost } from "../feature";
import { expandServer } from "./config/expand-variables";
import type { McpServerConfig } from "./config/server-config";
import { describeFailure } from "./failure";
import type { McpFile } from "./mcp-file";
import type { ListedTools } from "./server-life";
import { type CallUpdate, makeMcpServers, type McpServers, type ServerKey, type ServerStart } from "./servers";
import { definitionHash, makeCatalogueTools, type RunExternalCall } from "./source-tools";
import { toMcpToolOutput } from "./tool-result";

export type McpServiceHost = Pick<
  FeatureHost,
  "store" | "projects" | "environment" | "leftovers" | "settings" | "version" | "push" | "reportBug"
>;

/** A server of the file with the id that its tools have. */
export interface ConfiguredServer {
  readonly id: string;
  readonly config: McpServerConfig;
  /** Hash of how it is started. */
  readonly launch: Hash;
}

/** undefined = as it is. */
interface ToolChange {
  readonly isOff: boolean | undefined;
  readonly isPinned: boolean | undefined;
}

export interface McpService {
  /** Ordered by id. */
  configured(): readonly ConfiguredServer[];
  /** Null = it was never approved, or would be started otherwise than approved. */
  approved(server: ConfiguredServer): ApprovedSource | null;
  readonly sources: () => readonly CatalogueSource[];
  readonly servers: McpServers;
  /** Approves how the server is started and all its tools as it lists them. */
  approve(projectId: ProjectId, server: ConfiguredServer, signal: AbortSignal): Promise<Result<void>>;
  /** Approves tools as they are defined now; a tool that is gone is removed. */
  accept(server: ConfiguredServer, names: ReadonlySet<string>): void;
  /** Switches or pins a tool; false = there is none of this name. */
  setTool(server: ConfiguredServer, ownName: string, change: ToolChange): boolean;
  /** Ends its processes and deletes its approval. */
  forget(name: string): Promise<void>;
}

const sourceKey = (name: string): ToolSourceKey => ({ kind: "mcp", projectId: null, name });

/** Ids are unique: of two names with one id, the later one gets a number. */
function assignIds(configs: readonly McpServerConfig[]): readonly ConfiguredServer[] {
  const ids = new Set<string>();
  return configs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((config) => {
      const plain = toSourceId(config.name);
      let id = plain;
      for (let number = 2; ids.has(id); number += 1) id = `${plain}${number}`;
      ids.add(id);
      return { id, config, launch: launchHash(config) };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** What the user approves: the texts as written, with the names of variables and not their values. */
const launchHash = (config: McpServerConfig): Hash =>
  computeHash(
    JSON.stringify(
      config.kind === "stdio"
        ? [config.command, config.args, config.cwd, Object.entries(config.env).toSorted()]
        : [config.url, Object.entries(config.headers).toSorted()],
    ),
  );

/** The tools that the file admits. */
function listTools({ config }: ConfiguredServer, list: ListedTools): readonly ListedTool[] {
  const { includeTools, excludeTools } = config;
  return list.entries
    .filter(({ name }) => (includeTools?.includes(name) ?? true) && !excludeTools.includes(name))
    .map(({ name, description, inputSchema }) => ({ ownName: name, description, parameters: inputSchema }));
}

export function makeMcpService(host: McpServiceHost, file: McpFile): McpService {
  const { store } = host;
  let lastRead: ReturnType<McpFile["read"]> | null = null;
  let assigned: readonly ConfiguredServer[] = [];
  const configured = (): readonly ConfiguredServer[] => {
    const read = file.read();
    if (read !== lastRead) {
      lastRead = read;
      assigned = assignIds(read.servers);
    }
    return assigned;
  };
  const find = (name: string): ConfiguredServer | undefined => configured().find(({ config }) => config.name === name);
  const approved = ({ config, launch }: ConfiguredServer): ApprovedSource | null => {
    const source = store.toolSources.get(sourceKey(config.name));
    return source?.launch === launch ? source : null;
  };
  const save = ({ config, launch }: ConfiguredServer, source: Omit<ApprovedSource, "launch">): void =>
    store.toolSources.save(sourceKey(config.name), { ...source, launch });
  const changed = (project: string): void => host.push({ type: "mcp", projectId: asId<ProjectId>(project) });

  const servers = makeMcpServers({
    version: host.version,
    resolve: (key) => resolveStart(host, find(key.server), key),
    onTools({ server: name, project }, list) {
      const server = find(name);
      const source = server === undefined ? null : approved(server);
      if (server === undefined || source === null) return;
      const tools = mergeListed(source.tools, listTools(server, list));
      if (JSON.stringify(tools) !== JSON.stringify(source.tools)) save(server, { ...source, tools });
      changed(project);
    },
    onState: ({ project }) => changed(project),
  });

  const makeTools = makeToolCache((server, projectId) => makeRunCall({ servers, find, approved }, server, projectId));
  return {
    configured,
    approved,
    sources: () => configured().map((server) => makeSource(server, approved(server), makeTools)),
    servers,
    async approve(projectId, server, signal) {
      const { name } = server.config;
      const tested = await servers.test({ project: projectId, server: name }, signal);
      if (!tested.ok) return tested;
      const now = find(name);
      if (now?.launch !== server.launch) return fail("changed_meanwhile");
      const before = store.toolSources.get(sourceKey(name))?.tools ?? [];
      const { instructions } = tested.value;
      save(now, { instructions, tools: approveAll(before, listTools(now, tested.value)) });
      changed(projectId);
      return ok(undefined);
    },
    accept(server, names) {
      const source = approved(server);
      if (source !== null) save(server, { ...source, tools: approveTools(source.tools, names) });
    },
    setTool(server, ownName, { isOff, isPinned }) {
      const source = approved(server);
      if (source === null || !source.tools.some((tool) => tool.ownName === ownName)) return false;
      const change = (tool: StoredTool): StoredTool => ({
        ...tool,
        isOff: isOff ?? tool.isOff,
        isPinned: isPinned ?? tool.isPinned,
      });
      const tools = source.tools.map((tool) => (tool.ownName === ownName ? change(tool) : tool));
      save(server, { ...source, tools });
      return true;
    },
    async forget(name) {
      await servers.stop(({ server }) => server === name);
      store.toolSources.remove(sourceKey(name));
    },
  };
}

/** Runs calls of a server's tools in a project: only of tools that are exactly as approved when the call is sent. */
function makeRunCall(
  {
    servers,
    find,
    approved,
  }: Pick<McpService, "servers" | "approved"> & { find(name: string): ConfiguredServer | undefined },
  server: ConfiguredServer,
  projectId: ProjectId,
): RunExternalCall {
  const { name } = server.config;
  return async (ownName, definition, input, call, { vision, storeBlob }, signal) => {
    const check = (): AgentError | null => {
      const current = find(name);
      const source = current === undefined ? null : approved(current);
      const tool = source?.tools.find((one) => one.ownName === ownName);
      if (source === null || tool === undefined || tool.approved === null) return { code: "gone" };
      const isSame = storedToolState(tool) === "ready" && definitionHash(source, tool.approved) === definition;
      return isSame ? null : { code: tool.current === null ? "gone" : "changed_meanwhile" };
    };
    const result = await servers.call(
      { project: projectId, server: name },
      {
        tool: ownName,
        input: isArgumentsObject(input) ? input : {},
        onUpdate: reportUpdates(name, call.progress),
        check,
      },
      signal,
    );
    signal.throwIfAborted();
    if (!result.ok) throw new ToolError(result.error.code, describeCallFailure(name, ownName, result.error));
    const { result: output } = await toMcpToolOutput(result.value, { source: server.id, vision, storeBlob });
    return output;
  };
}

const makeSource = (
  server: ConfiguredServer,
  source: ApprovedSource | null,
  makeTools: ReturnType<typeof makeToolCache>,
): CatalogueSource => ({
  id: server.id,
  instructions: source?.instructions ?? "",
  tools: (projectId) => (source === null || server.config.disabled ? [] : makeTools(server, source, projectId)),
});

/** Builds the tools of a server in a project once for each state of its approval. */
function makeToolCache(run: (server: ConfiguredServer, projectId: ProjectId) => RunExternalCall) {
  const bySource = new WeakMap<ApprovedSource, Map<string, readonly CatalogueTool[]>>();
  return (server: ConfiguredServer, source: ApprovedSource, projectId: ProjectId): readonly CatalogueTool[] => {
    const lists = bySource.get(source) ?? new Map<string, readonly CatalogueTool[]>();
    bySource.set(source, lists);
    const key = `${server.id} ${projectId}`;
    const tools = lists.get(key) ?? makeCatalogueTools(server.id, source, run(server, projectId));
    lists.set(key, tools);
    return tools;
  };
}

/** Seconds between two lines about a start. */
const startLineSeconds = 5;

function reportUpdates(name: string, progress: (text: string) => void): (update: CallUpdate) => void {
  let lines = 0;
  return (update) => {
    if (update.kind === "progress") {
      const { message = "", progress: done, total } = update;
      progress(`${message === "" ? `${done}${total === undefined ? "" : ` of ${total}`}` : message}\n`);
      return;
    }
    if (update.seconds < lines * startLineSeconds) return;
    lines += 1;
    progress(update.seconds === 0 ? `Starting ${name}\n` : `Starting ${name}, ${update.seconds} s\n`);
  };
}

function describeCallFailure(server: string, tool: string, error: AgentError): string {
  if (error.code === "gone")
    return `${server} does not offer ${tool} any more. Do not call it again; use another tool, or tell the user.`;
  if (error.code === "changed_meanwhile")
    return `${tool} of ${server} is defined differently from what the user approved. Do not call it again; the user can approve it in Tools.`;
  return describeFailure(server, error);
}

async function resolveStart(
  { projects, environment, leftovers, settings, store }: McpServiceHost,
  server: ConfiguredServer | undefined,
  { project }: ServerKey,
): Promise<Result<ServerStart>> {
  if (server === undefined || server.config.disabled) return fail("gone");
  const opened = await projects.get(asId<ProjectId>(project));
  if (!opened.ok) return opened;
  const { root } = opened.value;
  const secrets = store.secrets.in("mcp");
  const expanded = expandServer(server.config, {
    variable: (name) => secrets.get(name) ?? environment[name] ?? null,
    input: (id) => secrets.get(`input:${id}`),
    project: root,
    userHome: environment.HOME ?? homedir(),
  });
  if (!expanded.ok) return fail("bad_input", undefined, { reason: "missing_variables", names: expanded.missing });
  if (expanded.server.kind === "http") return fail("bad_input", undefined, { reason: "http" });
  const { command, args, cwd, env, timeoutMs } = expanded.server;
  return ok({
    stdio: {
      command,
      arguments: args,
      folder: cwd ?? root,
      project: root,
      environment: shellEnvironment(environment, settings().shellEnvironment),
      variables: env,
      secrets: expanded.secrets,
      leftovers,
    },
    ...(timeoutMs === null ? {} : { limits: { idleMs: timeoutMs } }),
  });
}
