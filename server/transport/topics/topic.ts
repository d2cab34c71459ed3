/**
 * Delivery of one topic to its subscribers, in order. A client that stops reading costs bounded memory: it has limits of
 * its own in each topic, so that no topic delays another one.
 */
import type { TopicPolicy } from "@/lib/protocol/topics";
import { type Backlog, batchChars, makeBacklog } from "./backlog";
import { makeJoinWindow } from "./join-window";

/** Time in which streamed text is joined, ms. */
const joinDeltasMs = 4;
/** Maximum subscriptions of a client per topic; beyond it the oldest ends. */
export const clientSubjects = 200;

interface TopicOptions<C, M> {
  readonly policy: TopicPolicy<M>;
  /** Time in which messages are joined, ms; default: `joinDeltasMs`. */
  readonly joinMs?: number;
  /** Sends messages. With flow control to one client at a time, which confirms them all with one call of `confirmed`. */
  send(clients: readonly C[], messages: readonly M[], confirmed: () => void): void;
  /**
   * Returns the state of a subject as one message, null = none. A subscriber gets it first, then every message that is
   * published later; in place of a resync it gets the state again. The publisher changes the state in the same tick.
   */
  state?(subject: string): M | null;
  /** With flow control: all subscribers of the subject have unread messages up to the window, or one has read them. */
  setBehind?(subject: string, isBehind: boolean): void;
  /** Messages about the subject were dropped ("" = about any); the client now reads again. */
  resync(client: C, subject: string): void;
  /** The client has more than `clientSubjects` subscriptions: the one to this subject has ended. */
  ended?(client: C, subject: string): void;
  /** A subject has its first subscriber, or lost its last one. */
  opened?(subject: string): void;
  closed?(subject: string): void;
}

export interface Topic<C, M> {
  publish(messages: readonly M[]): void;
  /** `subject` = "" in a topic for all clients. Beyond `clientSubjects` the client's oldest subscription ends. */
  subscribe(client: C, subject: string): void;
  unsubscribe(client: C, subject: string): void;
  /** The network has taken everything sent to this client. */
  drained(client: C): void;
  /** Ends the subscriptions of a client. */
  remove(client: C): void;
  /** Drops what waits to be joined. */
  clear(): void;
}

interface Member<M> {
  readonly subjects: Set<string>;
  /** With flow control one per subject, otherwise one for all of them. */
  readonly backlogs: Map<string, Backlog<M>>;
}

/** The subscriptions of one topic. */
interface Subscriptions<C extends object, M> {
  readonly members: WeakMap<C, Member<M>>;
  readonly clientsBySubject: Map<string, Set<C>>;
}

function makeDelivery<C extends object, M>(
  options: TopicOptions<C, M>,
  { members, clientsBySubject }: Subscriptions<C, M>,
) {
  const { policy } = options;
  const isFlowControlled = policy.windowChars !== undefined;
  const subjectOf = (message: M): string => policy.subject?.(message) ?? "";
  const clientsOf = (subject: string) => clientsBySubject.get(policy.audience === "owner" ? "" : subject);
  const backlogKey = (subject: string): string => (isFlowControlled ? subject : "");

  const behind = new Set<string>();
  const setBehind = (subject: string, isBehind: boolean): void => {
    if (behind.has(subject) === isBehind) return;
    if (isBehind) behind.add(subject);
    else behind.delete(subject);
    options.setBehind?.(subject, isBehind);
  };
  const sendRest = (client: C, backlog: Backlog<M>, { batch, missed }: ReturnType<Backlog<M>["readAll"]>): void => {
    if (batch.length > 0) send(client, backlog, batch, batchChars(policy, batch));
    for (const subject of missed) if (!sendState(client, subject)) options.resync(client, subject);
  };
  const send = (client: C, backlog: Backlog<M>, batch: readonly M[], chars: number): void =>
    options.send([client], batch, () => {
      sendRest(client, backlog, backlog.read(batch.length, chars));
      for (const subject of new Set(batch.map(subjectOf))) setBehind(subject, false);
    });
  const deliver = (clients: Iterable<C>, subject: string, batch: readonly M[]): void => {
    const chars = batchChars(policy, batch);
    const ready: C[] = [];
    let isTaken = false;
    let isWaiting = false;
    for (const client of clients) {
      const backlogs = members.get(client)?.backlogs;
      const backlog = backlogs?.get(backlogKey(subject)) ?? makeBacklog(policy);
      backlogs?.set(backlogKey(subject), backlog);
      if (!backlog.offer(subject, batch, chars)) {
        isWaiting = true;
        continue;
      }
      isTaken = true;
      if (isFlowControlled) send(client, backlog, batch, chars);
      else ready.push(client);
    }
    if (ready.length > 0) options.send(ready, batch, () => {});
    setBehind(subject, isFlowControlled && isWaiting && !isTaken);
  };
  const queue = makeJoinWindow(policy, options.joinMs ?? joinDeltasMs, subjectOf, (subject, batch) =>
    deliver(clientsOf(subject) ?? [], subject, batch),
  );
  /** Sends what waits, if it is part of the state that will be sent. */
  const flushBeforeState = (): void => {
    if (options.state !== undefined) queue.flush();
  };
  /** Returns false if there is no state of the subject. */
  const sendState = (client: C, subject: string): boolean => {
    flushBeforeState();
    const state = options.state?.(subject) ?? null;
    if (state !== null) deliver([client], subjectOf(state), [state]);
    return state !== null;
  };
  return {
    setBehind,
    publish: (messages: readonly M[]): void =>
      queue.add(messages.filter((message) => clientsOf(subjectOf(message)) !== undefined)),
    flushBeforeState,
    sendState,
    forget({ backlogs }: Member<M>, subject: string): void {
      backlogs.get(backlogKey(subject))?.forget(subject);
      if (isFlowControlled) backlogs.delete(subject);
    },
    drained(client: C): void {
      const backlog = isFlowControlled ? undefined : members.get(client)?.backlogs.get("");
      if (backlog !== undefined) sendRest(client, backlog, backlog.readAll());
    },
    clear: queue.clear,
  };
}

export function makeTopic<C extends object, M>(options: TopicOptions<C, M>): Topic<C, M> {
  const members = new WeakMap<C, Member<M>>();
  const clientsBySubject = new Map<string, Set<C>>();
  const delivery = makeDelivery(options, { members, clientsBySubject });

  const unsubscribe = (client: C, subject: string): void => {
    const member = members.get(client);
    if (member?.subjects.delete(subject) !== true) return;
    delivery.forget(member, subject);
    const clients = clientsBySubject.get(subject);
    clients?.delete(client);
    if (clients?.size !== 0) return;
    clientsBySubject.delete(subject);
    delivery.setBehind(subject, false);
    options.closed?.(subject);
  };
  return {
    publish: delivery.publish,
    subscribe(client, subject) {
      delivery.flushBeforeState();
      const member = members.get(client) ?? { subjects: new Set(), backlogs: new Map() };
      members.set(client, member);
      // The subject that was opened last is the last one to end.
      member.subjects.delete(subject);
      member.subjects.add(subject);
      delivery.forget(member, subject);
      const clients = clientsBySubject.get(subject);
      if (clients === undefined) options.opened?.(subject);
      clientsBySubject.set(subject, (clients ?? new Set()).add(client));
      const [oldest] = member.subjects;
      if (member.subjects.size > clientSubjects && oldest !== undefined) {
        unsubscribe(client, oldest);
        options.ended?.(client, oldest);
      }
      delivery.sendState(client, subject);
    },
    unsubscribe,
    drained: delivery.drained,
    remove(client) {
      for (const subject of [...(members.get(client)?.subjects ?? [])]) unsubscribe(client, subject);
    },
    clear: delivery.clear,
  };
}
