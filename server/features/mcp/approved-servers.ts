/**
 * Stores the user's approvals of servers. The lists are as the servers sent them: the tools that the file admits are
 * decided when the lists are read, since it may be edited at any time. A server of the home's file is approved once; if it
 * lists other tools in one project than in the others, that project has a list of its own. A definition of a tool that was
 * approved in one project is approved in all, since it is that of the same server, started in the same way.
 */
import type { ProjectId } from "@/lib/events/id";
import {
  adoptApproved,
  approveAll,
  approveTools,
  type ListedTool,
  mergeListed,
  type StoredTool,
} from "@/lib/tools/tool-definitions";
import type { Store } from "@/server/store/open-store";
import type { ApprovedSource, ToolSourceKey } from "@/server/store/access/tool-sources";
import { admitsTool } from "./config/server-config";
import type { ConfiguredServer } from "./configured-servers";
import { makeNote, takeNotes } from "./source-tools";

export interface ApprovedServers {
  /** Null = it was never approved, or would be started otherwise than approved. */
  get(server: ConfiguredServer, projectId: ProjectId): ApprovedSource | null;
  /** Whether it was approved, started as it is now or otherwise. */
  wasApproved(server: ConfiguredServer): boolean;
  /**
   * Approves how it is started, and the tools that its file admits unless it was approved before: then changed ones wait.
   */
  approve(
    server: ConfiguredServer,
    projectId: ProjectId,
    listed: { readonly instructions: string; readonly tools: readonly ListedTool[] },
  ): void;
  /** Stores what it lists now, if it is approved. */
  list(server: ConfiguredServer, projectId: ProjectId, listed: readonly ListedTool[]): void;
  /** Approves tools as they are. */
  accept(server: ConfiguredServer, projectId: ProjectId, names: ReadonlySet<string>): void;
  /** Changes a tool in all projects. */
  change(server: ConfiguredServer, ownName: string, change: (tool: StoredTool) => StoredTool): void;
  /** Stores again what is computed from the definitions, if an earlier version of this program stored it or none did. */
  refresh(server: ConfiguredServer, projectId: ProjectId): void;
  forget(server: ConfiguredServer): void;
  /** Returns the server's text about its use, as it was at the approval; "" = none. */
  instructions(server: ConfiguredServer): string;
}

const baseKey = ({ projectId, config }: ConfiguredServer): ToolSourceKey => ({
  kind: "mcp",
  projectId,
  name: config.name,
});

/** Sources with what is computed from their definitions stored beside them. */
function makeRecords(toolSources: Store["toolSources"]) {
  /** By source: whether all of that was stored. */
  const complete = new WeakMap<ApprovedSource, boolean>();
  /** Null = it is not stored, or with another launch. */
  const read = (key: ToolSourceKey, { launch }: ConfiguredServer): ApprovedSource | null => {
    const source = toolSources.get(key);
    if (source?.launch !== launch) return null;
    if (!complete.has(source)) complete.set(source, takeNotes(source, toolSources.note));
    return source;
  };
  const save = (key: ToolSourceKey, source: ApprovedSource): void => {
    toolSources.save(key, source, (definition) => makeNote(source.launch, definition));
    complete.set(source, true);
  };
  return {
    read,
    save,
    saveMissing(key: ToolSourceKey, server: ConfiguredServer): void {
      const source = read(key, server);
      if (source !== null && complete.get(source) === false) save(key, source);
    },
  };
}

export function makeApprovedServers({ toolSources }: Pick<Store, "toolSources">): ApprovedServers {
  const { read, save, saveMissing } = makeRecords(toolSources);
  const ownKey = ({ config }: ConfiguredServer, projectId: ProjectId): ToolSourceKey => ({
    kind: "mcp_in_project",
    projectId,
    name: config.name,
  });
  /** The key under which its tools in the project are stored. */
  const keyIn = (server: ConfiguredServer, projectId: ProjectId): ToolSourceKey => {
    const own = ownKey(server, projectId);
    return server.projectId === null && read(own, server) !== null ? own : baseKey(server);
  };
  const keysOf = (server: ConfiguredServer): readonly ToolSourceKey[] =>
    server.projectId === null
      ? [baseKey(server), ...toolSources.named("mcp_in_project", server.config.name)]
      : [baseKey(server)];
  const get = (server: ConfiguredServer, projectId: ProjectId): ApprovedSource | null =>
    read(baseKey(server), server) === null ? null : read(keyIn(server, projectId), server);
  const saveIfOther = (key: ToolSourceKey, source: ApprovedSource, tools: readonly StoredTool[]): void => {
    if (JSON.stringify(tools) !== JSON.stringify(source.tools)) save(key, { ...source, tools });
  };
  const everywhere = (server: ConfiguredServer, change: (source: ApprovedSource) => readonly StoredTool[]): void => {
    for (const key of keysOf(server)) {
      const source = read(key, server);
      if (source !== null) saveIfOther(key, source, change(source));
    }
  };
  const approvedAnywhere = (server: ConfiguredServer): readonly StoredTool[] =>
    keysOf(server).flatMap((key) => read(key, server)?.tools ?? []);
  const forgetLists = (server: ConfiguredServer): void => {
    if (server.projectId !== null) return;
    for (const key of toolSources.named("mcp_in_project", server.config.name)) toolSources.remove(key);
  };

  const list = (server: ConfiguredServer, projectId: ProjectId, listed: readonly ListedTool[]): void => {
    const source = get(server, projectId);
    if (source === null) return;
    const tools = adoptApproved(mergeListed(source.tools, listed), approvedAnywhere(server));
    if (JSON.stringify(tools) === JSON.stringify(source.tools)) return;
    const isHome = server.projectId === null;
    const base = isHome ? read(baseKey(server), server) : null;
    // It lists the same as where it was approved.
    if (base !== null && JSON.stringify(tools) === JSON.stringify(base.tools))
      toolSources.remove(ownKey(server, projectId));
    else save(isHome ? ownKey(server, projectId) : baseKey(server), { ...source, tools });
  };
  return {
    get,
    list,
    approve(server, projectId, { instructions, tools }) {
      const before = toolSources.get(baseKey(server));
      if (before?.launch === server.launch) return list(server, projectId, tools);
      forgetLists(server);
      const { launch } = server;
      const all = approveAll(before?.tools ?? [], tools);
      // The user has not seen the others.
      const admitted = all.map((tool) =>
        admitsTool(server.config, tool.ownName) ? tool : { ...tool, approved: null },
      );
      save(baseKey(server), { launch, instructions, tools: admitted });
    },
    wasApproved: (server) => toolSources.get(baseKey(server)) !== null,
    instructions: (server) => read(baseKey(server), server)?.instructions ?? "",
    accept(server, projectId, names) {
      const source = get(server, projectId);
      if (source === null) return;
      save(keyIn(server, projectId), { ...source, tools: approveTools(source.tools, names) });
      everywhere(server, ({ tools }) => adoptApproved(tools, approvedAnywhere(server)));
    },
    change: (server, ownName, change) =>
      everywhere(server, ({ tools }) => tools.map((tool) => (tool.ownName === ownName ? change(tool) : tool))),
    refresh: (server, projectId) => saveMissing(keyIn(server, projectId), server),
    forget(server) {
      forgetLists(server);
      toolSources.remove(baseKey(server));
    },
  };
}
