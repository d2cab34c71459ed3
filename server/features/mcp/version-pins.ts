/**
 * Writes the newest version of a server's package into its entry in the home's file. The version is found by the user's own
 * package manager, in a folder of this program: nothing is installed, and no configuration of a project is read.
 */
import { isJsonObject } from "@/lib/events/content";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import { stripAnsi } from "@/lib/text/ansi";
import { parseJson } from "@/server/base/parse-json";
import { runProcess } from "@/server/base/run-process";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { makePrivateFolder } from "@/server/store/core/private-file";
import {
  findUnpinnedPackage,
  pinPackage,
  readFoundVersion,
  type UnpinnedPackage,
  versionQuery,
} from "./config/pinned-package";
import type { ConfiguredServer } from "./configured-servers";
import { failMcp } from "./failure";
import type { McpFile } from "./mcp-file";
import type { McpServiceHost } from "./mcp-service";
import { markProcesses } from "./transport/stdio-transport";

const timeoutMs = 60_000;
/** npm lists the files of the package. */
const maxOutputBytes = 16_000_000;
const maxLines = 5;

export interface VersionPins {
  isRunning(server: ConfiguredServer): boolean;
  /** A second call for the same launch has the result of the first while that runs. Resolves with the version. */
  pin(projectId: ProjectId, server: ConfiguredServer): Promise<Result<string>>;
  stop(server: ConfiguredServer): void;
}

interface Search {
  readonly launch: Hash;
  readonly stop: AbortController;
  readonly result: Promise<Result<string>>;
}

type PinHost = Pick<McpServiceHost, "environment" | "settings" | "home" | "leftovers"> & {
  /** A search has begun or ended that the page of this project requested. */
  onChange(projectId: ProjectId): void;
};

/** `ends` fires when all searches are to end. */
export function makeVersionPins(host: PinHost, file: Pick<McpFile, "read" | "edit">, ends: AbortSignal): VersionPins {
  const running = new Map<string, Search>();
  const search = async (server: ConfiguredServer, signal: AbortSignal): Promise<Result<string>> => {
    const { config, projectId, launch } = server;
    if (projectId !== null || config.kind !== "stdio") return fail("not_allowed");
    const found = findUnpinnedPackage(config);
    if (found === null) return fail("changed_meanwhile");
    const version = await findVersion(host, server, found, signal);
    if (!version.ok) return version;
    const current = file.read().servers.find(({ name }) => name === config.name);
    const word = current?.kind === "stdio" ? current.args[found.index] : undefined;
    if (signal.aborted) return fail("aborted");
    if (word === undefined || word !== config.args[found.index] || running.get(server.key)?.launch !== launch)
      return fail("changed_meanwhile");
    const value = pinPackage(found, version.value);
    // The file is read at most twice a second.
    const place = ["mcpServers", config.name, "args", found.index];
    const edited = await file.edit([{ path: place, value, before: word }]);
    return edited.ok ? version : edited;
  };
  return {
    isRunning: ({ key, launch }) => running.get(key)?.launch === launch,
    async pin(projectId, server) {
      const { key, launch } = server;
      const before = running.get(key);
      if (before?.launch === launch) return before.result;
      before?.stop.abort();
      const stop = new AbortController();
      const result = Promise.resolve().then(() => search(server, AbortSignal.any([ends, stop.signal])));
      const mine: Search = { launch, stop, result };
      running.set(key, mine);
      host.onChange(projectId);
      try {
        return await result;
      } finally {
        if (running.get(key) === mine) running.delete(key);
        host.onChange(projectId);
      }
    },
    stop: ({ key }) => running.get(key)?.stop.abort(),
  };
}

async function findVersion(
  { environment, settings, home, leftovers }: PinHost,
  { config }: ConfiguredServer,
  found: UnpinnedPackage,
  signal: AbortSignal,
): Promise<Result<string>> {
  if (config.kind !== "stdio") return fail("not_allowed");
  const query = versionQuery(config, found);
  const folder = join(home, "mcp");
  makePrivateFolder(folder);
  const output: Buffer[] = [];
  const mark = markProcesses(leftovers);
  const ran = await runProcess(
    {
      ...query,
      cwd: folder,
      environment: { ...shellEnvironment(environment, settings().shellEnvironment), ...mark.environment },
      maxBytes: maxOutputBytes,
      timeoutMs,
      onOutput(chunk) {
        output.push(chunk);
        return "more";
      },
    },
    signal,
  );
  mark.forget();
  if (signal.aborted) return fail("aborted");
  if (!ran.ok) return failMcp({ reason: "program_missing", program: query.program });
  const text = Buffer.concat(output).toString("utf8");
  const { exit, ended, errorOutput } = ran.value;
  const version = exit === 0 && ended === null ? readFoundVersion(found, text) : null;
  if (version !== null) return ok(version);
  return pinFailure(found, ended === "timeout" ? "ETIMEDOUT" : npmErrorCode(text), errorOutput);
}

const unreachableCodes: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ERR_SOCKET_TIMEOUT",
  "ETIMEDOUT",
]);

/** npm describes a failure in its output. */
function npmErrorCode(output: string): string {
  const parsed = parseJson(output);
  const error = isJsonObject(parsed) ? parsed.error : undefined;
  return isJsonObject(error) && typeof error.code === "string" ? error.code : "";
}

function pinFailure({ name, registry }: UnpinnedPackage, code: string, errorOutput: string): Result<never> {
  const source = registry === "npm" ? "npm" : "PyPI";
  if (code === "E404") return fail("tool_failed", undefined, { reason: "pin_unknown", name, registry: source });
  if (unreachableCodes.has(code))
    return fail("tool_failed", undefined, { reason: "pin_unreachable", registry: source });
  const lines = stripAnsi(errorOutput)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return fail("tool_failed", undefined, { reason: "pin_failed", name, lines: lines.slice(-maxLines) });
}
