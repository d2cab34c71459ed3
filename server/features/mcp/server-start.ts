/**
 * Prepares the start of a configured server, or the connection to it: its variables replaced, in a folder that the user
 * trusts. Values that its entry leaves open are set or entered by the user.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { asId, type ProjectId } from "@/lib/events/id";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { makePrivateFolder } from "@/server/store/core/private-file";
import { type ExpandedServer, expandServer } from "./config/expand-variables";
import { readEnvFile } from "./config/env-file";
import type { ConfiguredServer } from "./configured-servers";
import type { McpServiceHost } from "./mcp-service";
import type { ServerKey } from "./server-life";
import type { ServerStart } from "./servers";
import type { HttpAuthorization } from "./transport/http-target";
import type { McpValueView } from "@/lib/tools/mcp";
import { referencedNames } from "./config/references";

/** Shorter values of a file are words such as `true`, which are not masked in the log. */
const minSecretChars = 8;

/** Name of a stored value. A project's servers get none of those stored for the home's, or for another project's. */
export const valueName = ({ projectId }: Pick<ConfiguredServer, "projectId">, name: string): string =>
  projectId === null ? name : `${projectId}:${name}`;

/** Replaces the variables in the configuration of a server. `root` = real path of the project. */
export function expandConfigured(
  { environment, store }: Pick<McpServiceHost, "environment" | "store">,
  server: Pick<ConfiguredServer, "config" | "projectId" | "inputs">,
  root: string | null,
): ExpandedServer {
  const secrets = store.secrets.in("mcp");
  return expandServer(server.config, {
    variable: (name) => secrets.get(valueName(server, name)) ?? environment[name] ?? null,
    input: (id) => secrets.get(valueName(server, `input:${id}`)),
    openInputs: new Set(server.inputs.flatMap(({ id, isSecret }) => (isSecret ? [] : [id]))),
    project: root,
    userHome: environment.HOME ?? homedir(),
  });
}

export const missingVariables = (names: readonly string[]): Result<never> =>
  fail("bad_input", undefined, { reason: "missing_variables", names });

/** The file has it disabled. */
export const serverOff: AgentError = { code: "tool_off", facts: { reason: "server_off" } };

/** Fails with gone, tool_off, changed_meanwhile, and with bad_input when a variable is not set or its folder is not trusted. */
export async function resolveStart(
  host: McpServiceHost,
  authorization: (url: string) => HttpAuthorization,
  server: ConfiguredServer | undefined,
  { project, launch }: ServerKey,
): Promise<Result<ServerStart>> {
  const { projects, environment, leftovers, settings, home } = host;
  if (server === undefined) return fail("gone");
  if (server.config.disabled) return { ok: false, error: serverOff };
  if (server.launch !== launch) return fail("changed_meanwhile");
  const opened = await projects.get(asId<ProjectId>(project));
  if (!opened.ok) return opened;
  const { root } = opened.value;
  const expanded = expandConfigured(host, server, root);
  if (!expanded.ok) return missingVariables(expanded.missing);
  const { timeoutMs } = expanded.server;
  const limits = timeoutMs === null ? {} : { limits: { idleMs: timeoutMs } };
  const { secrets, logSecrets } = expanded;
  if (expanded.server.kind === "http") {
    const { url, transport, headers } = expanded.server;
    return ok({
      target: { kind: "http", url, transport, headers, secrets, logSecrets, authorization: authorization(url) },
      ...limits,
    });
  }
  const { command, args, cwd, env, envFile } = expanded.server;
  const folder = startFolder(cwd, root, opened.value.trusted(), home);
  if (folder === null) return fail("bad_input", undefined, { reason: "untrusted" });
  const inFile = await readEnvFile(envFile, opened.value.trusted() ? null : root);
  if (!inFile.ok) return inFile;
  return ok({
    target: {
      kind: "stdio",
      command,
      arguments: args,
      folder,
      project: root,
      environment: shellEnvironment(environment, settings().shellEnvironment),
      variables: { ...inFile.value, ...env },
      secrets,
      logSecrets: [...logSecrets, ...Object.values(inFile.value).filter((value) => value.length >= minSecretChars)],
      leftovers,
    },
    ...limits,
  });
}

/**
 * Returns the folder a server is started in. In a project that the user does not trust it is a folder of this program:
 * programs such as npx run what they find below their folder. Null = the configured folder is in such a project.
 */
function startFolder(cwd: string | null, root: string, isTrusted: boolean, home: string): string | null {
  const folder = cwd === null ? null : resolve(root, cwd);
  const isInProject = folder !== null && (folder === root || folder.startsWith(`${root}/`));
  if (isTrusted) return folder ?? root;
  if (isInProject) return null;
  if (folder !== null) return folder;
  const neutral = join(home, "mcp");
  makePrivateFolder(neutral);
  return neutral;
}

/** Returns what its entry leaves open, without the values. Ordered by name. */
export function viewValues(
  { store, environment }: Pick<McpServiceHost, "store" | "environment">,
  server: ConfiguredServer,
): readonly McpValueView[] {
  const secrets = store.secrets.in("mcp");
  return [...referencedNames(server.config)].toSorted().map((name): McpValueView => {
    const input = server.inputs.find(({ id }) => name === `input:${id}`);
    const isStored = secrets.get(valueName(server, name)) !== null;
    const isSet = (environment[name] ?? "") !== "";
    return {
      name,
      ...(input === undefined || input.description === "" ? {} : { description: input.description }),
      isSecret: input?.isSecret ?? true,
      from: isStored ? "stored" : isSet ? "environment" : "none",
    };
  });
}

/** Stores a value that the server's entry names; "" deletes it. Fails with not_found. */
export function storeValue(
  store: Pick<McpServiceHost["store"], "secrets">,
  server: ConfiguredServer,
  name: string,
  value: string,
): Result<void> {
  if (!referencedNames(server.config).has(name)) return fail("not_found");
  return ok(store.secrets.in("mcp").set(valueName(server, name), value === "" ? null : value));
}
