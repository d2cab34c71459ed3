/**
 * The viewer's door: a listener of its own on this machine's addresses, there only while a link is active. It has the viewer's
 * page, and one socket whose clients may do what the table gives to viewers, with the one session of their link. Loaded with the
 * first active link by server/sharing.
 */
import { createServer, type IncomingMessage, type Server as HttpServer } from "node:http";
import { createServer as createListener, type Server as Listener, type Socket as NetSocket } from "node:net";
import type { Duplex } from "node:stream";
import { Server } from "socket.io";
import { fail, ok, type Result } from "@/lib/error";
import type { ClientId, ShareId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { ShareViewer } from "@/lib/share";
import type { ClientToServer, ServerToViewer } from "@/lib/socket";
import { freshId } from "../base/id";
import { callCommand, type Client } from "../handlers/handlers";
import { viewerHandlers } from "../handlers/viewer-handlers";
import type { ShareDoor } from "../session/shares";
import { openSharedView, type SharedViewServices } from "../session/shared-view";
import type { KeptShare, ShareStore } from "../store/shares";
import { browserName } from "./browser-name";
import { type Door, hostAllowed, originAllowed, secretHash, targetAllowed } from "./guard";
import { hostName } from "./lan";
import { makeShareRoom, type ShareRoom } from "./share-room";
import type { ServeStatic } from "./static";
import { makeTries } from "./tries";

export interface ShareDoorOptions {
  /** The first port that is tried. */
  readonly firstPort: () => number;
  readonly page: ServeStatic;
  readonly shares: Pick<ShareStore, "get" | "byToken">;
  readonly sessions: SharedViewServices;
  readonly now: () => number;
  /** Who looks has changed. */
  readonly changed: () => void;
  readonly bug: (name: string, error: unknown) => void;
}

/** Besides the ports after the main one: so many more are tried. */
const portsToTry = 20;

interface Viewer extends ShareViewer {
  readonly shareId: ShareId;
  end(why: "revoked" | "expired"): void;
}

export function makeShareDoor(options: ShareDoorOptions): ShareDoor {
  const listeners = new Map<string, Listener>();
  const connections = new Set<NetSocket>();
  const viewers = new Set<Viewer>();
  let port = 0;
  const door = (): Door => ({ port, names: [...listeners.keys()].map(hostName) });
  const http = makeHttp(options, door);
  const inner = createServer();
  const tries = makeTries(options.now);
  guardUpgrades(http, inner, door, (address) => tries.isOver(address));
  const closeRooms = makeViewers(inner, { ...options, viewers, wrong: tries.wrong });

  const listen = (address: string, at: number): Promise<string | null> =>
    new Promise((resolve) => {
      const listener = createListener((socket) => {
        connections.add(socket);
        socket.once("close", () => connections.delete(socket));
        http.emit("connection", socket);
      });
      listener.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      listener.listen({ host: address, port: at, exclusive: true }, () => {
        listener.on("error", (error) => options.bug("share listener", error));
        listeners.set(address, listener);
        resolve(null);
      });
    });
  const stopListening = (): void => {
    for (const listener of listeners.values()) listener.close();
    listeners.clear();
  };
  /** All of them at one port; an address that has gone meanwhile is left out. */
  const listenAt = async (addresses: readonly string[], at: number): Promise<string | null> => {
    let last: string | null = null;
    for (const address of addresses) {
      const failure = listeners.has(address) ? null : await listen(address, at);
      if (failure === "EADDRINUSE") return failure;
      last = failure ?? last;
    }
    return listeners.size === 0 ? last : null;
  };

  return {
    get addresses() {
      return [...listeners.keys()];
    },
    get port() {
      return port;
    },
    async open(addresses): Promise<Result<null>> {
      if (listeners.size > 0) {
        // A network that came meanwhile; its address does not matter when it cannot be had.
        await listenAt(addresses, port);
        return ok(null);
      }
      const first = options.firstPort();
      let failure: string | null = null;
      for (port = first; port < first + portsToTry && port <= 65_535; port += 1) {
        failure = await listenAt(addresses, port);
        if (failure === null) return ok(null);
        stopListening();
        if (failure !== "EADDRINUSE") break;
      }
      return fail("listen_failed", failure ?? "");
    },
    viewers: (id) =>
      [...viewers]
        .filter(({ shareId }) => shareId === id)
        .map(({ shareId: _shareId, end: _end, ...viewer }): ShareViewer => viewer),
    end(id, why) {
      for (const viewer of [...viewers]) if (viewer.shareId === id) viewer.end(why);
    },
    async close() {
      stopListening();
      closeRooms();
      // What was said last is still on its way to them.
      const left = [...connections];
      for (const socket of left) socket.destroySoon();
      setTimeout(() => {
        for (const socket of left) socket.destroy();
      }, limits.connectionEndMs).unref();
    },
  };
}

function makeHttp({ page, bug }: ShareDoorOptions, door: () => Door): HttpServer {
  const http = createServer((request, response) => {
    const refuse = (status: number): void => {
      response.writeHead(status, {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        Connection: "close",
      });
      response.end();
    };
    if (!targetAllowed(request.url)) return refuse(400);
    if (!hostAllowed(request.headers.host, door())) return refuse(421);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    try {
      page(request, response);
    } catch (error) {
      bug("share page", error);
      refuse(500);
    }
  });
  http.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
  return http;
}

/** Only what may come in is handed to the socket server, which listens nowhere itself. */
function guardUpgrades(
  http: HttpServer,
  inner: HttpServer,
  door: () => Door,
  isOver: (address: string) => boolean,
): void {
  http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (status: string): void => {
      socket.on("error", () => socket.destroy());
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    const { host, origin } = request.headers;
    if (!targetAllowed(request.url)) return refuse("400 Bad Request");
    if (!hostAllowed(host, door())) return refuse("421 Misdirected Request");
    if (!originAllowed(origin, host, door())) return refuse("403 Forbidden");
    if (!request.url.startsWith("/socket.io/?")) return refuse("404 Not Found");
    if (isOver(addressOf(request))) return refuse("429 Too Many Requests");
    inner.emit("upgrade", request, socket, head);
  });
}

const addressOf = (request: IncomingMessage): string => (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");

/** The sockets of viewers and the rooms they are in; returns what closes the rooms. */
function makeViewers(
  inner: HttpServer,
  options: ShareDoorOptions & { readonly viewers: Set<Viewer>; wrong(address: string): void },
): () => void {
  const { shares, now, viewers, changed, bug } = options;
  const rooms = new Map<ShareId, ShareRoom>();
  const io = new Server<ClientToServer, ServerToViewer, never, { share: KeptShare }>(inner, {
    serveClient: false,
    transports: ["websocket"],
    maxHttpBufferSize: limits.viewerPacketBytes,
    connectTimeout: limits.viewerConnectMs,
    perMessageDeflate: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
  });
  const roomOf = (share: KeptShare): ShareRoom => {
    const known =
      rooms.get(share.id) ??
      makeShareRoom({
        open: (tell) => openSharedView(options.sessions, share, tell),
        send: (envelopes) => void io.to(share.id).emit("events", envelopes),
      });
    rooms.set(share.id, known);
    return known;
  };
  io.use((socket, next) => {
    const { token }: { readonly token?: unknown } = socket.handshake.auth;
    const share = typeof token === "string" ? shares.byToken(secretHash(token), now()) : undefined;
    if (share === undefined) {
      options.wrong(addressOf(socket.request));
      return next(new Error("share_ended"));
    }
    if ([...viewers].filter(({ shareId }) => shareId === share.id).length >= limits.shareViewers)
      return next(new Error("too_many"));
    socket.data.share = share;
    next();
  });
  io.on("connection", (socket) => {
    const { share } = socket.data;
    const room = roomOf(share);
    const handle = room.add({
      listen: (on) => void (on ? socket.join(share.id) : socket.leave(share.id)),
      resync: () => void socket.emit("push", { type: "resync", sessionId: share.sessionId }),
    });
    const id = freshId<ClientId>("viewer");
    const viewer: Viewer = {
      id,
      name: browserName(socket.request.headers["user-agent"]),
      address: addressOf(socket.request),
      since: now(),
      shareId: share.id,
      end(why) {
        socket.emit("ended", why);
        socket.disconnect(true);
        // One that does not read would keep its connection.
        setTimeout(() => socket.request.socket.destroy(), limits.connectionEndMs).unref();
      },
    };
    const table = viewerHandlers({ share: () => shares.get(share.id, now()), view: room.view, now });
    const client: Client = {
      id,
      access: "viewer",
      join: handle.join,
      leave: () => void socket.leave(share.id),
    };
    const handlers = { table, gone: () => {}, bug };
    viewers.add(viewer);
    changed();
    socket.conn.on("drain", handle.drained);
    socket.on("call", (name: unknown, input: unknown, answer: unknown) => {
      if (typeof answer === "function") void callCommand(handlers, name, input, client).then((value) => answer(value));
    });
    socket.on("disconnect", () => {
      handle.leave();
      viewers.delete(viewer);
      changed();
    });
  });
  return () => {
    for (const room of rooms.values()) room.close();
    rooms.clear();
  };
}
