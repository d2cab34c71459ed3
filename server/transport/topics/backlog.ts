/** Keeps what a client has not read yet of one topic, within the limits of the topic's policy. */
import type { TopicPolicy } from "@/lib/protocol/topics";
import { appendJoined } from "./join-window";

/** Maximum unread messages per client and topic; beyond it the client must query the state again. */
export const resyncEvents = 500;
/** Maximum unread data per client and topic, characters. */
export const resyncChars = 1_000_000;

export interface Backlog<M> {
  /** Returns whether to send the batch now; otherwise it waits or is dropped. `chars` = its approximate size. */
  offer(subject: string, batch: readonly M[], chars: number): boolean;
  /** Counts what was read. Once nothing is unread, returns what waited, and the subjects of which messages were dropped. */
  read(messages: number, chars: number): { readonly batch: readonly M[]; readonly missed: readonly string[] };
  /** Everything sent was read. */
  readAll(): ReturnType<Backlog<M>["read"]>;
  /** Forgets a subject: its subscription has ended or begins again. */
  forget(subject: string): void;
}

const nothing = { batch: [], missed: [] };

export function makeBacklog<M>(policy: TopicPolicy<M>): Backlog<M> {
  const maxChars = policy.windowChars ?? resyncChars;
  /** Messages not sent yet, by subject; the subject that changed last is the last. */
  const waiting = new Map<string, M[]>();
  /** Sizes of all that waits. The characters are counted exactly only at the limit: joined messages may be shorter. */
  let waitingMessages = 0;
  let waitingChars = 0;
  const missed = new Set<string>();
  let unread = 0;
  let unreadChars = 0;

  const discard = (subject: string): void => {
    const messages = waiting.get(subject) ?? [];
    waiting.delete(subject);
    waitingMessages -= messages.length;
    waitingChars -= batchChars(policy, messages);
  };
  const drop = (subject: string): void => {
    for (const one of policy.audience === "owner" ? [...waiting.keys()] : [subject]) discard(one);
    missed.add(policy.audience === "owner" ? "" : subject);
  };
  const hold = (subject: string, batch: readonly M[], chars: number): void => {
    const join = policy.join ?? ((_first: M, second: M) => second);
    const messages = waiting.get(subject) ?? [];
    waitingMessages -= messages.length;
    for (const next of batch) appendJoined(messages, next, join);
    waitingMessages += messages.length;
    waitingChars += chars;
    waiting.delete(subject);
    waiting.set(subject, messages);
    if (waitingChars > resyncChars) waitingChars = batchChars(policy, [...waiting.values()].flat());
    if (waitingMessages > resyncEvents || waitingChars > resyncChars) drop(subject);
  };
  const read: Backlog<M>["read"] = (messages, chars) => {
    unread -= messages;
    unreadChars -= chars;
    if (unread > 0) return nothing;
    const rest = { batch: [...waiting.values()].flat(), missed: [...missed] };
    waiting.clear();
    waitingMessages = 0;
    waitingChars = 0;
    missed.clear();
    unread = rest.batch.length;
    unreadChars = batchChars(policy, rest.batch);
    return rest;
  };
  return {
    offer(subject, batch, chars) {
      if (missed.has(policy.audience === "owner" ? "" : subject)) return false;
      // A batch of any size is sent to a client that has read everything.
      const hasRoom = unread === 0 || (unread + batch.length <= resyncEvents && unreadChars + chars <= maxChars);
      if (hasRoom && waiting.size === 0) {
        unread += batch.length;
        unreadChars += chars;
        return true;
      }
      if (policy.overflow === "join") hold(subject, batch, chars);
      else drop(subject);
      return false;
    },
    read,
    readAll: () => read(unread, unreadChars),
    forget(subject) {
      discard(subject);
      missed.delete(subject);
    },
  };
}

/** Approximate size of messages on the wire, characters. */
export const batchChars = <M>({ chars }: TopicPolicy<M>, messages: readonly M[]): number =>
  messages.reduce((sum, message) => sum + (chars?.(message) ?? JSON.stringify(message).length), 0);
