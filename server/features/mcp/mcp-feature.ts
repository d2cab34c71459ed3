/** The commands of MCP servers, and their tools as sources of the catalogue. */
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import type { SecretStore } from "@/server/store/access/secrets";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { addServers, findCandidates, forgetSecrets } from "./add-servers";
import { makeMcpFile, type McpFile, type McpFileEdit } from "./mcp-file";
import { type ConfiguredServer, makeMcpService, type McpService, type McpServiceHost } from "./mcp-service";
import { viewServers } from "./view-servers";

export function mcpFeature(host: McpServiceHost & Pick<FeatureHost, "home" | "now">) {
  const file = makeMcpFile(join(host.home, "mcp.json"), host.now);
  const service = makeMcpService(host, file);
  const stop = new AbortController();
  /** Why the last attempt to approve a server failed, by its id. */
  const failures = new Map<string, AgentError>();
  const state = (projectId: ProjectId): McpState => viewServers(service, file, failures, projectId);
  const find = (id: string): ConfiguredServer | undefined => service.configured().find((one) => one.id === id);
  const withServer = async (
    { projectId, server: id }: { readonly projectId: ProjectId; readonly server: string },
    work: (server: ConfiguredServer) => Promise<Result<unknown>> | Result<unknown>,
  ): Promise<Result<McpState>> => {
    const server = find(id);
    if (server === undefined) return fail("not_found");
    const done = await work(server);
    return done.ok ? ok(state(projectId)) : done;
  };
  const approve = async (projectId: ProjectId, server: ConfiguredServer): Promise<void> => {
    failures.delete(server.id);
    const approved = await service.approve(projectId, server, stop.signal);
    if (!approved.ok && !stop.signal.aborted) failures.set(server.id, approved.error);
    host.push({ type: "mcp", projectId });
  };
  const stopServer = (name: string): Promise<void> => service.servers.stop(({ server }) => server === name);
  return {
    commands: {
      "mcp.state": ({ projectId }) => ok(state(projectId)),
      "mcp.find": ({ text }) => findCandidates(host.environment, text),
      async "mcp.add"({ projectId, text, names }) {
        const added = await addServers(file, host.store.secrets.in("mcp"), host.environment, text, names);
        return added.ok ? ok(state(projectId)) : added;
      },
      "mcp.approve": ({ launch, ...input }) =>
        withServer(input, (server) => {
          if (server.launch !== launch) return fail("changed_meanwhile");
          approve(input.projectId, server).catch((error: unknown) => host.reportBug("mcp", error));
          return ok(null);
        }),
      "mcp.accept": ({ tools, ...input }) =>
        withServer(input, (server) => (service.accept(server, tools) ? ok(null) : fail("changed_meanwhile"))),
      "mcp.set_tool": ({ tool, isOff, isPinned, ...input }) =>
        withServer(input, (server) =>
          service.setTool(server, tool, { isOff, isPinned }) ? ok(null) : fail("not_found"),
        ),
      "mcp.disable": ({ disabled, ...input }) =>
        withServer(input, async ({ config: { name } }) => {
          const edited = await file.edit(disablingEdits(name, disabled));
          if (edited.ok && disabled) await stopServer(name);
          return edited;
        }),
      "mcp.remove": (input) =>
        withServer(input, async (server) => {
          const removed = await removeServer(file, service, host.store.secrets.in("mcp"), server);
          if (removed.ok) failures.delete(server.id);
          return removed;
        }),
      "mcp.stop": (input) => withServer(input, async ({ config: { name } }) => ok(await stopServer(name))),
      async "mcp.log"({ projectId, server: id }) {
        const server = find(id);
        if (server === undefined) return fail("not_found");
        const key = { project: projectId, server: server.config.name, launch: server.launch };
        return ok({ text: service.servers.log(key).join("\n") });
      },
    },
    get catalogueSources() {
      return service.sources();
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
      await service.servers.close();
    },
  } satisfies Feature;
}

/** Some programs write `"enabled": false`. */
const disablingEdits = (name: string, disabled: boolean): readonly McpFileEdit[] => [
  { path: ["mcpServers", name, "enabled"], value: undefined },
  { path: ["mcpServers", name, "disabled"], value: disabled ? true : undefined },
];

async function removeServer(
  file: McpFile,
  service: McpService,
  secrets: ReturnType<SecretStore["in"]>,
  server: ConfiguredServer,
): Promise<Result<void>> {
  const edited = await file.edit([{ path: ["mcpServers", server.config.name], value: undefined }]);
  if (!edited.ok) return edited;
  const { servers, problems } = file.read();
  // A server that cannot be read may name them as well.
  if (problems.length === 0) forgetSecrets(server.config, servers, secrets);
  await service.forget(server);
  return edited;
}
