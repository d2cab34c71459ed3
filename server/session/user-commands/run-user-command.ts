/**
 * Runs a command of the user in the project folder, by the user's own right: without approval, rules and sandbox. It is
 * a run of its own, so that it never changes what a request of the agent contains. What it changes can be undone.
 */
import type { Block } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent, RunEnd } from "@/lib/events/event";
import type { CallId, CommandId, MessageId, QueuedId, RunId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import { limits } from "@/lib/settings/settings";
import { at, indexOfSeq } from "@/lib/view/chunks";
import {
  findUserCommand,
  isUserCommandText,
  parseUserCommand,
  type UserCommand,
  userCommandInput,
  userCommandName,
} from "@/lib/events/user-command";
import type { CallView, SessionView } from "@/lib/view/view";
import { randomId } from "@/server/base/id";
import { isQueuedCommand, userMessageEvents } from "../core/queue";
import type { AgentHost } from "@/server/agent/host";
import { readPinsForQueue } from "@/server/agent/loop/loop";
import { describeFileChanges } from "@/server/agent/tools/file-changes";
import type { ToolResult } from "@/server/tools/core/tool";
import { runShellCommand } from "@/server/tools/shell/bash";
import type { DetectedFileChanges } from "@/server/workspace/snapshots/found-changes";
import type { Shell } from "@/server/workspace/workspace";

/** A day: the user ends a command that takes too long. */
const userCommandTimeoutMs = 86_400_000;

/** Parses a command. Fails with bad_input for none and for a NUL character, which no shell can take, and with too_large. */
export function checkUserCommand(text: string): Result<UserCommand> {
  const parsed = parseUserCommand(text);
  if (parsed === null || parsed.command.includes("\0")) return fail("bad_input");
  if (parsed.command.length <= limits.commandMaxChars) return ok(parsed);
  return fail("too_large", undefined, { limit: limits.commandMaxChars });
}

/** Checks the new text of a queued command, which is run as it is. Fails with the codes of `checkUserCommand`. */
export function checkQueuedEdit(view: SessionView, id: QueuedId, text: string): Result<unknown> {
  const isCommand = view.queue.find((message) => message.id === id)?.isCommand === true;
  return isCommand && isUserCommandText(text) ? checkUserCommand(text) : ok(null);
}

/** Events that start a command: its run, the user's message with the call, and the start of the call. */
export function userCommandEvents(command: UserCommand, commandId: CommandId): readonly DurableEvent[] {
  const messageId = randomId<MessageId>("m");
  const callId = randomId<CallId>("c");
  const call: Block = { type: "call", callId, name: userCommandName, input: userCommandInput(command) };
  return [
    { type: "agent_start", runId: randomId<RunId>("r") },
    ...userMessageEvents(messageId, commandId, [call]),
    { type: "tool_call_start", callId, messageId, kind: "shell", target: command.command, facts: {} },
  ];
}

/** Events that start the oldest queued message if it is a command; otherwise none. */
export function takeQueuedCommand(view: SessionView): readonly DurableEvent[] {
  const [next] = view.queue;
  const command = next !== undefined && isQueuedCommand(next) ? checkUserCommand(next.text) : null;
  if (next === undefined || command?.ok !== true) return [];
  return [{ type: "queue_change", queued: view.queue.slice(1) }, ...userCommandEvents(command.value, next.commandId)];
}

/** The command that the open run executes; null = it is a run of the agent. */
export function openUserCommand(view: SessionView): CallView | null {
  for (const seq of Object.values(view.openCalls)) {
    const entry = at(view.entries, indexOfSeq(view.entries, seq));
    const found = entry?.kind === "message" ? findUserCommand(entry) : null;
    if (found !== null) return found.call;
  }
  return null;
}

export interface UserCommandHost extends AgentHost {
  /** A new shell in the project folder, without the sandbox. */
  userShell(): Shell;
}

/**
 * Runs the command of the open run and commits its end; nothing if `isShutdown` returns true then: the next start
 * closes it.
 */
export async function runUserCommand(
  host: UserCommandHost,
  { callId, target }: CallView,
  isShutdown: () => boolean,
  signal: AbortSignal,
): Promise<RunEnd> {
  const startedAt = host.now();
  const { files, storeBlob } = host.toolEnvironment();
  const ending = new AbortController();
  const stopListening = host.onEndCommand(callId, () => ending.abort());
  let offset = 0;
  const shell = host.userShell();
  const execute = (): Promise<ToolResult> =>
    runShellCommand(
      { command: target, timeoutMs: userCommandTimeoutMs, notes: [] },
      {
        files,
        storeBlob,
        settings: host.settings(),
        shell: {
          cwd: shell.cwd,
          run: (command, options, stop) => shell.run(command, { ...options, kill: ending.signal }, stop),
        },
      },
      (text) => {
        if (signal.aborted || text === "") return;
        host.live({ type: "tool_call_delta", callId, offset, text });
        offset += text.length;
      },
      signal,
    );
  const {
    result,
    changes,
    files: befores,
  } = await runTracked(host, { callId, target }, execute).finally(stopListening);
  const { output, facts, cutPositions, full } = result;
  const isAborted = facts.ended === "aborted";
  const shown = Buffer.byteLength(output.map((block) => (block.type === "text" ? block.text : "")).join(""));
  const end: DurableEvent = {
    type: "tool_call_end",
    callId,
    outcome: isAborted ? "aborted" : result.failed === true ? "error" : "ok",
    output,
    facts: withoutFolder(facts),
    ...(changes.length === 0 ? {} : { changes }),
    ...(cutPositions === undefined ? {} : { cutPositions }),
    ...(full === undefined ? {} : { cut: { shown: Math.min(shown, full.bytes), total: full.bytes, blob: full.blob } }),
    tookMs: Math.max(0, host.now() - startedAt),
  };
  // The command may have changed pinned files, which go with a message that waits.
  await readPinsForQueue(host, signal);
  if (isShutdown()) {
    // The end is unknown to the next start; what it changed can be undone there.
    if (befores.length > 0) host.commit(befores);
    return "interrupted";
  }
  const { run } = host.view();
  const isStopped = signal.aborted || run === null;
  const ends = [...befores, end];
  host.commit(isStopped ? ends : [...ends, { type: "agent_end", runId: run.runId, reason: "done" }]);
  return isStopped ? "aborted" : "done";
}

interface TrackedResult {
  readonly result: ToolResult;
  readonly changes: DetectedFileChanges["changes"];
  readonly files: readonly DurableEvent[];
}

/** Runs the command between two scans of the project, unless it only reads. */
async function runTracked(
  host: UserCommandHost,
  { callId, target }: Pick<CallView, "callId" | "target">,
  execute: () => Promise<ToolResult>,
): Promise<TrackedResult> {
  const { readsOnly } = await host.judge([{ kind: "exec", target }]);
  if (readsOnly === true) return { result: await execute(), changes: [], files: [] };
  const { value, found } = await host.toolEnvironment().trackFileChanges(callId, execute);
  const { files, facts } = describeFileChanges(callId, found);
  if (value.status === "rejected") {
    host.commit(files);
    throw value.reason;
  }
  const result = { ...value.value, facts: { ...value.value.facts, ...facts } };
  return { result, changes: found.changes, files };
}

/** The agent's shell continues in the folder of its own last command. */
function withoutFolder({ cwd: _cwd, timeoutMs: _timeoutMs, ...facts }: CallFacts): CallFacts {
  return facts;
}
