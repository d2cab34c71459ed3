/**
 * The socket server, the only module that uses socket.io besides the viewers'. Authenticates once, at the handshake;
 * every call is parsed with the table's zod schemas; malformed input closes or answers that one client and never
 * affects the process (R6).
 */
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import { asId, type ClientId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { limits } from "@/lib/settings/settings";
import type { ClientToServer, ServerToClient } from "@/lib/protocol/socket";
import type { TopicSources } from "@/lib/protocol/topics";
import { randomId } from "@/server/base/id";
import { clientOrigin, executeCommand, type CommandClient, type Handlers } from "@/server/handlers/handlers";
import { type ListenAddress, hostAllowed, originAllowed, sameSecret, siteAllowed } from "../auth/guard";
import { makePresence } from "./presence";
import type { SignIns } from "../auth/sign-in";
import { makeOwnerTopics, type OwnerWire, type SessionSource } from "../topics/owner-topics";

/** Maximum size of a packet from a client, bytes. */
const packetMaxBytes = 1_000_000;

export interface SocketServer {
  push(push: Push): void;
  /** Number of signed-in clients now. */
  count(): number;
  /** Signed-in browsers connected now. */
  online(): ReadonlySet<string>;
  /** Ends the connections of a browser that was signed out. */
  disconnectDevice(device: string): void;
  close(): Promise<void>;
}

interface SocketOptions {
  readonly http: HttpServer;
  readonly listenAddress: () => ListenAddress;
  readonly signIns: SignIns;
  readonly handlers: Handlers;
  readonly registry: SessionSource;
  readonly topicSources: () => TopicSources;
  /** Called when a signed-in browser connected, or its last connection ended. */
  readonly devicesChanged: () => void;
}

export function makeSocketServer(options: SocketOptions): SocketServer {
  const { signIns, handlers, registry, topicSources } = options;
  const io = makeGuardedServer(options);
  const topics = makeOwnerTopics(registry, topicSources);
  const presence = makePresence();
  const devices = makeOnlineDevices(options.devicesChanged);

  io.on("connection", (socket) => {
    const wire: OwnerWire = {
      events: (envelopes) => void socket.emit("events", envelopes),
      push: (push, ...confirm) => void socket.emit("push", push, ...confirm),
    };
    topics.add(wire);
    socket.conn.on("drain", () => topics.drained(wire));
    const device = signIns.device(socket.request.headers, handshakePage(socket.handshake.auth));
    const cut: Disconnect = () => endConnection(socket);
    const connection = new AbortController();
    if (device !== null) devices.came(device, cut);
    const client: CommandClient = {
      id: handshakeClientId(socket.handshake.auth),
      access: "owner",
      device: device ?? undefined,
      ...clientOrigin(signIns.access(socket.request.headers)),
      disconnected: connection.signal,
      // A command may end after the connection.
      join: (topic, subject) => {
        if (!connection.signal.aborted) topics.join(wire, topic, subject);
      },
      leave: (topic, subject) => topics.leave(wire, topic, subject),
    };
    presence.connected(client.id);
    socket.on("call", (name: unknown, input: unknown, answer: unknown) => {
      if (typeof answer !== "function") return;
      void executeCommand(handlers, name, input, client).then((value) => answer(value));
    });
    socket.on("disconnect", () => {
      connection.abort();
      topics.remove(wire);
      if (device !== null) devices.left(device, cut);
      if (presence.disconnected(client.id)) handlers.clientDisconnected(client);
    });
  });

  return {
    push: topics.publish,
    count: () => io.engine.clientsCount,
    online: devices.online,
    disconnectDevice: devices.cut,
    close: async () => {
      topics.close();
      await io.close();
    },
  };
}

/** Ends one connection, even if the peer does not read. */
type Disconnect = () => void;

/** Disconnects, then destroys the TCP socket after `connectionEndMs` if the peer does not read. */
export function endConnection(socket: Pick<Socket, "disconnect" | "request">): void {
  socket.disconnect(true);
  setTimeout(() => socket.request.socket.destroy(), limits.connectionEndMs).unref();
}

/** Checks Host, Origin and authentication at the handshake. */
function makeGuardedServer({ http, listenAddress, signIns }: SocketOptions): Server<ClientToServer, ServerToClient> {
  const io = new Server<ClientToServer, ServerToClient>(http, {
    serveClient: false,
    maxHttpBufferSize: packetMaxBytes,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
    allowRequest: (request, decide) => decide(null, mayConnect(request, signIns, listenAddress())),
  });
  const callers = new Map<string, string>();
  io.engine.on("connection", (connection) => {
    callers.set(connection.id, requestCredentials(connection.request));
    connection.once("close", () => callers.delete(connection.id));
  });
  // Every request is checked, also one with the id of an existing socket: the id grants no right.
  io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
    const ids = new URL(request.url ?? "", "http://localhost").searchParams.getAll("sid");
    const isOwn = ids.every((id) => sameSecret(callers.get(id) ?? "", requestCredentials(request)));
    next(
      isOwn && (ids.length === 0 || mayConnect(request, signIns, listenAddress())) ? undefined : new Error("refused"),
    );
  });
  io.use((socket, next) => {
    const access = signIns.access(socket.request.headers, handshakePage(socket.handshake.auth));
    next(access === null ? new Error("unauthorized") : undefined);
  });
  return io;
}

function mayConnect({ headers }: IncomingMessage, signIns: SignIns, address: ListenAddress): boolean {
  const { host, origin } = headers;
  if (!hostAllowed(host, address) || !siteAllowed(headers["sec-fetch-site"])) return false;
  return origin === undefined ? signIns.access(headers) === "bearer" : originAllowed(origin, host, address);
}

/** Credentials of a request: all requests of one socket carry the same. */
const requestCredentials = ({ headers }: IncomingMessage): string =>
  JSON.stringify([headers.cookie, headers.authorization]);

/** The secret of the page that connects. */
const handshakePage = (auth: unknown): string =>
  typeof auth === "object" && auth !== null && "page" in auth && typeof auth.page === "string" ? auth.page : "";

/** Connected signed-in browsers, with the function that ends each of their connections. */
function makeOnlineDevices(changed: () => void) {
  const devices = new Map<string, Set<Disconnect>>();
  return {
    online: (): ReadonlySet<string> => new Set(devices.keys()),
    cut(device: string): void {
      for (const cut of [...(devices.get(device) ?? [])]) cut();
    },
    came(device: string, cut: Disconnect): void {
      const disconnects = devices.get(device);
      devices.set(device, (disconnects ?? new Set()).add(cut));
      if (disconnects === undefined) changed();
    },
    left(device: string, cut: Disconnect): void {
      const disconnects = devices.get(device);
      disconnects?.delete(cut);
      if (disconnects?.size !== 0) return;
      devices.delete(device);
      changed();
    },
  };
}

const handshakeClientId = (auth: unknown): ClientId => {
  const clientId = typeof auth === "object" && auth !== null && "clientId" in auth ? auth.clientId : undefined;
  return typeof clientId === "string" && /^[A-Za-z0-9_-]{8,80}$/.test(clientId)
    ? asId<ClientId>(clientId)
    : randomId<ClientId>("tab");
};
