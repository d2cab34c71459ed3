/** Channels: messengers in which paired persons use the sessions. */
import type { AgentError } from "../events/error";
import type { ProjectId, SessionId } from "../events/id";
import type { RemoteRight } from "../permissions/remote-rights";

export const channelKinds = ["telegram"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Validity of a pairing code, minutes. */
export const pairingMinutes = 10;

/** Source of a channel's token; environment wins over stored. */
type ChannelTokenSource = "environment" | "stored" | "none";

/** The connection to the messenger. */
export type ChannelConnection =
  /** It is switched off, or has no token. */
  | { readonly kind: "off" }
  | { readonly kind: "connecting" }
  /** `name` = the program's own name in the messenger. */
  | { readonly kind: "online"; readonly name: string }
  /** It tries again at `retryAt`, ms epoch. */
  | { readonly kind: "waiting"; readonly error: AgentError; readonly retryAt: number }
  /** It needs the owner: another token or address, or `channels.set`, which connects it again. */
  | { readonly kind: "stopped"; readonly error: AgentError };

/** A paired person, with the one private chat that he has with the program. */
export interface ChannelPerson {
  /** The messenger's id of the person, which never changes. */
  readonly id: string;
  /** Name that the person uses in the messenger; for display only. */
  readonly name: string;
  readonly right: RemoteRight;
  /** Messages of a paused person have no effect, and nothing is sent to him. */
  readonly isPaused: boolean;
  /** ms epoch */
  readonly pairedAt: number;
  /** Project of his next session; absent = that of the channel. */
  readonly projectId?: ProjectId;
  /** The session of the chat; absent = none yet. */
  readonly sessionId?: SessionId;
  /** Mode of his next session. */
  readonly mode: "ask" | "plan";
  /** Messages that are not done: they wait for their turn, or for the answer whether to run them. */
  readonly waitingMessages: number;
  /** Messages to him that are not sent yet. */
  readonly waitingDeliveries: number;
}

/** A channel as its owner sees it. */
export interface ChannelView {
  readonly kind: ChannelKind;
  readonly isOn: boolean;
  /** Address of the messenger's API; "" = its own. */
  readonly apiAddress: string;
  /** Default project; absent = the personal workspace. */
  readonly projectId?: ProjectId;
  readonly token: ChannelTokenSource;
  readonly connection: ChannelConnection;
  /** In the order in which they were paired. */
  readonly people: readonly ChannelPerson[];
  /** End of the pairing code that can be used now, ms epoch; absent = there is none. */
  readonly pairingUntil?: number;
}

/** A code that pairs one person. */
export interface ChannelPairing {
  /** Link that opens the messenger and sends the code; a secret. */
  readonly link: string;
  /** ms epoch */
  readonly expiresAt: number;
}
