/** The servers as the settings show them. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpLaunch, McpListProblem, McpServerView, McpState, McpStatus } from "@/lib/tools/mcp";
import { findLiteralSecrets, moveSecrets } from "./config/literal-secrets";
import { findUnpinnedPackage } from "./config/pinned-package";
import { admitsTool, type McpServerConfig } from "./config/server-config";
import type { McpFile } from "./mcp-file";
import { type ConfiguredServer, processKey } from "./configured-servers";
import type { McpService, McpServiceHost } from "./mcp-service";
import { viewValues } from "./server-start";
import type { VersionPins } from "./version-pins";
import type { SignInService } from "./sign-in/sign-in-service";
import type { SignInSession } from "./sign-in/stored-sign-ins";
import { viewTools } from "./source-tools";
import { hasOwnKey } from "./transport/http-target";

/** Shows the command or address of a server; the variables that would replace its literal secrets are shown instead of them. */
export function viewLaunch(config: McpServerConfig, secrets = findLiteralSecrets(config)): McpLaunch {
  const shown = moveSecrets(config, secrets);
  return shown.kind === "stdio"
    ? {
        command: [shown.command, ...shown.args],
        variables: Object.keys(shown.env),
        ...(shown.envFile === undefined ? {} : { envFile: shown.envFile }),
      }
    : { command: [], address: shown.url, variables: Object.keys(shown.headers) };
}

interface ViewedServers {
  readonly host: Pick<McpServiceHost, "store" | "environment">;
  readonly service: McpService;
  readonly file: McpFile;
  readonly signIns: Pick<SignInService, "session">;
  readonly pins: Pick<VersionPins, "isRunning">;
}

function viewServer(
  { host, service, signIns, pins }: ViewedServers,
  server: ConfiguredServer,
  projectId: ProjectId,
  isCut: boolean,
): McpServerView {
  const { id, config } = server;
  const failure = service.failures.get(server.key);
  const approved = service.approvals.get(server, projectId);
  const state = service.servers.state(processKey(server, projectId));
  const values = viewValues(host, server);
  const listProblems: readonly McpListProblem[] = [
    ...service.servers.listProblems(processKey(server, projectId)),
    ...(isCut ? ["too_many_in_all" as const] : []),
  ];
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
    file: server.file,
    isOfProject: server.projectId !== null,
    ...(server.alsoIn.length === 0 ? {} : { alsoIn: server.alsoIn }),
    ...(values.length === 0 ? {} : { values }),
    ...(listProblems.length === 0 ? {} : { listProblems }),
    launch: viewLaunch(config),
    launchHash: server.launch,
    status: config.disabled ? "disabled" : running[state.status],
    ...(state.status === "starting" ? { since: state.since } : {}),
    ...(error === undefined ? {} : { error }),
    ...viewSignIn(server, error, () => signIns.session(server, service.configured.rootOf(projectId))),
    ...(config.kind === "stdio" && findUnpinnedPackage(config) !== null
      ? { unpinned: { isPinning: pins.isRunning(server) } }
      : {}),
    instructions: approved?.instructions ?? "",
    tools: approved === null ? [] : viewTools(id, approved, (ownName) => admitsTool(config, ownName)),
  };
}

/** Without a key of the user: the state of his sign-in, where the server has one. */
function viewSignIn(
  { config }: ConfiguredServer,
  error: AgentError | undefined,
  sessionOf: () => Pick<SignInSession, "missingScope"> | null,
): Pick<McpServerView, "signIn" | "missingScope"> {
  if (config.kind !== "http" || hasOwnKey(config.headers)) return {};
  const { reason = "" } = anyFacts(error);
  const isRequired = reason === "signed_out" || reason.startsWith("sign_in_");
  const session = reason === "signed_out" ? null : sessionOf();
  if (session?.missingScope !== undefined) return { signIn: "scope_missing", missingScope: session.missingScope };
  if (session !== null) return { signIn: "signed_in" };
  return isRequired || config.oauth !== null ? { signIn: "signed_out" } : {};
}

/** The project was opened. */
export function viewServers(viewed: ViewedServers, projectId: ProjectId): McpState {
  const { configured } = viewed.service;
  const untrusted = configured.untrusted(projectId);
  const cut = viewed.service.catalogue.cutIn(projectId);
  return {
    file: viewed.file.path,
    servers: configured.in(projectId).map((server) => viewServer(viewed, server, projectId, cut.has(server.id))),
    problems: configured.problems(projectId),
    ...(untrusted.length === 0 ? {} : { untrusted }),
  };
}
