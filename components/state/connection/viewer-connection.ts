/**
 * The connection of a viewer's page: every handshake carries the token of its link, and the server reports when the
 * link is over. Pending calls are sent again on the next connection.
 */
import { io, type Socket } from "socket.io-client";
import type { Envelope } from "@/lib/events/event";
import type { ServerConnection } from "./server-connection";
import { randomText } from "../new-id";
import { createPendingCalls } from "./pending-calls";

/** Reason why a viewer is not admitted, or no longer. */
export type ViewerRefusal = "ended" | "revoked" | "expired" | "full";

interface ViewerConnectionOptions {
  readonly token: string;
  /** Origin of the server; default: the page's origin. */
  readonly address?: string;
  readonly onEvents: (envelopes: readonly Envelope[]) => void;
  /** This client was too slow and must reopen the session. */
  readonly onResync: () => void;
  /** Called after every connect, before pending calls are sent again. */
  readonly onOnline: () => void;
  /** Disconnected; reconnects automatically. */
  readonly onLost: () => void;
  /** Refused; reconnects only by `connect`. */
  readonly onRefused: (refusal: ViewerRefusal) => void;
}

export interface ViewerConnection {
  readonly call: ServerConnection["call"];
  readonly connect: () => void;
  readonly close: () => void;
}

export function createViewerConnection(input: ViewerConnectionOptions): ViewerConnection {
  const socket = openSocket(input);
  const calls = createPendingCalls(
    () => socket.connected,
    (name, value, finish) => void socket.emit("call", name, value, finish),
  );
  const refuse = (refusal: ViewerRefusal): void => {
    calls.clear();
    socket.disconnect();
    input.onRefused(refusal);
  };
  socket.on("connect", () => calls.connected(input.onOnline));
  socket.on("events", input.onEvents);
  socket.on("push", (push: unknown) => {
    if (isResync(push)) input.onResync();
  });
  socket.on("ended", (reason: unknown) => refuse(reason === "expired" ? "expired" : "revoked"));
  socket.on("disconnect", (reason) => {
    if (reason === "io client disconnect") return;
    // The server disconnected this client in particular.
    if (reason === "io server disconnect") refuse("revoked");
    else input.onLost();
  });
  socket.on("connect_error", (error) => {
    // Still active = network error; otherwise the server refused.
    if (socket.active) input.onLost();
    else refuse(error.message === "too_many" ? "full" : "ended");
  });

  return {
    call: calls.call,
    connect: () => {
      if (socket.connected) return;
      if (socket.active) socket.disconnect();
      socket.connect();
    },
    close: () => {
      calls.clear();
      socket.disconnect();
    },
  };
}

const isResync = (push: unknown): boolean =>
  typeof push === "object" && push !== null && "type" in push && push.type === "resync";

function openSocket({ token, address }: ViewerConnectionOptions): Socket {
  const options = {
    transports: ["websocket"],
    autoConnect: false,
    reconnectionDelay: 250,
    reconnectionDelayMax: 3_000,
    auth: { token, clientId: randomText() },
  };
  return address === undefined ? io(options) : io(address, options);
}
