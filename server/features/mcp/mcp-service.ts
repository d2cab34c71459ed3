/** The servers of `mcp.json`: what is configured, what the user approved, and the calls of their tools. */
import { type AgentError, ok, type Result } from "@/lib/events/error";
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
import type { ApprovedSource, ToolSourceKey } from "@/server/store/access/tool-sources";
import { isArgumentsObject } from "@/server/tools/arguments/parameter-shapes";
import { ToolError } from "@/server/tools/core/tool";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { parseToolPattern } from "@/server/security/rules/remote-rules";
import { ownSourceIds } from "@/server/tools/toolbox/own-sources";
import { toSourceId } from "@/server/tools/toolbox/tool-name";
import type { FeatureHost } from "../feature";
import type { McpServerConfig } from "./config/server-config";
import { describeCallFailure } from "./failure";
import type { McpFile } from "./mcp-file";
import { reportUpdates } from "./progress-lines";
import type { ListedTools } from "./server-life";
import { resolveStart } from "./server-start";
import { makeMcpServers, type McpServers } from "./servers";
import { definitionHash, makeCatalogueTools, type RunExternalCall, shownHash } from "./source-tools";
import { toMcpToolOutput } from "./tool-result";
import type { HttpAuthorization } from "./transport/http-target";

export type McpServiceHost = Pick<
  FeatureHost,
  "store" | "projects" | "environment" | "leftovers" | "settings" | "version" | "home" | "push" | "reportBug"
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
  /** Approves tools as they were shown; one that is gone is removed. False = one has changed since; none is approved. */
  accept(server: ConfiguredServer, shown: readonly { readonly name: string; readonly hash: Hash }[]): boolean;
  /** Switches or pins a tool; false = there is none of this name. */
  setTool(server: ConfiguredServer, ownName: string, change: ToolChange): boolean;
  /** Ends the processes and connections of a server, in all projects. */
  stop(name: string): Promise<void>;
  /** Ends its processes, and deletes its approval and the rules that allow its tools. */
  forget(server: ConfiguredServer): Promise<void>;
}

const sourceKey = (name: string): ToolSourceKey => ({ kind: "mcp", projectId: null, name });

/** Ids are unique, also among this program's own sources: of two names with one id, the later one gets a number. */
function assignIds(configs: readonly McpServerConfig[]): readonly ConfiguredServer[] {
  const ids = new Set<string>(Object.values(ownSourceIds));
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

const unusableReasons = {
  bytes: "its parameters are over 64 KB",
  levels: "its parameters are nested too deeply",
} as const;

/** The tools that the file admits. */
function listTools({ config }: ConfiguredServer, list: ListedTools): readonly ListedTool[] {
  const { includeTools, excludeTools } = config;
  return list.entries
    .filter(({ name }) => (includeTools?.includes(name) ?? true) && !excludeTools.includes(name))
    .map(({ name, description, inputSchema, unusable }) => ({
      ownName: name,
      description,
      parameters: inputSchema,
      ...(unusable === null ? {} : { unusable: unusableReasons[unusable] }),
    }));
}

/** `authorization` gets the address of a server. */
export function makeMcpService(
  host: McpServiceHost,
  file: McpFile,
  authorization: (url: string) => HttpAuthorization,
): McpService {
  const { store } = host;
  let lastRead: ReturnType<McpFile["read"]> | null = null;
  let assigned: readonly ConfiguredServer[] = [];
  const configured = (): readonly ConfiguredServer[] => {
    const read = file.read();
    if (read !== lastRead) {
      lastRead = read;
      assigned = assignIds(read.servers);
      const launches = new Set(assigned.map(({ config, launch }) => `${config.name}\n${launch}`));
      void servers.stop(({ server, launch }) => !launches.has(`${server}\n${launch}`));
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
    resolve: (key) => resolveStart(host, authorization, find(key.server), key),
    onTools({ server: name, project, launch }, list) {
      const server = find(name);
      const source = server?.launch === launch ? approved(server) : null;
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
    stop: (name) => servers.stop(({ server }) => server === name),
    ...makeApprovals({ store, servers, approved, save, changed, push: host.push }),
  };
}

interface ApprovalParts extends Pick<McpService, "servers" | "approved">, Pick<McpServiceHost, "store" | "push"> {
  save(server: ConfiguredServer, source: Omit<ApprovedSource, "launch">): void;
  changed(project: string): void;
}

/** What the user approves, switches and removes. */
function makeApprovals({
  store,
  servers,
  approved,
  save,
  changed,
  push,
}: ApprovalParts): Pick<McpService, "approve" | "accept" | "setTool" | "forget"> {
  return {
    async approve(projectId, server, signal) {
      const { config, launch } = server;
      const tested = await servers.test({ project: projectId, server: config.name, launch }, signal);
      if (!tested.ok) return tested;
      const before = store.toolSources.get(sourceKey(config.name));
      const listed = listTools(server, tested.value);
      const { instructions } = tested.value;
      // Tools that changed since the approval wait for their own.
      const isApproved = before?.launch === launch;
      const tools = isApproved ? mergeListed(before.tools, listed) : approveAll(before?.tools ?? [], listed);
      save(server, { instructions, tools });
      changed(projectId);
      return ok(undefined);
    },
    accept(server, shown) {
      const source = approved(server);
      if (source === null) return false;
      const hashes = new Map(source.tools.map((tool) => [tool.ownName, shownHash(source, tool)]));
      if (!shown.every(({ name, hash }) => hashes.get(name) === hash)) return false;
      save(server, { ...source, tools: approveTools(source.tools, new Set(shown.map(({ name }) => name))) });
      return true;
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
    async forget({ id, config: { name } }) {
      await servers.stop(({ server }) => server === name);
      store.toolSources.remove(sourceKey(name));
      // Another server of this name begins without rights.
      store.approvedTools.forget(id);
      const rules = store.rules
        .all()
        .filter(
          (rule) =>
            rule.effect === "allow" && rule.tool === "external" && parseToolPattern(rule.pattern)?.source === id,
        );
      for (const rule of rules) store.rules.remove(rule.id);
      for (const projectId of new Set(rules.map((rule) => rule.projectId)))
        push({ type: "rules", projectId, rules: store.rules.list(projectId) });
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
      { project: projectId, server: name, launch: server.launch },
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
    return toMcpToolOutput(result.value, { source: server.id, vision, storeBlob }, signal);
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
