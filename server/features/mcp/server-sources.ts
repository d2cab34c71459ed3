/** The approved servers as sources of the catalogue, and what runs the calls of their tools. */
import { isJsonObject } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import { storedToolState } from "@/lib/tools/tool-definitions";
import { ToolError } from "@/server/tools/core/tool";
import { toForeignOutput } from "@/server/tools/toolbox/foreign-result";
import type { Clock } from "./call-limit";
import { describeCallFailure, unansweredNote } from "./failure";
import { callWithAddresses, type Questions } from "./questions";
import type { McpServers } from "./servers";
import { serverOff } from "./server-start";
import { reportUpdates } from "./server-text";
import type { Steps } from "@/lib/async/steps";
import type { ProjectId } from "@/lib/events/id";
import { runStepsInSlices } from "@/server/base/steps";
import type { ApprovedSource } from "@/server/store/access/tool-sources";
import type { CatalogueSource, CatalogueTool, UnlistedSource } from "@/server/tools/toolbox/catalogue";
import type { ApprovedServers } from "./approved-servers";
import { admitsTool } from "./config/server-config";
import { type ConfiguredServer, type ConfiguredServers, processKey } from "./configured-servers";
import {
  definitionHash,
  listUnlistedTools,
  makeCatalogueTools,
  readDefinitions,
  type RunExternalCall,
} from "./source-tools";

interface ServerSourcesOptions {
  readonly configured: ConfiguredServers;
  readonly approvals: Pick<ApprovedServers, "get" | "wasApproved" | "refresh" | "instructions">;
  readonly servers: McpServers;
  readonly questions: Questions;
  readonly clock: Clock;
}

export interface ServerSources {
  sources(): readonly CatalogueSource[];
  /** Ids of the servers with tools that are left out, since all servers of the project have too many together. */
  cutIn(projectId: ProjectId): ReadonlySet<string>;
}

type MakeTools = (server: ConfiguredServer, projectId: ProjectId) => readonly CatalogueTool[];

/** One list, so that the catalogue sees no change. */
const noTools: readonly CatalogueTool[] = [];

export function makeServerSources(options: ServerSourcesOptions): ServerSources {
  const { configured, approvals } = options;
  const cached = makeToolCache((server, projectId) => makeRunCall(options, server, projectId));
  const toolsOf: MakeTools = (server, projectId) => {
    const source = server.config.disabled ? null : approvals.get(server, projectId);
    return source === null ? noTools : cached(server, source, projectId);
  };
  const share = makeToolShares<CatalogueTool>(maxToolsOfServers);
  /** The tools of the project by the ids of the servers; by these the servers are ordered. */
  const sharesIn = (projectId: ProjectId): ReadonlyMap<string, readonly CatalogueTool[]> => {
    const servers = configured.in(projectId);
    const shares = share(servers.map((server) => toolsOf(server, projectId)));
    return new Map(servers.map(({ id }, at) => [id, shares[at] ?? noTools]));
  };
  const prepared: CatalogueSource = {
    id: "mcp",
    instructions: "",
    tools: () => noTools,
    unlisted: (projectId) => configured.in(projectId).map((server) => describeUnlisted(server, approvals, projectId)),
    async prepare(projectId, signal) {
      await configured.open(projectId);
      await runStepsInSlices(prepareTools(configured.in(projectId), projectId, approvals, toolsOf), signal);
    },
  };
  return {
    sources() {
      const shares = new Map<ProjectId, ReturnType<typeof sharesIn>>();
      const sharesOf: typeof sharesIn = (projectId) => {
        const found = shares.get(projectId) ?? sharesIn(projectId);
        shares.set(projectId, found);
        return found;
      };
      const servers = [...configured.ofHome(), ...configured.ofProjects()];
      return [prepared, ...servers.map((server) => toSource(server, approvals, sharesOf))];
    },
    cutIn(projectId) {
      const shares = sharesIn(projectId);
      const isCut = (server: ConfiguredServer): boolean =>
        (shares.get(server.id) ?? noTools).length < toolsOf(server, projectId).length;
      return new Set(configured.in(projectId).flatMap((server) => (isCut(server) ? [server.id] : [])));
    },
  };
}

/** The stored tools are read when they are listed, not with the source: those of all servers would hold this one. */
const toSource = (
  server: ConfiguredServer,
  approvals: ServerSourcesOptions["approvals"],
  sharesOf: (projectId: ProjectId) => ReadonlyMap<string, readonly CatalogueTool[]>,
): CatalogueSource => ({
  id: server.id,
  get instructions() {
    return approvals.instructions(server);
  },
  tools: (projectId) =>
    server.projectId !== null && server.projectId !== projectId
      ? noTools
      : (sharesOf(projectId).get(server.id) ?? noTools),
});

/** Describes what a server has in a project that its source does not list. */
function describeUnlisted(
  server: ConfiguredServer,
  approvals: ServerSourcesOptions["approvals"],
  projectId: ProjectId,
): UnlistedSource {
  const { id, config } = server;
  const whole = (kind: "off" | "changed" | "unapproved"): UnlistedSource => ({
    id,
    page: "Tools",
    obstacle: { kind },
    tools: [],
  });
  if (config.disabled) return whole("off");
  const source = approvals.get(server, projectId);
  if (source === null) return whole(approvals.wasApproved(server) ? "changed" : "unapproved");
  const tools = listUnlistedTools(id, source, (ownName) => admitsTool(config, ownName));
  return { id, page: "Tools", obstacle: null, tools };
}

/** Makes the tools of the servers ahead of a message: all at once would hold the server. */
function* prepareTools(
  servers: readonly ConfiguredServer[],
  projectId: ProjectId,
  approvals: ServerSourcesOptions["approvals"],
  toolsOf: MakeTools,
): Steps<void> {
  for (const server of servers) {
    const source = server.config.disabled ? null : approvals.get(server, projectId);
    yield;
    if (source === null) continue;
    yield* readDefinitions(source, (ownName) => admitsTool(server.config, ownName));
    approvals.refresh(server, projectId);
    toolsOf(server, projectId);
    yield;
  }
}

/** Builds the tools of a server in a project once for each state of its approval and for each choice of tools in its file. */
function makeToolCache(run: (server: ConfiguredServer, projectId: ProjectId) => RunExternalCall) {
  const bySource = new WeakMap<ApprovedSource, Map<string, readonly CatalogueTool[]>>();
  return (server: ConfiguredServer, source: ApprovedSource, projectId: ProjectId): readonly CatalogueTool[] => {
    const lists = bySource.get(source) ?? new Map<string, readonly CatalogueTool[]>();
    bySource.set(source, lists);
    const { includeTools, excludeTools } = server.config;
    const key = JSON.stringify([server.id, projectId, includeTools, excludeTools]);
    const admits = (ownName: string): boolean => admitsTool(server.config, ownName);
    const tools = lists.get(key) ?? makeCatalogueTools(server.id, source, admits, run(server, projectId));
    lists.set(key, tools);
    return tools;
  };
}

/** The tools after this many are left out. */
const maxToolsOfServers = 2_000;

/**
 * Returns a function that takes the lists of all servers, in the order in which they count, and returns what is left of each:
 * together at most `limit` tools. What it returns for a list is the same list until another number of it is left.
 */
export function makeToolShares<T>(limit: number): (lists: readonly (readonly T[])[]) => readonly (readonly T[])[] {
  const cuts = new WeakMap<readonly T[], readonly T[]>();
  const cut = (list: readonly T[], count: number): readonly T[] => {
    if (list.length <= count) return list;
    const last = cuts.get(list);
    if (last?.length === count) return last;
    const next = list.slice(0, count);
    cuts.set(list, next);
    return next;
  };
  return (lists) => {
    let left = limit;
    return lists.map((list) => {
      const share = cut(list, left);
      left -= share.length;
      return share;
    });
  };
}

const notAdmitted: AgentError = { code: "tool_off", facts: { reason: "not_admitted" } };

const joinLines = (note: string, text: string): string => (note === "" ? text : `${note}\n${text}`);

/** Runs calls of a server's tools in a project: only of tools that are exactly as approved when the call is sent. */
function makeRunCall(
  { configured, approvals, servers, questions, clock }: ServerSourcesOptions,
  server: ConfiguredServer,
  projectId: ProjectId,
): RunExternalCall {
  const { name } = server.config;
  const key = processKey(server, projectId);
  return async (ownName, definition, input, call, { vision, storeBlob }, signal) => {
    const check = (): AgentError | null => {
      const current = configured.in(projectId).find((one) => one.key === server.key);
      if (current?.config.disabled === true) return serverOff;
      const source = current === undefined ? null : approvals.get(current, projectId);
      if (current !== undefined && !admitsTool(current.config, ownName)) return notAdmitted;
      const tool = source?.tools.find((one) => one.ownName === ownName);
      if (source === null || tool === undefined || tool.approved === null) return { code: "gone" };
      const isSame = storedToolState(tool) === "ready" && definitionHash(source, tool.approved) === definition;
      if (isSame) return null;
      if (tool.isOff) return { code: "tool_off" };
      return { code: tool.current === null ? "gone" : "tool_changed" };
    };
    const sent = {
      tool: ownName,
      input: isJsonObject(input) ? input : {},
      onUpdate: reportUpdates(name, call.progress),
      check,
    };
    let note = "";
    const onUnanswered = (): void => void (note = unansweredNote(name));
    const asking = { id: call.id, name, isAttended: call.isAttended, onUnanswered, signal };
    const result = await callWithAddresses(
      {
        run: () => questions.during(key, asking, () => servers.call(key, sent, signal)),
        isAttended: () => asking.id !== null && asking.isAttended(),
        ask: (request, ended) => questions.askDuring(key, asking, request, ended),
      },
      clock,
      signal,
    );
    signal.throwIfAborted();
    if (!result.ok)
      throw new ToolError(result.error.code, joinLines(note, describeCallFailure(name, ownName, result.error)));
    const made = await toForeignOutput(result.value, { source: server.id, vision, storeBlob }, signal);
    return note === "" ? made : { ...made, output: [{ type: "text", text: note }, ...made.output] };
  };
}
