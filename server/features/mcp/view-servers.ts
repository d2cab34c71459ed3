/** The servers as the settings show them. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpLaunch, McpServerView, McpState, McpStatus } from "@/lib/tools/mcp";
import { findLiteralSecrets, moveSecrets } from "./config/literal-secrets";
import { findUnpinnedPackage } from "./config/pinned-package";
import type { McpConfigProblem, McpServerConfig } from "./config/server-config";
import type { McpFile } from "./mcp-file";
import type { ConfiguredServer, McpService } from "./mcp-service";
import type { SignInService } from "./sign-in/sign-in-service";
import { viewTools } from "./source-tools";
import { hasOwnKey } from "./transport/http-target";

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

export interface ViewedServers {
  readonly service: McpService;
  readonly file: McpFile;
  /** Why the last attempt to approve a server or to sign in failed, by its id. */
  readonly failures: ReadonlyMap<string, AgentError>;
  readonly signIns: Pick<SignInService, "isSignedIn">;
}

function viewServer(
  { service, file, failures, signIns }: ViewedServers,
  server: ConfiguredServer,
  projectId: ProjectId,
): McpServerView {
  const { id, config } = server;
  const failure = failures.get(id);
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
    ...viewSignIn(config, error, signIns),
    ...(config.kind === "stdio" && findUnpinnedPackage(config) !== null ? { unpinned: {} } : {}),
    instructions: approved?.instructions ?? "",
    tools: approved === null ? [] : viewTools(id, approved),
  };
}

/** Without a key of the user: the state of his sign-in, where the server has one. */
function viewSignIn(
  config: McpServerConfig,
  error: AgentError | undefined,
  signIns: ViewedServers["signIns"],
): Pick<McpServerView, "signIn"> {
  if (config.kind !== "http" || hasOwnKey(config.headers)) return {};
  const reason = error?.facts?.reason;
  const isRequired = reason === "signed_out" || (typeof reason === "string" && reason.startsWith("sign_in_"));
  if (reason !== "signed_out" && signIns.isSignedIn(config)) return { signIn: "signed_in" };
  return isRequired || config.oauth !== null ? { signIn: "signed_out" } : {};
}

export function viewServers(viewed: ViewedServers, projectId: ProjectId): McpState {
  const { service, file } = viewed;
  const { problems, error } = file.read();
  const errors = [...(error === undefined ? [] : [error]), ...problems.map(problemError)];
  return {
    file: file.path,
    servers: service.configured().map((server) => viewServer(viewed, server, projectId)),
    problems: errors.map((one) => ({ file: file.path, error: one })),
  };
}
