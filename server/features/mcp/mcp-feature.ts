/** The commands of MCP servers, and their tools as sources of the catalogue. */
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import type { SecretStore } from "@/server/store/access/secrets";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { addServers, findCandidates, forgetSecrets } from "./add-servers";
import type { McpServerConfig } from "./config/server-config";
import { makeMcpFile, type McpFile, type McpFileEdit } from "./mcp-file";
import { type ConfiguredServer, makeMcpService, type McpService, type McpServiceHost } from "./mcp-service";
import { makeSignInCommands } from "./sign-in/sign-in-commands";
import { makeSignInService, type SignInService, toolsPath } from "./sign-in/sign-in-service";
import { viewServers } from "./view-servers";

export function mcpFeature(host: McpServiceHost & Pick<FeatureHost, "home" | "now" | "serverPort">) {
  const file = makeMcpFile(join(host.home, "mcp.json"), host.now);
  const signIns = makeSignInService(host, async (target) => {
    const finished = await signInCommands["mcp.finish_sign_in"]({ address: target });
    return finished.ok ? finished.value.page : toolsPath;
  });
  const service = makeMcpService(host, file, signIns.authorization);
  const stop = new AbortController();
  /** Why the last attempt to approve a server failed, by its id. */
  const failures = new Map<string, AgentError>();
  const state = (projectId: ProjectId): McpState => viewServers({ service, file, failures, signIns }, projectId);
  const find = (id: string): ConfiguredServer | undefined => service.configured().find((one) => one.id === id);
  const withServer = makeWithServer(find, state);
  const approve = async (projectId: ProjectId, server: ConfiguredServer): Promise<void> => {
    failures.delete(server.id);
    const approved = await service.approve(projectId, server, stop.signal);
    if (!approved.ok && !stop.signal.aborted) failures.set(server.id, approved.error);
    host.push({ type: "mcp", projectId });
  };
  const { push } = host;
  const signInCommands = makeSignInCommands({ signIns, service, failures, push, withServer, signal: stop.signal });
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
          if (edited.ok && disabled) await service.stop(name);
          return edited;
        }),
      "mcp.remove": (input) =>
        withServer(input, async (server) => {
          const removed = await removeServer({ file, service, signIns }, host.store.secrets.in("mcp"), server);
          if (removed.ok) failures.delete(server.id);
          return removed;
        }),
      ...signInCommands,
      "mcp.stop": (input) => withServer(input, async ({ config: { name } }) => ok(await service.stop(name))),
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
      signIns.close();
      await service.servers.close();
    },
  } satisfies Feature;
}

/** Returns a function that works on a server and answers with the state after that. */
const makeWithServer =
  (find: (id: string) => ConfiguredServer | undefined, state: (projectId: ProjectId) => McpState) =>
  async (
    { projectId, server: id }: { readonly projectId: ProjectId; readonly server: string },
    work: (server: ConfiguredServer) => Promise<Result<unknown>> | Result<unknown>,
  ): Promise<Result<McpState>> => {
    const server = find(id);
    if (server === undefined) return fail("not_found");
    const done = await work(server);
    return done.ok ? ok(state(projectId)) : done;
  };

/** Some programs write `"enabled": false`. */
const disablingEdits = (name: string, disabled: boolean): readonly McpFileEdit[] => [
  { path: ["mcpServers", name, "enabled"], value: undefined },
  { path: ["mcpServers", name, "disabled"], value: disabled ? true : undefined },
];

/** Servers at one address share a sign-in. */
const hasSameAddress = (one: McpServerConfig, other: McpServerConfig): boolean =>
  one.kind === "http" && other.kind === "http" && one.url === other.url;

async function removeServer(
  { file, service, signIns }: { readonly file: McpFile; readonly service: McpService; readonly signIns: SignInService },
  secrets: ReturnType<SecretStore["in"]>,
  server: ConfiguredServer,
): Promise<Result<void>> {
  const edited = await file.edit([{ path: ["mcpServers", server.config.name], value: undefined }]);
  if (!edited.ok) return edited;
  const { servers, problems } = file.read();
  if (!servers.some((one) => hasSameAddress(one, server.config))) signIns.signOut(server.config);
  // A server that cannot be read may name them as well.
  if (problems.length === 0) forgetSecrets(server.config, servers, secrets);
  await service.forget(server);
  return edited;
}
