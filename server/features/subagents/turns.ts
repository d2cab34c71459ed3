/**
 * Turns of subagents on model servers: each server has as many as it works on at once. A subagent that waits for the user
 * lends its turn to the next one of another session. Those of one session never work in turns: a server with one
 * conversation would read them again at each change.
 */
import type { SessionId } from "@/lib/events/id";
import { abortable } from "@/server/base/abort";

export interface Turn {
  /** Lends the turn while it waits. Afterwards it has one again at once, although a borrower may still work. */
  setWaiting(waits: boolean): void;
}

interface Turns {
  /**
   * Runs `work` with a turn of the server for a subagent of `parentId`, in request order. Rejects with the signal's reason
   * while it waits for one.
   */
  hold<T>(server: TurnServer, parentId: SessionId, work: (turn: Turn) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface TurnServer {
  readonly host: string;
  /** Its turns, at least 1. */
  readonly slots: number;
}

interface Holder {
  readonly parentId: SessionId;
  isLent: boolean;
}

interface Line {
  /** As its server last said. */
  slots: number;
  readonly holders: Set<Holder>;
  /** In request order. */
  readonly waiting: Map<Holder, () => void>;
}

const count = ({ holders }: Line, counts: (holder: Holder) => boolean): number => [...holders].filter(counts).length;

function startNext(line: Line): void {
  for (const [holder, start] of line.waiting) {
    if (count(line, ({ isLent }) => !isLent) >= line.slots) return;
    if (count(line, ({ parentId }) => parentId === holder.parentId) >= line.slots) continue;
    line.waiting.delete(holder);
    line.holders.add(holder);
    start();
  }
}

export function makeTurns(): Turns {
  const lines = new Map<string, Line>();
  const leave = (host: string, line: Line, holder: Holder): void => {
    line.waiting.delete(holder);
    line.holders.delete(holder);
    startNext(line);
    if (line.holders.size === 0 && line.waiting.size === 0 && lines.get(host) === line) lines.delete(host);
  };
  return {
    async hold({ host, slots }, parentId, work, signal) {
      signal.throwIfAborted();
      const line = lines.get(host) ?? { slots, holders: new Set(), waiting: new Map() };
      lines.set(host, line);
      line.slots = slots;
      const holder: Holder = { parentId, isLent: false };
      const granted = new Promise<void>((resolve) => line.waiting.set(holder, resolve));
      startNext(line);
      const setWaiting = (waits: boolean): void => {
        holder.isLent = waits;
        if (waits) startNext(line);
      };
      try {
        await abortable(granted, signal);
        return await work({ setWaiting });
      } finally {
        leave(host, line, holder);
      }
    },
  };
}
