/** A call that runs: its locks, and what its tool may use. Effects are attributed to the call. */
import type { Json } from "@/lib/events/content";
import type { ParentCall } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { ToolAccess } from "@/lib/permissions/policy";
import { serverLimits } from "@/lib/settings/server-limits";
import { type MessageEntry, pathEntriesBackward } from "@/lib/view/view";
import { type Tool, type ToolCall, type ToolDependencies, ToolError } from "@/server/tools/core/tool";
import type { AgentHost } from "../host";

export interface PreparedCall {
  readonly host: AgentHost;
  readonly tool: Tool;
  readonly input: Json;
  readonly callId: CallId;
  readonly message: MessageEntry;
  readonly repaired: boolean;
  startClock(): void;
}

/** The call and its session. */
export const callIdOf = ({ host, callId }: PreparedCall): ParentCall => ({ sessionId: host.view().sessionId, callId });

export function lockKeys(host: AgentHost, tool: Tool, input: Json): readonly string[] {
  const { paths, shell } = tool.locks(input);
  return [...paths.map((path) => `path:${lockKeyForPath(host, path)}`), ...(shell ? ["shell"] : [])];
}

/** Two spellings of one file share a lock; an invalid path locks its own text. */
function lockKeyForPath(host: AgentHost, path: string): string {
  try {
    return host.toolEnvironment().path(path, "read").relative;
  } catch (error) {
    if (error instanceof ToolError) return path;
    throw error;
  }
}

/** Limits for the command of a call: decided by the names of its programs, and by whether it runs without an approval. */
type CommandLimits = Pick<Parameters<ToolDependencies["shell"]["run"]>[1], "readsOnly" | "isLimited">;

/** The shell of one call, whose command the user can end. */
const makeCallShell = ({ host, callId }: PreparedCall, limits: () => CommandLimits): ToolDependencies["shell"] => {
  const { shell } = host.toolEnvironment();
  return {
    get cwd() {
      return shell.cwd;
    },
    async run(command, options, signal) {
      const killing = new AbortController();
      const stopListening = host.onEndCommand(callId, () => killing.abort());
      try {
        const view = host.view();
        const sandboxedCall = { mode: view.mode, network: view.networkSince > 0 };
        return await shell.run(command, { ...options, ...limits(), sandboxedCall, kill: killing.signal }, signal);
      } finally {
        stopListening();
      }
    },
  };
};

/** Returns the session's tool environment, with shell and trash of this call. `limits` is called when a command runs. */
export function makeDependencies(call: PreparedCall, limits: () => CommandLimits): ToolDependencies {
  const { host, callId } = call;
  const environment = host.toolEnvironment();
  return {
    ...environment,
    shell: makeCallShell(call, limits),
    catalogue: host.catalogue,
    windowTokens: host.view().model?.numCtx ?? serverLimits.windowMinTokens,
    vision: host.settings().vision,
    settings: host.settings(),
    async trash(path) {
      const states = await environment.fileStates(path);
      host.commit(states.map((state) => ({ type: "file_change", callId, ...state })));
      return environment.trash(path);
    },
  };
}

/** The call: only judged paths, with output and changes attributed to it. */
export function makeToolCall(call: PreparedCall, accesses: readonly ToolAccess[], signal: AbortSignal): ToolCall {
  const { host, callId } = call;
  const environment = host.toolEnvironment();
  let offset = 0;
  return {
    id: callIdOf(call),
    isAttended() {
      for (const entry of pathEntriesBackward(host.view()))
        if (entry.kind === "message" && entry.role === "user") return entry.origin === undefined;
      return true;
    },
    path(text, use) {
      const judged = accesses.some(
        (access) =>
          "target" in access &&
          access.kind !== "exec" &&
          access.target === text &&
          (use === "read" || access.kind !== "read"),
      );
      if (!judged) throw new ToolError("not_allowed", `${text} was not part of what was allowed.`);
      return environment.path(text, use);
    },
    progress(text) {
      if (signal.aborted || text === "") return;
      host.live({ type: "tool_call_delta", callId, offset, text });
      offset += text.length;
    },
    onEnd: (end) => host.onEndCommand(callId, end),
    recordChange: (state) => host.commit([{ type: "file_change", callId, ...state }]),
    recordBeforeWrite: async (path, before) => host.recordBeforeWrite(callId, path.relative, before),
  };
}
