/** The servers as the settings show them. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpLaunch, McpServerView, McpState, McpStatus } from "@/lib/tools/mcp";
import { findLiteralSecrets, moveSecrets } from "./config/literal-secrets";
import { findUnpinnedPackage } from "./config/pinned-package";
import type { McpConfigProblem, McpServerConfig } from "./config/server-config";
import type { McpFile } from "./mcp-file";
import type { ConfiguredServer, McpService } from "./mcp-service";
import { viewTools } from "./source-tools";

/** How a server is started; the variables that would replace literal secrets are shown instead of them. */
export function viewLaunch(config: McpServerConfig): McpLaunch {
  const shown = moveSecrets(config, findLiteralSecrets(config));
  return shown.kind === "stdio"
    ? { command: [shown.command, ...shown.args], variables: Object.keys(shown.env) }
    : { command: [], address: shown.url, variables: Object.keys(shown.headers) };
}

export function problemError(problem: McpConfigProblem): AgentError {
  return { code: "bad_input", facts: { ...problem } };
}

function viewServer(
  service: McpService,
  file: McpFile,
  server: ConfiguredServer,
  failure: AgentError | undefined,
  projectId: ProjectId,
): McpServerView {
  const { id, config } = server;
  const approved = service.approved(server);
  const state = service.servers.state({ project: projectId, server: config.name, launch: server.launch });
  const running: Readonly<Record<typeof state.status, McpStatus>> = {
    stopped: approved === null ? "unapproved" : "idle",
    starting: "starting",
    running: "running",
    failed: approved === null ? "unapproved" : "failed",
  };
  const error = state.status === "failed" ? state.error : failure;
  return {
    id,
    name: config.name,
    file: file.path,
    isOfProject: false,
    launch: viewLaunch(config),
    launchHash: server.launch,
    status: config.disabled ? "disabled" : running[state.status],
    ...(state.status === "starting" ? { since: state.sinceMs } : {}),
    ...(error === undefined ? {} : { error }),
    ...(config.kind === "stdio" && findUnpinnedPackage(config) !== null ? { unpinned: {} } : {}),
    instructions: approved?.instructions ?? "",
    tools: approved === null ? [] : viewTools(id, approved),
  };
}

export function viewServers(
  service: McpService,
  file: McpFile,
  failures: ReadonlyMap<string, AgentError>,
  projectId: ProjectId,
): McpState {
  const { problems, error } = file.read();
  const errors = [...(error === undefined ? [] : [error]), ...problems.map(problemError)];
  return {
    file: file.path,
    servers: service
      .configured()
      .map((server) => viewServer(service, file, server, failures.get(server.id), projectId)),
    problems: errors.map((one) => ({ file: file.path, error: one })),
  };
}
