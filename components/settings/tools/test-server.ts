/** Servers and tools for tests. */
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { McpServerView, McpToolView } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";

export const testProject: Project = { id: asId<ProjectId>("p1"), path: "/work/shop", name: "shop", openedAt: 1 };

export const makeTool = (ownName: string, more: Partial<McpToolView> = {}): McpToolView => ({
  name: `files__${ownName}`,
  ownName,
  status: "ready",
  definition: { description: `Describes ${ownName}.`, parameters: { type: "object", properties: {} } },
  hash: asId<Hash>(`hash of ${ownName}`),
  isPinned: false,
  tokens: 100,
  ...more,
});

export const makeServer = (more: Partial<McpServerView> = {}): McpServerView => ({
  id: "files",
  name: "files",
  file: "/home/ada/.gopi-web/mcp.json",
  isOfProject: false,
  launch: { command: ["npx", "-y", "server-files@1.2.3", "my folder"], variables: [] },
  launchHash: asId<Hash>("launch"),
  status: "idle",
  instructions: "",
  tools: [],
  ...more,
});
