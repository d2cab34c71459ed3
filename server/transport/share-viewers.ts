/**
 * Sockets of the viewers of shares: admitted by the token of a link, bound to its session, disconnected when the link
 * ends. Every call checks again that the link is active.
 */
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Envelope } from "@/lib/event";
import type { ClientId, ShareId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { ShareViewer } from "@/lib/share";
import type { ClientToServer, ServerToViewer } from "@/lib/socket";
import { freshId } from "../base/id";
import { callCommand, type Client } from "../handlers/handlers";
import { viewerHandlers } from "../handlers/viewer-handlers";
import { openSharedView, type SharedViewServices } from "../session/shared-view";
import type { ActiveShare, ActiveShares } from "../session/shares";
import { browserName } from "./browser-name";
import { secretHash } from "./guard";
import { makeShareRoom, type ShareRoom } from "./share-room";
import { endConnection } from "./socket";

export interface ShareViewersOptions {
  readonly shares: ActiveShares;
  readonly sessions: SharedViewServices;
  readonly now: () => number;
  /** Called when the viewers have changed. */
  readonly changed: () => void;
  readonly bug: (name: string, error: unknown) => void;
  /** Called when an invalid token was presented. */
  readonly wrong: (address: string) => void;
}

export interface ShareViewers {
  of(id: ShareId): readonly ShareViewer[];
  /** Notifies the viewers of the end and disconnects them. */
  end(id: ShareId, why: "revoked" | "expired"): void;
  /** Releases what is held for viewers. */
  close(): void;
}

interface Present {
  readonly viewer: ShareViewer;
  end(why: "revoked" | "expired"): void;
}

type ViewerServer = Server<ClientToServer, ServerToViewer, never, { share: ActiveShare }>;
type ViewerSocket = Socket<ClientToServer, ServerToViewer, never, { share: ActiveShare }>;

/** `inner` does not listen: it receives only permitted upgrades. */
export function makeShareViewers(inner: HttpServer, options: ShareViewersOptions): ShareViewers {
  const present = new Map<ShareId, Set<Present>>();
  const rooms = new Map<ShareId, ShareRoom>();
  const io: ViewerServer = new Server(inner, {
    serveClient: false,
    transports: ["websocket"],
    maxHttpBufferSize: limits.viewerPacketBytes,
    connectTimeout: limits.viewerConnectMs,
    perMessageDeflate: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
  });
  const send = makeFanOut(io);
  const roomOf = (share: ActiveShare): ShareRoom => {
    const known =
      rooms.get(share.id) ??
      makeShareRoom({
        open: (publish) => openSharedView(options.sessions, share, publish),
        send: (envelopes) => send(share.id, envelopes),
      });
    rooms.set(share.id, known);
    return known;
  };
  io.use((socket, next) => {
    const share = shareOf(socket, options);
    if (share === undefined) return next(new Error("share_ended"));
    if ((present.get(share.id)?.size ?? 0) >= limits.shareViewers) return next(new Error("too_many"));
    socket.data.share = share;
    next();
  });
  io.on("connection", (socket) => {
    const { share } = socket.data;
    const viewer = letIn(socket, roomOf(share), options);
    const known = present.get(share.id) ?? new Set();
    present.set(share.id, known.add(viewer));
    options.changed();
    socket.on("disconnect", () => {
      known.delete(viewer);
      options.changed();
    });
  });
  return {
    of: (id) => [...(present.get(id) ?? [])].map(({ viewer }) => viewer),
    end(id, why) {
      for (const viewer of [...(present.get(id) ?? [])]) viewer.end(why);
      rooms.get(id)?.close();
      rooms.delete(id);
    },
    close() {
      for (const room of rooms.values()) room.close();
      rooms.clear();
    },
  };
}

/** Number of groups into which the viewers of a share are divided; one packet goes to a whole group. */
const parts = 8;
const partOf = (id: ShareId, part: number): string => `${id}:${part}`;

/** Sends to one group per turn of the event loop, so that many viewers do not block the owner. Order is kept. */
function makeFanOut(io: ViewerServer): (id: ShareId, envelopes: readonly Envelope[]) => void {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting[0]?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(next);
  };
  return (id, envelopes) => {
    const isQuiet = waiting.length === 0;
    for (let part = 0; part < parts; part += 1) {
      const name = partOf(id, part);
      if (io.sockets.adapter.rooms.has(name)) waiting.push(() => void io.to(name).emit("events", envelopes));
    }
    if (isQuiet) next();
  };
}

/** The share whose token came with the handshake. */
function shareOf(socket: ViewerSocket, { shares, now, wrong }: ShareViewersOptions): ActiveShare | undefined {
  const { token }: { readonly token?: unknown } = socket.handshake.auth;
  const share = typeof token === "string" ? shares.byToken(secretHash(token), now()) : undefined;
  if (share === undefined) wrong(remoteAddress(socket.request));
  return share;
}

/** Gives the connection its commands and its session. */
function letIn(socket: ViewerSocket, room: ShareRoom, { shares, now, bug }: ShareViewersOptions): Present {
  const { share } = socket.data;
  const id = freshId<ClientId>("viewer");
  const part = partOf(share.id, Number.parseInt(id.slice(-4), 16) % parts);
  const handle = room.add({
    listen: (on) => void (on ? socket.join(part) : socket.leave(part)),
    resync: () => void socket.emit("push", { type: "resync", sessionId: share.sessionId }),
  });
  const table = viewerHandlers({ share: () => shares.get(share.id, now()), view: room.view, now });
  const client: Client = { id, access: "viewer", join: handle.join, leave: () => void socket.leave(part) };
  socket.conn.on("drain", handle.drained);
  socket.on("call", (name: unknown, input: unknown, answer: unknown) => {
    if (typeof answer !== "function") return;
    void callCommand({ table, gone: () => {}, bug }, name, input, client).then((value) => answer(value));
  });
  socket.on("disconnect", handle.leave);
  return {
    viewer: {
      id,
      name: browserName(socket.request.headers["user-agent"]),
      address: remoteAddress(socket.request),
      since: now(),
    },
    end(why) {
      socket.emit("ended", why);
      endConnection(socket);
    },
  };
}

/** Remote address of a request according to the system; no header is read. */
export const remoteAddress = (request: IncomingMessage): string =>
  (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
