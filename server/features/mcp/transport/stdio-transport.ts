/**
 * Runs an MCP server as a child process and exchanges lines of JSON with it. The process has a group of its own, which
 * is ended as a whole: its input is closed, then SIGTERM, then SIGKILL; also processes that left the group, where the
 * system shows their environment (Linux). What it prints beside the protocol is logged and never ends it.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type AgentError, fail } from "@/lib/events/error";
import type { Steps } from "@/lib/async/steps";
import { neverAborted } from "@/server/base/abort";
import { type ProcessOptions, type StartedProcess, startProcess } from "@/server/base/run-process";
import { beginTimeSlice } from "@/server/base/steps";
import { pathWithoutProject } from "@/server/security/environment/shell-environment";
import { makeRedactor, type Redactor, secretValues } from "@/server/security/redaction/redact";
import { toPlainLines } from "@/server/tools/toolbox/foreign-text";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { endRemainingProcesses, processStartTicks } from "@/server/workspace/shell/process-group";
import { failMcp, McpError } from "../failure";
import { hiddenParts } from "../config/hidden-parts";
import { makeServerMask } from "../mask-content";
import { toPlainServerText } from "../server-text";
import { makeOutputLines, type OutputLine } from "./line-reader";
import { isMessage, parseMessages, tooLargeAnswer } from "./messages";
import { makeProcessLog } from "@/server/security/redaction/process-log";
import { repairAnswers } from "./repair-answers";
import type { ServerTransport } from "./server-transport";
import { randomBytes } from "node:crypto";

/** Time from the end of its input to SIGTERM, and from there to SIGKILL, ms. */
const endMs = { input: 1_000, terminate: 500 } as const;
/** Lines of the log in the error of a server that ended. */
const failureLines = 20;
/** A line in an error. */
const maxLineChars = 300;

export interface StdioOptions {
  readonly kind: "stdio";
  readonly command: string;
  readonly arguments: readonly string[];
  /** Absolute working folder. */
  readonly folder: string;
  /** Real path of the project: programs are not looked up in its folders. Null = none. */
  readonly project: string | null;
  /** The scrubbed environment. */
  readonly environment: { readonly [name: string]: string };
  /** The server's own variables; they replace those of `environment`. */
  readonly variables: { readonly [name: string]: string };
  /** Values to mask, beside those of its variables whose names indicate a secret. */
  readonly secrets: readonly string[];
  /** More values to mask in its log and errors alone: in results they may be usual words. */
  readonly logSecrets: readonly string[];
  readonly leftovers: Pick<CleanupJournal, "record">;
}

interface StdioTransport extends ServerTransport {
  /** Null before the start. */
  readonly pid: number | null;
  /** The presence of this member and of `pid` marks a transport to a process for the client. */
  readonly stderr: null;
}

export function makeStdioTransport(options: StdioOptions): StdioTransport {
  const named = secretValues(options.variables);
  const redactor = makeRedactor({ secrets: [...named, ...options.secrets, ...options.logSecrets], homes: [] });
  const mask = makeServerMask([...named.flatMap((value) => hiddenParts(value, true).secrets), ...options.secrets]);
  const answers = repairAnswers((message) => transport.onmessage?.(message));
  const output = makeServerOutput(redactor, answers.receive);
  let child: StartedProcess | null = null;
  let ended: Promise<void> = Promise.resolve();
  let failure: AgentError | null = null;
  let isClosed = false;

  async function finish(started: StartedProcess, { marker, forget }: ReturnType<typeof markProcesses>): Promise<void> {
    const group = started.pid ?? 0;
    const startTicks = processStartTicks(group);
    const result = await started.result;
    output.end();
    if (started.ended() === null) failure = startFailure(options, result, output.lines(failureLines));
    transport.onclose?.();
    if (group !== 0) await endRemainingProcesses({ group, marker, startTicks }, 0);
    forget();
  }

  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    redactor: () => redactor,
    mask: () => mask,
    log: output.lines,
    failure: () => failure,
    strayLine: output.strayLine,
    async start() {
      if (!(await isFolder(options.folder)))
        throw new McpError(failMcp({ reason: "folder_missing", folder: options.folder }).error);
      const environment = serverEnvironment(options);
      if (!(await isProgram(options, environment.PATH)))
        throw new McpError(failMcp({ reason: "program_missing", program: options.command }).error);
      // It was closed during the checks.
      if (isClosed) throw new McpError(failMcp({ reason: "closed" }).error);
      const mark = markProcesses(options.leftovers);
      const started = startServer(
        options,
        { ...environment, ...mark.environment },
        {
          onOutput: (chunk) => (started.ended() === null ? output.take(chunk) : "more"),
          onErrorOutput: output.takeErrors,
        },
      );
      child = started;
      ended = finish(started, mark);
      if (started.pid !== null) return;
      await ended;
      throw new McpError(failure ?? fail("tool_failed").error);
    },
    send(message) {
      answers.noteSent(message);
      child?.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    async close() {
      isClosed = true;
      child?.end("user");
      await ended;
    },
  };
  return transport;
}

interface ServerOutput {
  /** Takes a chunk of standard output, in several turns of the event loop when it has too many lines. */
  take(chunk: Buffer): "more" | Promise<void>;
  takeErrors(text: string): void;
  /** Nothing more will come. */
  end(): void;
  lines(max?: number): readonly string[];
  strayLine(): string | null;
}

function makeServerOutput(redactor: Redactor, deliver: (message: JSONRPCMessage) => void): ServerOutput {
  const log = makeProcessLog(redactor);
  const reader = makeOutputLines();
  let strayLine: string | null = null;
  let hasSpoken = false;
  const send = (message: JSONRPCMessage): void => {
    hasSpoken = true;
    deliver(message);
  };
  const takeStray = (line: string): void => {
    if (line.trim() === "") return;
    strayLine ??= line;
    log.add(line);
  };
  const takeLine = (line: OutputLine): void => {
    if (line.kind === "long") {
      log.add(`${line.head} … [a line of ${line.bytes} bytes was left out]`);
      const answer = tooLargeAnswer(line);
      if (answer !== null) send(answer);
      return;
    }
    const messages = parseMessages(line.text);
    if (messages === null) return takeStray(line.text);
    for (const message of messages) if (isMessage(message)) send(message);
  };
  return {
    take: (chunk) => runInSlices(reader.feed(chunk, takeLine)),
    takeErrors: log.addChunk,
    end() {
      const rest = reader.end();
      if (rest?.kind === "line") takeStray(rest.text);
    },
    lines: log.lines,
    strayLine: () => (hasSpoken || strayLine === null ? null : toPlainServerText(strayLine, redactor, maxLineChars)),
  };
}

/** The path of a project is not searched: its files would be run in place of the approved program. */
function serverEnvironment({ environment, variables, project, folder }: StdioOptions): {
  readonly [name: string]: string;
} {
  const all = { ...environment, ...variables, PWD: folder };
  if (variables.PATH !== undefined || project === null) return all;
  return { ...all, PATH: pathWithoutProject(project, environment.PATH) };
}

function startServer(
  options: StdioOptions,
  environment: { readonly [name: string]: string },
  output: Pick<ProcessOptions, "onOutput" | "onErrorOutput">,
): StartedProcess {
  return startProcess(
    {
      program: options.command,
      arguments: options.arguments,
      cwd: options.folder,
      environment,
      inputGraceMs: endMs.input,
      graceMs: () => endMs.terminate,
      ...output,
    },
    neverAborted,
  );
}

/** Whether there is such a file that may be executed: at its path, or in a folder of PATH. */
async function isProgram({ command, folder }: StdioOptions, path = ""): Promise<boolean> {
  const places = command.includes("/") ? [folder] : path.split(":");
  for (const place of places) {
    const file = resolve(folder, place, command);
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable && !(await isFolder(file))) return true;
  }
  return false;
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

function startFailure(
  { command }: StdioOptions,
  result: Awaited<StartedProcess["result"]>,
  lines: readonly string[],
): AgentError {
  if (result.ok) {
    const { exit, signal } = result.value;
    const plain = lines.map((line) => toPlainLines(line, maxLineChars));
    return failMcp({ reason: "exited", exit, signal, lines: plain }).error;
  }
  return failMcp({ reason: "not_startable", program: command }, result.error.detail).error;
}

/** Takes the lines at once, or in several turns of the event loop when there are too many. */
function runInSlices(steps: Steps<void>): "more" | Promise<void> {
  const turn = beginTimeSlice();
  while (steps.next().done !== true) if (turn.isOver()) return continueLater(steps, turn);
  return "more";
}

async function continueLater(steps: Steps<void>, turn: ReturnType<typeof beginTimeSlice>): Promise<void> {
  await turn.next();
  while (steps.next().done !== true) if (turn.isOver()) await turn.next();
}

const variable = "GOPI_MCP";

interface ProcessMark {
  /** As in the journal. */
  readonly marker: string;
  /** To be added to the environment of the program. */
  readonly environment: { readonly [name: string]: string };
  /** Removes the journal's entry. */
  forget(): void;
}

/** Marks the processes of a program in their environment, so that the next start finds those that a crash left behind. */
export function markProcesses(leftovers: Pick<CleanupJournal, "record">): ProcessMark {
  const value = randomBytes(12).toString("hex");
  const marker = `${variable}=${value}`;
  return { marker, environment: { [variable]: value }, forget: leftovers.record({ marker }) };
}
