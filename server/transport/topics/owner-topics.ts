/** The topics of the owner's clients: the envelopes of sessions, and every push. */
import type { AgentError } from "@/lib/events/error";
import type { Envelope } from "@/lib/events/event";
import { asId, type SessionId } from "@/lib/events/id";
import type { Push, SentPush } from "@/lib/protocol/push";
import {
  type PushOf,
  type PushTopic,
  pushTopicNames,
  pushTopics,
  sessionTopic,
  type TopicName,
  type TopicPolicy,
  type TopicSources,
} from "@/lib/protocol/topics";
import type { Registry } from "@/server/session/loading/registry";
import { makeTopic, type Topic } from "./topic";

/** One connection of the owner. */
export interface OwnerWire {
  events(envelopes: readonly Envelope[]): void;
  /** `confirmed` is called when the client has confirmed the message. */
  push(push: SentPush, confirmed?: () => void): void;
}

/** Functions of the registry that the session topic needs. */
export type SessionSource = Pick<Registry, "watch" | "release"> & {
  subscribe(listener: (envelope: Envelope) => void): () => void;
};

interface OwnerTopics {
  publish(push: Push): void;
  /** Adds a client; it gets every topic that is not divided into subjects. */
  add(wire: OwnerWire): void;
  join(wire: OwnerWire, topic: TopicName, subject: string): void;
  leave(wire: OwnerWire, topic: TopicName, subject: string): void;
  /** The network has taken everything sent to this client. */
  drained(wire: OwnerWire): void;
  remove(wire: OwnerWire): void;
  close(): void;
}

/** `sources` = those of the features loaded now. */
export function makeOwnerTopics(sessions: SessionSource, sources: () => TopicSources): OwnerTopics {
  const session = makeTopic<OwnerWire, Envelope>({
    policy: sessionTopic,
    send: (wires, envelopes) => wires.forEach((wire) => wire.events(envelopes)),
    resync: (wire, id) => wire.push({ type: "resync", sessionId: asId<SessionId>(id) }),
    ended: (wire, id) => wire.push({ type: "resync", sessionId: asId<SessionId>(id), ended: tooMany }),
    opened: (id) => sessions.watch(asId<SessionId>(id)),
    closed: (id) => sessions.release(asId<SessionId>(id)),
  });
  const stop = sessions.subscribe((envelope) => session.publish([envelope]));
  const rows = new Map(pushTopicNames.map((name) => [name, makePushTopic(name, sources)]));
  const all = [session, ...rows.values()];
  const topicOf = (name: TopicName) => (name === "session" ? session : rows.get(name));
  return {
    publish: (push) => rows.get(push.type)?.publishOne(push),
    add(wire) {
      for (const [name, topic] of rows) if (pushTopics[name].audience === "owner") topic.subscribe(wire, "");
    },
    join: (wire, topic, subject) => topicOf(topic)?.subscribe(wire, subject),
    leave: (wire, topic, subject) => topicOf(topic)?.unsubscribe(wire, subject),
    drained: (wire) => all.forEach((topic) => topic.drained(wire)),
    remove: (wire) => all.forEach((topic) => topic.remove(wire)),
    close() {
      stop();
      for (const topic of all) topic.clear();
    },
  };
}

type PushRow = Omit<Topic<OwnerWire, never>, "publish"> & { publishOne(push: Push): void };

/** Error of a subscription that ended because of later ones. */
const tooMany: AgentError = { code: "too_many" };

function makePushTopic<T extends PushTopic>(name: T, sources: () => TopicSources): PushRow {
  const policy: TopicPolicy<PushOf<T>> = pushTopics[name];
  const isOwn = (push: Push): push is PushOf<T> => push.type === name;
  const topic = makeTopic<OwnerWire, PushOf<T>>({
    policy,
    send(wires, pushes, confirmed) {
      for (const [index, push] of pushes.entries()) {
        const subject = policy.audience === "subject" ? { subject: policy.subject?.(push) ?? "" } : {};
        const confirm = policy.windowChars !== undefined && index === pushes.length - 1 ? [confirmed] : [];
        for (const wire of wires) wire.push({ ...push, ...subject }, ...confirm);
      }
    },
    state: (subject) => sources()[name]?.state(subject) ?? null,
    setBehind: (subject, isBehind) => sources()[name]?.setBehind?.(subject, isBehind),
    resync: (wire, subject) => wire.push({ type: "resync", topic: name, ...(subject === "" ? {} : { subject }) }),
    ended: (wire, subject) => wire.push({ type: "resync", topic: name, subject, ended: tooMany }),
  });
  return { ...topic, publishOne: (push) => (isOwn(push) ? topic.publish([push]) : undefined) };
}
