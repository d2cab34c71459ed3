/** The socket's type maps: one generic call from the client, batches of envelopes and pushes from the server. */
import type { CommandInput, CommandName, CommandOutput } from "./command";
import type { AgentError } from "./error";
import type { Envelope } from "./event";
import type { Push } from "./push";

export type Answer<N extends CommandName> =
  | { readonly ok: true; readonly value: CommandOutput<N> }
  | { readonly ok: false; readonly error: AgentError };

export interface ClientToServer {
  call: <N extends CommandName>(name: N, input: CommandInput<N>, answer: (answer: Answer<N>) => void) => void;
}

export interface ServerToClient {
  /** Envelopes of the sessions this client has open, in order. */
  events: (envelopes: readonly Envelope[]) => void;
  push: (push: Push) => void;
}

/** What a viewer's connection gets. `ended` is the last of it: the link is over. */
export interface ServerToViewer extends ServerToClient {
  ended: (why: "revoked" | "expired") => void;
}

/**
 * The header of an HTTP call that carries the page's secret; in the socket's handshake it is `auth.page`. The cookie does not count
 * without it: a browser sends cookies to every port of a host, and storage belongs to one.
 */
export const pageSecretHeader = "x-gopi-page";
