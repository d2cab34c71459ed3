/** Queries of MCP servers. A push refreshes everything below `["mcp", projectId]`. */
import { queryOptions } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import { callValue } from "../../state/queries";

type Call = Parameters<typeof callValue>[0];

export const mcpQuery = (call: Call, projectId: ProjectId) =>
  queryOptions<McpState>({
    queryKey: ["mcp", projectId],
    staleTime: 0,
    // The user may have edited the file in another program.
    refetchOnWindowFocus: true,
    // The server watches the files only for ten minutes after a query.
    refetchInterval: 300_000,
    queryFn: () => callValue(call, "mcp.state", { projectId }),
  });

/** A change of a server, which may take a name, refreshes it too. */
export const ownToolsQuery = (call: Call, projectId: ProjectId) =>
  queryOptions({
    queryKey: ["mcp", projectId, "own"],
    staleTime: 0,
    queryFn: async () => (await callValue(call, "tools.own", { projectId })).tools,
  });

/** Servers in the files of other programs on this machine. */
export const importableQuery = (call: Call) =>
  queryOptions({
    queryKey: ["mcp", "importable"],
    queryFn: () => callValue(call, "mcp.find", {}),
  });

/** Servers of a pasted text, which may contain secrets and is therefore not cached. */
export const pastedQuery = (call: Call, text: string) =>
  queryOptions({
    queryKey: ["mcp", "pasted", text],
    gcTime: 0,
    retry: false,
    queryFn: async () => call("mcp.find", { text }),
  });

export const mcpLogQuery = (call: Call, projectId: ProjectId, server: string) =>
  queryOptions({
    queryKey: ["mcp", projectId, "log", server],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => (await callValue(call, "mcp.log", { projectId, server })).text,
  });
