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
  /** Messages about the subject were dropped ("" = about any); the client now reads again. */
  resync(client: C, subject: string): void;
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

export function makeTopic<C, M>(options: TopicOptions<C, M>): Topic<C, M> {
  const { policy } = options;
  const members = new Map<C, Member<M>>();
  const clientsBySubject = new Map<string, Set<C>>();
  const isFlowControlled = policy.windowChars !== undefined;
  const subjectOf = (message: M): string => policy.subject?.(message) ?? "";
  const audienceOf = (subject: string): string => (policy.audience === "owner" ? "" : subject);
  const backlogKey = (subject: string): string => (isFlowControlled ? subject : "");

  const sendRest = (client: C, backlog: Backlog<M>, { batch, missed }: ReturnType<Backlog<M>["readAll"]>): void => {
    if (batch.length > 0) send([client], backlog, batch, batchChars(policy, batch));
    for (const subject of missed) options.resync(client, subject);
  };
  const send = (clients: readonly C[], backlog: Backlog<M> | null, batch: readonly M[], chars: number): void => {
    const [client] = clients;
    options.send(clients, batch, () => {
      if (client !== undefined && backlog !== null) sendRest(client, backlog, backlog.read(batch.length, chars));
    });
  };
  const deliver = (subject: string, batch: readonly M[]): void => {
    const chars = batchChars(policy, batch);
    const ready: C[] = [];
    for (const client of clientsBySubject.get(audienceOf(subject)) ?? []) {
      const backlogs = members.get(client)?.backlogs;
      const backlog = backlogs?.get(backlogKey(subject)) ?? makeBacklog(policy);
      backlogs?.set(backlogKey(subject), backlog);
      if (!backlog.offer(subject, batch, chars)) continue;
      if (isFlowControlled) send([client], backlog, batch, chars);
      else ready.push(client);
    }
    if (ready.length > 0) send(ready, null, batch, chars);
  };
  const queue = makeJoinWindow(policy, options.joinMs ?? joinDeltasMs, subjectOf, deliver);

  const forget = ({ backlogs }: Member<M>, subject: string): void => {
    if (isFlowControlled) backlogs.delete(subject);
    else backlogs.get("")?.forget(subject);
  };
  const unsubscribe = (client: C, subject: string): void => {
    const member = members.get(client);
    if (member?.subjects.delete(subject) !== true) return;
    forget(member, subject);
    if (member.subjects.size === 0) members.delete(client);
    const clients = clientsBySubject.get(subject);
    clients?.delete(client);
    if (clients?.size !== 0) return;
    clientsBySubject.delete(subject);
    options.closed?.(subject);
  };
  return {
    publish: (messages) =>
      queue.add(messages.filter((message) => clientsBySubject.has(audienceOf(subjectOf(message))))),
    subscribe(client, subject) {
      const member = members.get(client) ?? { subjects: new Set(), backlogs: new Map() };
      members.set(client, member);
      // The subject that was opened last is the last one to end.
      member.subjects.delete(subject);
      member.subjects.add(subject);
      forget(member, subject);
      const clients = clientsBySubject.get(subject);
      if (clients === undefined) options.opened?.(subject);
      clientsBySubject.set(subject, (clients ?? new Set()).add(client));
      const [oldest] = member.subjects;
      if (member.subjects.size > clientSubjects && oldest !== undefined) unsubscribe(client, oldest);
    },
    unsubscribe,
    drained(client) {
      const backlog = isFlowControlled ? undefined : members.get(client)?.backlogs.get("");
      if (backlog !== undefined) sendRest(client, backlog, backlog.readAll());
    },
    remove(client) {
      for (const subject of [...(members.get(client)?.subjects ?? [])]) unsubscribe(client, subject);
    },
    clear: queue.clear,
  };
}
