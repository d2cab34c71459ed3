/** Joins messages that follow each other within a few milliseconds, by subject. */
import type { TopicPolicy } from "@/lib/protocol/topics";

interface JoinWindow<M> {
  /** Messages that do not wait are sent at once, after those that wait. */
  add(messages: readonly M[]): void;
  /** Sends what waits. */
  flush(): void;
  /** Drops what waits. */
  clear(): void;
}

/** Adds a message to a list, or joins it with the last one. `join` returns null for two that are both sent. */
export function appendJoined<M>(messages: M[], next: M, join: ((first: M, second: M) => M | null) | undefined): M[] {
  const last = messages.at(-1);
  const both = last === undefined || join === undefined ? null : join(last, next);
  if (both === null) messages.push(next);
  else messages[messages.length - 1] = both;
  return messages;
}

export function makeJoinWindow<M>(
  { waits, join }: TopicPolicy<M>,
  joinMs: number,
  subjectOf: (message: M) => string,
  send: (subject: string, batch: readonly M[]) => void,
): JoinWindow<M> {
  const waiting = new Map<string, M[]>();
  let timer: NodeJS.Timeout | null = null;

  const flush = (subject: string, last: readonly M[]): void => {
    const batch = [...(waiting.get(subject) ?? []), ...last];
    waiting.delete(subject);
    if (batch.length > 0) send(subject, batch);
  };
  const flushAll = (): void => {
    for (const subject of [...waiting.keys()]) flush(subject, []);
  };
  // The first message after a pause is sent at once; those that follow within the window are sent together at its end.
  const closeWindow = (): void => {
    timer = waiting.size > 0 ? setTimeout(closeWindow, joinMs) : null;
    flushAll();
  };
  return {
    add(messages) {
      for (const message of messages) {
        const subject = subjectOf(message);
        if (waits?.(message) === true) waiting.set(subject, appendJoined(waiting.get(subject) ?? [], message, join));
        else flush(subject, [message]);
      }
      if (waiting.size > 0 && timer === null) closeWindow();
    },
    flush: flushAll,
    clear() {
      waiting.clear();
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
