/**
 * The bash tool: runs one command in the session's logical shell, streams its output and ends with one status line.
 */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import type { CallFacts, SandboxFailure } from "@/lib/events/tool-kind";
import type { ShellResult } from "@/server/workspace/workspace";
import { findSandboxFailure } from "@/server/workspace/shell/sandbox-failure";
import { defineTool } from "../core/define-tool";
import { formatDecimalSize } from "../core/to-tool-error";
import { templateMarkNotes } from "../toolbox/foreign-text";
import { makeOutputSink } from "./output-sink";
import { type ToolCall, type ToolDependencies, ToolError, type ToolResult, type ToolSettings } from "../core/tool";

/** Maximum timeout a model may request, ms. */
const bashTimeoutMaxMs = 600_000;

const bashSchema = z.object({ command: z.string().check(z.minLength(1)), timeout: z.optional(z.int()) });
type BashInput = z.infer<typeof bashSchema>;

/** Bytes reserved for the status line; a longer folder name is cut later by the result limit. */
const statusLineBytes = 512;

/** Returns the time limit in milliseconds, clamped to 1 to 600 seconds. */
function clampTimeoutMs(input: BashInput, settings: ToolSettings): number {
  if (input.timeout === undefined) return settings.bashTimeoutSeconds * 1_000;
  return Math.max(1_000, Math.min(input.timeout * 1_000, bashTimeoutMaxMs));
}

function checkCommand(input: BashInput): string {
  if (input.command.trim() === "")
    throw new ToolError("bad_input", 'The command is empty. Call it like this: bash {"command":"npm test"}');
  if (input.command.includes("\0"))
    throw new ToolError("bad_input", "The command has a NUL character, which no shell can take.");
  if (input.command.length > limits.commandMaxChars) {
    throw new ToolError(
      "too_large",
      `The command has more than ${limits.commandMaxChars} characters. Write a script with the write tool and run that.`,
    );
  }
  return input.command;
}

function formatFolder(cwd: string, root: string): string {
  const relative = posix.relative(root, cwd);
  return relative === "" ? "the project folder" : relative.startsWith("..") ? cwd : relative;
}

const sandboxNotes: Readonly<Record<SandboxFailure, string>> = {
  files: "it ran in a sandbox, where only the project, /tmp and caches can be written: do not retry, ask the user",
  network: "it ran in a sandbox without network: run it again only if it needs the network, the user will be asked",
  local:
    "it ran in a sandbox that reaches only programs which the command itself starts: if it needs another one, ask the user",
  hidden: "it ran in a sandbox that hides keys, passwords and sockets: do not retry, ask the user",
};

/** Formats the status line: exit code or reason of the end, current folder, number of ended background processes. */
function formatStatusLine(
  result: ShellResult,
  { timeoutMs, notes }: ShellCommand,
  { before, root }: { readonly before: string; readonly root: string },
): string {
  const parts: string[] = [];
  if (result.error !== undefined)
    parts.push(`bash could not be started${result.detail === undefined ? "" : `: ${result.detail}`}`);
  else if (result.exit !== null) parts.push(`exit code ${result.exit}`);
  if (result.ended === "timeout") parts.push(`ended after ${timeoutMs / 1000} s (timeout)`);
  else if (result.ended === "aborted") parts.push("stopped by the user");
  else if (result.ended === "user") parts.push("ended by the user");
  else if (result.ended === "output_limit")
    parts.push(`ended: more than ${formatDecimalSize(serverLimits.bashSpillBytes)} of output`);
  else if (result.signal !== null) parts.push(`ended by ${result.signal}`);
  if (result.cwdLost === true) parts.push("its folder is gone, it ran in the project folder");
  if (result.cwd !== before || result.cwd !== root) parts.push(`now in ${formatFolder(result.cwd, root)}`);
  if (result.killed > 0)
    parts.push(`${result.killed} background ${result.killed === 1 ? "process was" : "processes were"} ended`);
  return `[${[...parts, ...notes].join("; ")}]`;
}

function shellFacts(
  result: ShellResult,
  appliedMs: number,
  more: { readonly bytes: number } & Pick<CallFacts, "sandboxFailure" | "startFolder">,
): CallFacts {
  return {
    exit: result.exit ?? undefined,
    signal: result.signal ?? undefined,
    ended: result.ended,
    ...(result.killed === 0 ? {} : { killed: result.killed }),
    ...(result.error === undefined ? {} : { code: "tool_failed" }),
    ...(result.sandboxed === undefined ? {} : { sandbox: true }),
    cwd: result.cwd,
    timeoutMs: appliedMs,
    ...more,
  };
}

/** Messages of programs that may not write more to a file, or get no more memory. */
const limitErrors =
  /^[^\s:]+: .*\b(?:file too large|memory exhausted|out of memory|cannot allocate memory)\b|^memory allocation of \d+ bytes failed/im;

const limitNote =
  "it ran without an approval, with limits for memory and file size, and reached one: read less at once, or ask the user to run it";

const withFinalNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

type BashDependencies = Pick<ToolDependencies, "shell" | "storeBlob"> & {
  readonly files: Pick<ToolDependencies["files"], "root">;
  readonly settings: Pick<ToolSettings, "bashOutputBytes">;
};

interface ShellCommand {
  readonly command: string;
  readonly timeoutMs: number;
  /** Added to the status line. */
  readonly notes: readonly string[];
}

/** Runs a command, streams its output to `progress` and returns it within the limits, with a status line. */
export async function runShellCommand(
  input: ShellCommand,
  { files, settings, shell, storeBlob }: BashDependencies,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { command, timeoutMs } = input;
  const sink = makeOutputSink({
    maxBytes: settings.bashOutputBytes - statusLineBytes,
    spillBytes: serverLimits.bashSpillBytes,
    keep: storeBlob,
  });
  const onOutput = (text: string): void => {
    sink.write(text);
    progress(text);
  };
  const before = shell.cwd;
  const result = await shell.run(command, { timeoutMs, onOutput }, signal);
  const end = await sink.end(result.exit === 0 ? "both" : "failure");
  const isLimitReached = result.limited === true && limitErrors.test(end.text);
  const { exit, sandboxed } = result;
  const hasFailed = exit === null ? result.ended === "timeout" : exit !== 0;
  const sandboxFailure = sandboxed !== undefined && hasFailed ? findSandboxFailure(end.text, sandboxed.network) : null;
  const notes = [
    ...input.notes,
    ...(isLimitReached ? [limitNote] : []),
    ...(sandboxFailure === null ? [] : [sandboxNotes[sandboxFailure]]),
    ...templateMarkNotes(end.text),
  ];
  const shown = end.bytes > 0 ? withFinalNewline(end.text) : result.error === undefined ? "(no output)\n" : "";
  return {
    output: [
      {
        type: "text",
        text: shown + formatStatusLine(result, { ...input, notes }, { before, root: files.root }),
        ...(end.cut || result.styles === undefined ? {} : { styles: result.styles }),
      },
    ],
    facts: {
      ...shellFacts(result, timeoutMs, {
        bytes: end.bytes,
        ...(sandboxFailure === null ? {} : { sandboxFailure }),
        ...(sandboxFailure === null || before === files.root ? {} : { startFolder: before }),
      }),
      ...(isLimitReached ? { limited: true } : {}),
    },
    // Output that broke off may end in the middle of a word, before the line break that was added.
    cutPositions: {
      note: end.note,
      ...(end.start === undefined ? {} : { start: end.start }),
      ending: end.bytes === 0 ? 0 : shown.length - 1,
    },
    failed: result.exit !== 0,
    ...(end.cut ? { full: { bytes: end.bytes, blob: end.blob } } : {}),
  };
}

function runCommand(
  input: BashInput,
  project: Pick<ToolDependencies, "files" | "settings" | "shell" | "storeBlob">,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const command = checkCommand(input);
  const timeoutMs = clampTimeoutMs(input, project.settings);
  const isClamped = input.timeout !== undefined && input.timeout * 1_000 !== timeoutMs;
  const notes = isClamped ? [`timeout ${input.timeout} was taken as ${timeoutMs / 1_000} s`] : [];
  return runShellCommand({ command, timeoutMs, notes }, project, call.progress, signal);
}

export const bash = defineTool<BashInput>({
  name: "bash",
  kind: "shell",
  schema: bashSchema,
  example: { command: "npm test", timeout: 120 } satisfies { readonly [name: string]: Json },
  limits: (settings) => ({ bytes: settings.bashOutputBytes, keep: "both" }),
  target: (input) => input.command,
  facts: (input, settings) => ({ timeoutMs: clampTimeoutMs(input, settings) }),
  access: (input) => [{ kind: "exec", target: input.command }],
  locks: () => ({ paths: [], shell: true }),
  create: (project: Pick<ToolDependencies, "files" | "settings" | "shell" | "storeBlob">) => ({
    async preview(input) {
      const command = checkCommand(input);
      const timeoutMs = clampTimeoutMs(input, project.settings);
      return { preview: { kind: "command", command, cwd: project.shell.cwd, parts: [], timeoutMs } };
    },
    run: (input, call, signal) => runCommand(input, project, call, signal),
  }),
});
