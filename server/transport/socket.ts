/**
 * The socket side of the door, alone in knowing socket.io. Authenticated once, at the handshake; every call is parsed by the
 * table's zod; what is malformed closes or answers that one client and never the process (R6).
 */
import type { Server as HttpServer } from "node:http";
import { Server } from "socket.io";
import { asId, type ClientId, type SessionId } from "@/lib/id";
import type { Push } from "@/lib/push";
import { limits } from "@/lib/settings";
import type { ClientToServer, ServerToClient } from "@/lib/socket";
import { freshId } from "../base/id";
import { callCommand, type Client, type Handlers } from "../handlers/handlers";
import { makeBroadcast, type Sessions } from "./broadcast";
import { type Door, hostAllowed, originAllowed } from "./guard";
import { makePresence } from "./presence";
import type { SignIns } from "./sign-in";

export interface SocketServer {
  push(push: Push): void;
  /** Signed-in clients now. */
  count(): number;
  close(): Promise<void>;
}

export interface SocketOptions {
  readonly http: HttpServer;
  readonly door: () => Door;
  readonly signIns: SignIns;
  readonly handlers: Handlers;
  readonly registry: Sessions;
}

export function makeSocketServer(options: SocketOptions): SocketServer {
  const { door, signIns, handlers, registry } = options;
  const io = new Server<ClientToServer, ServerToClient>(options.http, {
    serveClient: false,
    maxHttpBufferSize: limits.packetMaxBytes,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
    allowRequest: (request, decide) => {
      const { host, origin } = request.headers;
      const bearer = origin === undefined && signIns.access(request.headers) === "bearer";
      decide(null, hostAllowed(host, door()) && (bearer || originAllowed(origin, host, door())));
    },
  });
  io.use((socket, next) => {
    next(signIns.access(socket.request.headers) === null ? new Error("unauthorized") : undefined);
  });
  const broadcast = makeBroadcast(registry);
  const presence = makePresence();

  io.on("connection", (socket) => {
    const wire = broadcast.add({
      send: (envelopes) => void socket.emit("events", envelopes),
      push: (push) => void socket.emit("push", push),
      onDrain: (listener) => void socket.conn.on("drain", listener),
    });
    const client: Client = {
      id: clientIdOf(socket.handshake.auth),
      access: "owner",
      bearer: signIns.access(socket.request.headers) === "bearer",
      join: (id: SessionId) => wire.join(id),
      leave: (id: SessionId) => wire.leave(id),
    };
    presence.came(client.id);
    socket.on("call", (name: unknown, input: unknown, answer: unknown) => {
      if (typeof answer !== "function") return;
      void callCommand(handlers, name, input, client).then((value) => answer(value));
    });
    socket.on("disconnect", () => {
      wire.close();
      if (presence.left(client.id)) handlers.gone(client);
    });
  });

  return {
    push: (push) => void io.emit("push", push),
    count: () => io.engine.clientsCount,
    close: async () => {
      broadcast.close();
      await io.close();
    },
  };
}

const clientIdOf = (auth: unknown): ClientId => {
  const given = typeof auth === "object" && auth !== null && "clientId" in auth ? auth.clientId : undefined;
  return typeof given === "string" && /^[A-Za-z0-9_-]{8,80}$/.test(given)
    ? asId<ClientId>(given)
    : freshId<ClientId>("tab");
};
