/**
 * The socket server, the only module that uses socket.io besides the viewers'. The cookie is checked at the upgrade, the
 * secret of its page once, at the handshake; every call is parsed with the table's zod schemas; malformed input closes
 * or answers that one client and never affects the process.
 */
import { type IncomingMessage, type Server as HttpServer, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket as TcpSocket } from "node:net";
import type { Duplex } from "node:stream";
import { Server, type Socket } from "socket.io";
import { asId, type ClientId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ClientToServer, ServerToClient } from "@/lib/protocol/socket";
import type { TopicSources } from "@/lib/protocol/topics";
import { randomId } from "@/server/base/id";
import { clientOrigin, executeCommand, type CommandClient, type Handlers } from "@/server/handlers/handlers";
import { type ListenAddress, hostAllowed, originAllowed, reachedAddress, sameSecret, siteAllowed } from "../auth/guard";
import { makePresence } from "./presence";
import { makeUnsignedConnections, unsignedMaxBytes } from "./unsigned-connections";
import type { SignIns } from "../auth/sign-in";
import type { FrontDoor } from "../front-door/front-door";
import { makeOwnerTopics, type OwnerWire, type SessionSource } from "../topics/owner-topics";

/** Maximum size of a packet from a signed-in client, bytes. */
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
  readonly frontDoor?: FrontDoor;
  readonly handlers: Handlers;
  readonly registry: SessionSource;
  readonly topicSources: () => TopicSources;
  /** Called when a signed-in browser connected, or its last connection ended. */
  readonly devicesChanged: () => void;
  /** Called with the name of each command. */
  readonly commandReceived?: (name: unknown) => void;
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
      options.commandReceived?.(name);
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
  setTimeout(() => socket.request.socket.destroy(), serverLimits.connectionEndMs).unref();
}

/** Checks Host, Origin and sign-in of every request and upgrade, and the secret of the page at the handshake. */
function makeGuardedServer(options: SocketOptions): Server<ClientToServer, ServerToClient> {
  const { http, signIns } = options;
  /** Bytes of each TCP socket up to the end of its request for the upgrade. */
  const headBytes = new WeakMap<TcpSocket, number>();
  http.on("upgrade", ({ socket }: IncomingMessage, _socket: Duplex, head: Buffer) => {
    headBytes.set(socket, socket.bytesRead - head.length);
  });
  const io = new Server<ClientToServer, ServerToClient>(http, {
    serveClient: false,
    maxHttpBufferSize: packetMaxBytes,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
  });
  const callers = new Map<string, string>();
  const unsigned = makeUnsignedConnections();
  const countBytes = (id: string, { socket }: IncomingMessage): void =>
    unsigned.count(id, socket, headBytes.get(socket) ?? 0);
  /** Ids of the unsigned connections, by their first request. */
  const ids = new WeakMap<IncomingMessage, string>();
  io.engine.on("connection", (connection) => {
    const { id, request } = connection;
    callers.set(id, requestCredentials(request));
    if (signIns.access(request.headers) === null) {
      ids.set(request, id);
      unsigned.add(id, remoteAddress(request), () => {
        connection.close(true);
        request.socket.destroy();
      });
      if (isUpgrade(request)) countBytes(id, request);
    }
    connection.once("close", () => {
      callers.delete(id);
      unsigned.ended(id);
    });
  });
  // Every request is checked, also one with the id of an existing socket: the id grants no right.
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: (error?: Error) => void) => {
    const named = new URL(request.url ?? "", "http://localhost").searchParams.getAll("sid");
    const isOwn = named.every((id) => sameSecret(callers.get(id) ?? "", requestCredentials(request)));
    const status = refusalStatus(request, options);
    if (!isOwn || (named.length > 0 && status !== null)) return next(new Error("refused"));
    if (status !== null) return refuse(request, response, status);
    const [id] = named;
    if (id === undefined) {
      const isFull = signIns.access(request.headers) === null && unsigned.isFull(remoteAddress(request));
      return isFull ? refuse(request, response, 429) : next();
    }
    if (unsigned.has(id) && isUpgrade(request)) countBytes(id, request);
    if (unsigned.has(id) && bodyMayExceed(request, unsignedMaxBytes)) return refuse(request, response, 413);
    next();
  });
  io.use(async (socket, next) => {
    const page = handshakePage(socket.handshake.auth);
    const device = signIns.device(socket.request.headers, page);
    // The front door may sign it out.
    if (device !== null) await options.frontDoor?.admits?.(device);
    const access = signIns.access(socket.request.headers, page);
    if (access !== null) unsigned.signedIn(ids.get(socket.request) ?? "");
    next(access === null ? new Error("unauthorized") : undefined);
  });
  return io;
}

/**
 * HTTP status of a request that may not open a socket; null = it may. Browsers send no Origin with the GET requests of
 * long polling to their own origin: these carry the secret of the page instead.
 */
function refusalStatus(
  request: IncomingMessage,
  { signIns, frontDoor, listenAddress }: Pick<SocketOptions, "signIns" | "frontDoor" | "listenAddress">,
): 401 | 403 | null {
  const { headers, socket } = request;
  const address = reachedAddress(socket, listenAddress());
  if ((frontDoor?.refusal(request) ?? null) !== null) return 403;
  const { host, origin } = headers;
  if (!hostAllowed(host, address) || !siteAllowed(headers["sec-fetch-site"])) return 403;
  const access = signIns.access(headers);
  if (origin === undefined)
    return access === "bearer" || (access === "cookie" && request.method === "GET" && !isUpgrade(request)) ? null : 401;
  if (!originAllowed(origin, host, address)) return 403;
  return access !== null || signIns.isIssued(headers) ? null : 401;
}

const isUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

const remoteAddress = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? "";

/** Whether the body of a request may be larger; without a length it may be of any size. */
const bodyMayExceed = ({ method, headers }: IncomingMessage, maxBytes: number): boolean =>
  method === "POST" && !(Number(headers["content-length"] ?? Number.NaN) <= maxBytes);

/** Answers a request, or an upgrade, which has no response. */
function refuse(request: IncomingMessage, response: ServerResponse, status: 401 | 403 | 413 | 429): void {
  if (isUpgrade(request)) {
    const { socket } = request;
    socket.on("error", () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  } else {
    response.writeHead(status, { "Cache-Control": "no-store", Connection: "close" });
    response.end();
  }
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
