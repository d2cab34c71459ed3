/** One socket to the server, with one open session. */
import type { Socket } from "socket.io-client";
import type { CommandInput, CommandName } from "@/lib/protocol/command";
import type { Envelope } from "@/lib/events/event";
import type { ClientId, SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { serverLimits } from "@/lib/settings/server-limits";
import type { CommandAnswer, ServerToClient } from "@/lib/protocol/socket";
import type { ServerFile } from "@/server/store/core/server-file";
import { callServer, serverOrigin } from "./server-client";

/** The connection dropped, or could not be made. */
export class LinkLost extends Error {}

export interface SessionLink {
  /** Aborts with LinkLost when the connection drops. */
  readonly lost: AbortSignal;
  /**
   * Sends a command, over HTTP, where a long prompt has no packet limit. Rejects with LinkLost or the signal's reason.
   */
  readonly call: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandAnswer<N>>;
  /** `session.open`: after its answer this connection receives the session's envelopes. Rejects with LinkLost. */
  readonly open: (sessionId: SessionId) => Promise<CommandAnswer<"session.open">>;
  readonly close: () => void;
}

/** Part of a link for a client that only sends commands. */
export type CommandLink = Pick<SessionLink, "call">;

export interface LinkListeners {
  readonly onEvents: (envelopes: readonly Envelope[]) => void;
  /** Events were dropped: the session has to be opened again. */
  readonly onResync: (sessionId: SessionId) => void;
  /** Receives messages to all clients, apart from session events. */
  readonly onPush?: (push: Push) => void;
}

/** The part of ClientToServer that this client uses. */
interface SessionOpenEvents {
  call: (
    name: "session.open",
    input: CommandInput<"session.open">,
    answer: (answer: CommandAnswer<"session.open">) => void,
  ) => void;
}

/** Rejects with LinkLost when the server does not accept the connection in time, or with the signal's reason. */
export async function openLink(
  server: ServerFile,
  clientId: ClientId,
  listeners: LinkListeners,
  signal: AbortSignal,
): Promise<SessionLink> {
  const { io } = await import("socket.io-client");
  const socket: Socket<ServerToClient, SessionOpenEvents> = io(serverOrigin(server), {
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    timeout: serverLimits.holderAnswerMs,
    extraHeaders: { Authorization: `Bearer ${server.token}` },
    auth: { clientId },
  });
  const ended = new AbortController();
  const lost = AbortSignal.any([signal, ended.signal]);
  socket.on("disconnect", (reason) => ended.abort(new LinkLost(reason)));
  socket.on("connect_error", ({ message }) => ended.abort(new LinkLost(message)));
  socket.on("events", listeners.onEvents);
  socket.on("push", (push) => {
    if (push.type !== "resync") listeners.onPush?.(push);
    else if (push.sessionId !== undefined) listeners.onResync(push.sessionId);
  });
  lost.addEventListener("abort", () => socket.disconnect(), { once: true });
  await abortable(lost, (done) => void socket.once("connect", () => done(undefined)));
  return {
    lost,
    call: async (name, input) => {
      const answer = await callServer(server, name, input, lost);
      if (!answer.ok && answer.error.code === "connection_lost") throw new LinkLost(answer.error.detail);
      return answer;
    },
    open: (sessionId) =>
      abortable<CommandAnswer<"session.open">>(
        lost,
        (done) => void socket.emit("call", "session.open", { sessionId }, done),
      ),
    close: () => void socket.disconnect(),
  };
}

/** Promise of the value passed to `done`; rejects with the signal's reason. */
function abortable<T>(signal: AbortSignal, begin: (done: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    begin((value) => {
      signal.removeEventListener("abort", stop);
      resolve(value);
    });
  });
}
