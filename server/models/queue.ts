/** One line of waiting per model server: a server works on few answers at once, and waiting at it is silent. Called by model-stream. */
import { limits } from "@/lib/settings";

export interface HostQueue {
  /**
   * Resolves with `release` when it is this request's turn, first come, first served; release as soon as the answer ended,
   * never hold it while a person is asked. `onPosition` is told how many are ahead, only when there are any, and again when
   * that changes. Rejects with the signal's reason at once when aborted, and gives the place away.
   */
  enter(host: string, signal: AbortSignal, onPosition?: (ahead: number) => void): Promise<() => void>;
}

interface Waiter {
  readonly start: () => void;
  readonly tell: (ahead: number) => void;
}

/** `atOnce` = answers one server works on at the same time. */
export function makeHostQueue(atOnce: number = limits.queueHostMax): HostQueue {
  const lines = new Map<string, { running: number; waiting: Waiter[] }>();

  function tellAll(host: string): void {
    const line = lines.get(host);
    line?.waiting.forEach((waiter, index) => waiter.tell(line.running + index));
  }

  function leave(host: string): void {
    const line = lines.get(host);
    if (line === undefined) return;
    line.running -= 1;
    line.waiting.shift()?.start();
    if (line.running === 0) lines.delete(host);
    else tellAll(host);
  }

  /** Takes a place; the returned function gives it back, once however often it is called. */
  function take(host: string, line: { running: number }): () => void {
    line.running += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      leave(host);
    };
  }

  return {
    async enter(host, signal, onPosition = () => undefined) {
      signal.throwIfAborted();
      const line = lines.get(host) ?? { running: 0, waiting: [] };
      lines.set(host, line);
      if (line.running < atOnce) return take(host, line);
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          line.waiting = line.waiting.filter((other) => other !== waiter);
          tellAll(host);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          start() {
            signal.removeEventListener("abort", abort);
            resolve(take(host, line));
          },
          tell: onPosition,
        };
        line.waiting.push(waiter);
        signal.addEventListener("abort", abort, { once: true });
        onPosition(line.running + line.waiting.length - 1);
      });
    },
  };
}
