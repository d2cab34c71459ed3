/** Subscriptions of this tab to topics that are divided into subjects: a project's files, for example. */
import type { SentPush } from "@/lib/protocol/push";
import type { PushOf, PushTopic } from "@/lib/protocol/topics";
import type { ServerConnection } from "./connection/server-connection";

/** null = messages were dropped. */
export type TopicListener<T extends PushTopic> = (push: PushOf<T> | null) => void;

export interface TopicSubscriptions {
  /**
   * Subscribes until the returned function is called; reconnects keep the subscription. The server sends a topic's state
   * for the first subscription of this tab to a subject, and after a reconnect.
   */
  readonly subscribe: <T extends PushTopic>(topic: T, subject: string, listener?: TopicListener<T>) => () => void;
  /** Passes a message to the listeners of its subject. */
  readonly deliver: (push: SentPush) => void;
  /** Subscribes again on a new connection. */
  readonly resend: () => void;
}

export function createTopicSubscriptions(call: ServerConnection["call"]): TopicSubscriptions {
  const subscriptions = new Set<{
    readonly topic: PushTopic;
    readonly subject: string;
    readonly receive: (push: SentPush) => void;
  }>();
  const isWanted = (topic: PushTopic, subject: string): boolean =>
    [...subscriptions].some((one) => one.topic === topic && one.subject === subject);
  return {
    subscribe(topic, subject, listener) {
      const isOwn = (push: SentPush): push is PushOf<typeof topic> => push.type === topic;
      const receive = (push: SentPush): void => {
        if (push.subject !== subject) return;
        if (isOwn(push)) listener?.(push);
        else if (push.type === "resync" && push.topic === topic) listener?.(null);
      };
      const one = { topic, subject, receive };
      const isFirst = !isWanted(topic, subject);
      subscriptions.add(one);
      if (isFirst) void call("topic.subscribe", { topic, subject });
      return () => {
        subscriptions.delete(one);
        if (!isWanted(topic, subject)) void call("topic.unsubscribe", { topic, subject });
      };
    },
    deliver: (push) => {
      for (const { receive } of [...subscriptions]) receive(push);
    },
    resend: () => {
      for (const { topic, subject } of subscriptions) void call("topic.subscribe", { topic, subject });
    },
  };
}
