/**
 * Turns of subagents on model servers: each server has as many as it works on at once. A subagent that waits for the user
 * lends its turn to the next one.
 */
import { abortable } from "@/server/base/abort";

export interface Turn {
  /** Lends the turn while it waits. Afterwards it has one again at once, although a borrower may still work. */
  setWaiting(waits: boolean): void;
}

export interface Turns {
  /** Runs `work` with a turn, in request order. Rejects with the signal's reason while it waits for one. */
  hold<T>(server: TurnServer, work: (turn: Turn) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface TurnServer {
  readonly host: string;
  /** Its turns, at least 1. */
  readonly slots: number;
}

interface Line {
  /** As its server last said. */
  slots: number;
  working: number;
  readonly waiting: Set<() => void>;
}

export function makeTurns(): Turns {
  const lines = new Map<string, Line>();
  const startNext = (line: Line): void => {
    for (const start of line.waiting) {
      if (line.working >= line.slots) return;
      line.waiting.delete(start);
      line.working += 1;
      start();
    }
  };
  const free = (host: string, line: Line): void => {
    line.working -= 1;
    startNext(line);
    if (line.working === 0 && line.waiting.size === 0 && lines.get(host) === line) lines.delete(host);
  };
  return {
    async hold({ host, slots }, work, signal) {
      signal.throwIfAborted();
      const line = lines.get(host) ?? { slots, working: 0, waiting: new Set() };
      lines.set(host, line);
      let start = (): void => {};
      const granted = new Promise<void>((resolve) => (start = resolve));
      line.waiting.add(start);
      line.slots = slots;
      startNext(line);
      try {
        await abortable(granted, signal);
      } catch (error) {
        // Either it still waits, or its turn came in the same moment.
        if (!line.waiting.delete(start)) free(host, line);
        throw error;
      }
      let isLent = false;
      const setWaiting = (waits: boolean): void => {
        if (waits === isLent) return;
        isLent = waits;
        if (waits) free(host, line);
        else line.working += 1;
      };
      try {
        return await work({ setWaiting });
      } finally {
        if (!isLent) free(host, line);
      }
    },
  };
}
