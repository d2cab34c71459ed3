/** Makes the controls by which the user ends parts of a run: its thinking, its command, the session's shell. */
import type { CallId } from "@/lib/events/id";

/** Listeners of the response being streamed; `notify` calls them and returns whether one of them acts. */
export function makeListenerSet() {
  const listeners = new Set<() => boolean>();
  return {
    on(listener: () => boolean): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (): boolean => [...listeners].map((listener) => listener()).some((acts) => acts),
  };
}

/** Actions of the user on parts of a run: its thinking, its command, the session's shell. */
export interface SessionRunControls {
  /** Ends the current thinking and queries the model again without it; false = no thinking is in progress. */
  answerNow(): boolean;
  /** Ends the running command of this call, with its process group; false = no command is running. */
  endCommand(callId: CallId): boolean;
  /**
   * Ends the shell: the next command starts in the session's folder without exported variables, and the model gets a
   * notice.
   */
  restartShell(): void;
}

export interface RunningCommands {
  on(callId: CallId, end: () => void): () => void;
  end(callId: CallId): boolean;
  /** Ends all of them and returns their calls. */
  endAll(): readonly CallId[];
}

export function makeRunningCommands(): RunningCommands {
  const running = new Map<CallId, () => void>();
  return {
    on(callId, end) {
      running.set(callId, end);
      return () => void running.delete(callId);
    },
    end(callId) {
      const end = running.get(callId);
      end?.();
      return end !== undefined;
    },
    endAll() {
      const calls = [...running.keys()];
      for (const end of [...running.values()]) end();
      return calls;
    },
  };
}
