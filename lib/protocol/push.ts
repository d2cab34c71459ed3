/** Messages of the server to signed-in clients, in addition to the events of open sessions. */
import type { AgentError } from "../events/error";
import type { SessionId } from "../events/id";
import type { PushOf, PushTopic } from "./topics";

export type Push = PushOf<PushTopic>;

/**
 * Messages were dropped because this client read too slowly. `sessionId` = it must open this session again; `topic` =
 * it must query the state of this topic again, with a subject only of that one. `ended` = why the subscription has
 * ended: `too_many`, beyond 200 in the topic.
 */
export interface ResyncPush {
  readonly type: "resync";
  readonly sessionId?: SessionId;
  readonly topic?: PushTopic;
  readonly subject?: string;
  readonly ended?: AgentError;
}

/** A push as it is sent: with its subject in the topics that are divided into subjects. */
export type SentPush = (Push & { readonly subject?: string }) | ResyncPush;
