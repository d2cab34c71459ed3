/** Type maps of the socket: one generic call from the client, batches of envelopes and pushes from the server. */
import type { CommandInput, CommandName, CommandOutput } from "./command";
import type { AgentError } from "../events/error";
import type { Envelope } from "../events/event";
import type { SentPush } from "./push";

export type CommandAnswer<N extends CommandName> =
  | { readonly ok: true; readonly value: CommandOutput<N> }
  | { readonly ok: false; readonly error: AgentError };

export interface ClientToServer {
  call: <N extends CommandName>(name: N, input: CommandInput<N>, answer: (answer: CommandAnswer<N>) => void) => void;
}

export interface ServerToClient {
  /** Envelopes of the sessions this client has open, in order. */
  events: (envelopes: readonly Envelope[]) => void;
  /** With flow control the client confirms that it has processed the message. */
  push: (push: SentPush, confirm?: () => void) => void;
}

/** Messages to a viewer. `ended` is the last one: the link is no longer valid. */
export interface ServerToViewer extends ServerToClient {
  ended: (reason: "revoked" | "expired") => void;
}

/**
 * HTTP header with the page secret; in the socket handshake it is `auth.page`. The cookie is only accepted together
 * with it, because browsers send cookies to every port of a host, while storage is per origin.
 */
export const pageSecretHeader = "x-gopi-page";
