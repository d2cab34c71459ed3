/**
 * Request queue per model server: a server works on few answers at once and gives no sign of life while a request
 * waits.
 */
import { serverLimits } from "@/lib/settings/server-limits";

export interface HostQueue {
  /**
   * Resolves with `release` when it is this request's turn, first in, first out; one in the background waits for all others.
   * Release as soon as the answer ended,
   * and never hold the slot during an approval. `onPosition` gets the number of requests ahead, only if there are any,
   * and again when it changes. Rejects at once with the signal's reason on abort, and gives up the position. `who`
   * identifies the caller for runFirst.
   */
  enter(host: string, owner: string, signal: AbortSignal, onPosition?: (ahead: number) => void): Promise<() => void>;
  /** Moves the requests of `who` to the front of their queues; false = none waits. */
  runFirst(owner: string): boolean;
  /** Whether a request runs or waits at this server. */
  isBusy(host: string): boolean;
}

interface Waiter {
  readonly who: string;
  readonly start: () => void;
  readonly notify: (ahead: number) => void;
}

/** `atOnce` = concurrent answers of a server; `isBackground` = no user waits for the answers of this caller. */
export function makeHostQueue(
  atOnce: (host: string) => number = () => serverLimits.queueHostMax,
  isBackground: (owner: string) => boolean = () => false,
): HostQueue {
  const lines = new Map<string, { running: number; waiting: Waiter[] }>();

  function notifyAll(host: string): void {
    const line = lines.get(host);
    line?.waiting.forEach((waiter, index) => waiter.notify(line.running + index));
  }

  /** Starts as many as the server works on at once now: the number may have changed. true = there were some. */
  function startWaiting(host: string, line: { running: number; waiting: Waiter[] }): boolean {
    const { running } = line;
    while (line.waiting.length > 0 && line.running < atOnce(host)) line.waiting.shift()?.start();
    return line.running > running;
  }

  function leave(host: string): void {
    const line = lines.get(host);
    if (line === undefined) return;
    line.running -= 1;
    startWaiting(host, line);
    if (line.running === 0) lines.delete(host);
    else notifyAll(host);
  }

  /** The returned function frees the slot once; further calls do nothing. */
  function take(host: string, line: { running: number }): () => void {
    line.running += 1;
    let held = true;
    return () => {
      if (held) leave(host);
      held = false;
    };
  }

  return {
    async enter(host, owner, signal, onPosition = () => undefined) {
      signal.throwIfAborted();
      const line = lines.get(host) ?? { running: 0, waiting: [] };
      lines.set(host, line);
      if (startWaiting(host, line)) notifyAll(host);
      if (line.running < atOnce(host)) return take(host, line);
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          line.waiting = line.waiting.filter((other) => other !== waiter);
          notifyAll(host);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          who: owner,
          start() {
            signal.removeEventListener("abort", abort);
            resolve(take(host, line));
          },
          notify: onPosition,
        };
        const firstInBackground = line.waiting.findIndex(({ who }) => isBackground(who));
        const place = isBackground(owner) || firstInBackground === -1 ? line.waiting.length : firstInBackground;
        line.waiting.splice(place, 0, waiter);
        signal.addEventListener("abort", abort, { once: true });
        line.waiting.slice(place).forEach(({ notify }, index) => notify(line.running + place + index));
      });
    },
    runFirst(owner) {
      const moved = [...lines.keys()].filter((host) => moveToFront(lines.get(host), owner));
      moved.forEach(notifyAll);
      return moved.length > 0;
    },
    isBusy: (host) => lines.has(host),
  };
}

/** false = it does not wait here. */
function moveToFront(line: { waiting: Waiter[] } | undefined, owner: string): boolean {
  const own = line?.waiting.filter((waiter) => waiter.who === owner) ?? [];
  if (line === undefined || own.length === 0) return false;
  line.waiting = [...own, ...line.waiting.filter((waiter) => waiter.who !== owner)];
  return true;
}
