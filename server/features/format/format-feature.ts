/**
 * Formats the text of an open file with the project's formatter, in trusted folders only: a formatter is a program, and
 * its configuration may be one.
 */
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { untilAborted } from "@/server/base/abort";
import { runProcess } from "@/server/base/run-process";
import { pathWithoutProject, shellEnvironment } from "@/server/security/environment/shell-environment";
import { ownerPath } from "@/server/security/paths/safe-path";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { Feature, FeatureHost } from "../feature";
import { chooseFormatter } from "./formatters";

/** Longest run of a formatter, ms. */
const formatTimeoutMs = 10_000;
/** Most bytes of a formatted text: white space may double it. */
const maxBytes = 2 * limits.editorMaxBytes;

export function formatFeature({ projects, environment }: Pick<FeatureHost, "projects" | "environment">) {
  const stopped = new AbortController();
  return {
    commands: {
      async "files.format"({ projectId, path, text }, client) {
        const project = await projects.get(projectId);
        if (!project.ok) return project;
        if (!project.value.trusted()) return fail("untrusted");
        const safe = ownerPath(path, "read", project.value.policy());
        if (!safe.ok) return safe;
        const ends = [stopped.signal, ...(client.disconnected === undefined ? [] : [client.disconnected])];
        return formatText(project.value, safe.value.absolute, text, environment, AbortSignal.any(ends));
      },
    },
    async start(signal) {
      await untilAborted(signal);
      stopped.abort();
    },
  } satisfies Feature;
}

/**
 * Fails with no_formatter, timeout, too_large, aborted, and format_failed (`detail` = the error output, `name` in the
 * facts). A formatter that prints nothing for a text has failed, whatever its exit code.
 */
async function formatText(
  { root }: Pick<OpenProject, "root">,
  path: string,
  text: string,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<{ readonly text: string; readonly formatter: string }>> {
  const searchPath = pathWithoutProject(root, environment.PATH);
  const chosen = await chooseFormatter(root, path, searchPath);
  if (chosen === null) return fail("no_formatter", undefined, { extension: posix.extname(path) });
  const chunks: Buffer[] = [];
  const run = await runProcess(
    {
      program: chosen.program,
      arguments: chosen.arguments,
      cwd: chosen.cwd,
      // The folder of this Node: formatters of a project are often its scripts.
      environment: {
        ...shellEnvironment(environment, ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "RUSTUP_HOME", "CARGO_HOME", "GOROOT"]),
        PATH: `${searchPath}:${posix.dirname(process.execPath)}`,
      },
      input: text,
      maxBytes,
      timeoutMs: formatTimeoutMs,
      onOutput(chunk) {
        chunks.push(chunk);
        return "more";
      },
    },
    signal,
  );
  if (!run.ok) return run;
  const { exit, ended, errorOutput } = run.value;
  const facts = { name: chosen.name };
  if (ended === "timeout") return fail("timeout", undefined, facts);
  if (ended === "output_limit") return fail("too_large", undefined, facts);
  if (ended !== null) return fail("aborted");
  const formatted = Buffer.concat(chunks).toString("utf8");
  if (exit !== 0 || (formatted === "" && text.trim() !== ""))
    return fail("format_failed", errorOutput.trim().slice(0, 1_000), facts);
  return ok({ text: formatted, formatter: chosen.name });
}
