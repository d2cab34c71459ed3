/**
 * Sockets of the viewers of shares: admitted by the token of a link, bound to its session, disconnected when the link
 * ends. Every call checks again that the link is active.
 */
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Envelope } from "@/lib/events/event";
import type { ClientId, ShareId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ShareViewer } from "@/lib/protocol/share";
import type { ClientToServer, ServerToViewer } from "@/lib/protocol/socket";
import { randomId } from "@/server/base/id";
import { executeCommand, type CommandClient } from "@/server/handlers/handlers";
import { viewerHandlers } from "@/server/handlers/sharing/viewer-handlers";
import { openSharedView, type ShareServerOptions } from "@/server/session/share/shared-view";
import type { ActiveShare } from "@/server/session/share/shares";
import { browserName } from "../auth/browser-name";
import { secretHash } from "../auth/guard";
import { makeShareAudience, type ShareAudience, type ViewerWire } from "./share-audience";
import { endConnection } from "../socket/socket";

/** Maximum viewers of a share link. */
const shareViewers = 250;
/** Packet size from viewers, whose commands are short; bytes. */
export const viewerPacketBytes = 16_384;

interface ShareViewersOptions extends Omit<ShareServerOptions, "firstPort"> {
  /** Called when an invalid token was presented. */
  readonly recordWrongToken: (address: string) => void;
}

interface ShareViewers {
  list(id: ShareId): readonly ShareViewer[];
  /** Notifies the viewers of the end and disconnects them. */
  end(id: ShareId, reason: "revoked" | "expired"): void;
  /** Releases what is held for viewers. */
  close(): void;
}

interface ConnectedViewer {
  readonly viewer: ShareViewer;
  end(reason: "revoked" | "expired"): void;
}

type ViewerServer = Server<ClientToServer, ServerToViewer, never, { share: ActiveShare }>;
type ViewerSocket = Socket<ClientToServer, ServerToViewer, never, { share: ActiveShare }>;

/** `inner` does not listen: it receives only permitted upgrades. */
export function makeShareViewers(inner: HttpServer, options: ShareViewersOptions): ShareViewers {
  const present = new Map<ShareId, Set<ConnectedViewer>>();
  const audiences = new Map<ShareId, ShareAudience>();
  const io: ViewerServer = new Server(inner, {
    serveClient: false,
    transports: ["websocket"],
    maxHttpBufferSize: viewerPacketBytes,
    connectTimeout: serverLimits.viewerConnectMs,
    perMessageDeflate: false,
    pingInterval: 15_000,
    pingTimeout: 20_000,
  });
  const send = makeGroupSend(io);
  const roomOf = (share: ActiveShare): ShareAudience => {
    const audience =
      audiences.get(share.id) ??
      makeShareAudience({
        sessionId: share.sessionId,
        open: (publish) => openSharedView(options.sessions, share, publish),
        send,
      });
    audiences.set(share.id, audience);
    return audience;
  };
  io.use((socket, next) => {
    const share = findShare(socket, options);
    if (share === undefined) return next(new Error("share_ended"));
    if ((present.get(share.id)?.size ?? 0) >= shareViewers) return next(new Error("too_many"));
    socket.data.share = share;
    next();
  });
  io.on("connection", (socket) => {
    const { share } = socket.data;
    const viewer = admitViewer(socket, roomOf(share), options);
    const viewers = present.get(share.id) ?? new Set();
    present.set(share.id, viewers.add(viewer));
    options.changed();
    socket.on("disconnect", () => {
      viewers.delete(viewer);
      options.changed();
    });
  });
  return {
    list: (id) => [...(present.get(id) ?? [])].map(({ viewer }) => viewer),
    end(id, reason) {
      for (const viewer of [...(present.get(id) ?? [])]) viewer.end(reason);
      audiences.get(id)?.close();
      audiences.delete(id);
    },
    close() {
      for (const audience of audiences.values()) audience.close();
      audiences.clear();
    },
  };
}

/** Number of viewers to whom one packet is sent without a pause. */
const viewersPerTurn = 32;

/** Sends to one group per turn of the event loop, so that many viewers do not block the owner. Order is kept. */
function makeGroupSend(io: ViewerServer): (viewers: readonly ViewerWire[], envelopes: readonly Envelope[]) => void {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting[0]?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(next);
  };
  return (viewers, envelopes) => {
    const isQuiet = waiting.length === 0;
    for (let from = 0; from < viewers.length; from += viewersPerTurn) {
      const ids = viewers.slice(from, from + viewersPerTurn).map(({ socketId }) => socketId);
      waiting.push(() => void io.to(ids).emit("events", envelopes));
    }
    if (isQuiet) next();
  };
}

/** The share whose token came with the handshake. */
function findShare(
  socket: ViewerSocket,
  { shares, now, recordWrongToken }: ShareViewersOptions,
): ActiveShare | undefined {
  const { token }: { readonly token?: unknown } = socket.handshake.auth;
  const share = typeof token === "string" ? shares.byToken(secretHash(token), now()) : undefined;
  if (share === undefined) recordWrongToken(remoteAddress(socket.request));
  return share;
}

/** Gives the connection its commands and its session. */
function admitViewer(
  socket: ViewerSocket,
  audience: ShareAudience,
  { shares, now, reportBug }: ShareViewersOptions,
): ConnectedViewer {
  const { share } = socket.data;
  const id = randomId<ClientId>("viewer");
  const wire: ViewerWire = {
    socketId: socket.id,
    resync: (sessionId) => void socket.emit("push", { type: "resync", sessionId }),
  };
  audience.add(wire);
  const table = viewerHandlers({ share: () => shares.get(share.id, now()), view: audience.view, now });
  const client: CommandClient = {
    id,
    access: "viewer",
    join: () => audience.join(wire),
    leave: () => audience.leave(wire),
  };
  socket.conn.on("drain", () => audience.drained(wire));
  socket.on("call", (name: unknown, input: unknown, answer: unknown) => {
    if (typeof answer !== "function") return;
    void executeCommand({ table, clientDisconnected: () => {}, reportBug }, name, input, client).then((value) =>
      answer(value),
    );
  });
  socket.on("disconnect", () => audience.remove(wire));
  return {
    viewer: {
      id,
      name: browserName(socket.request.headers["user-agent"]),
      address: remoteAddress(socket.request),
      since: now(),
    },
    end(reason) {
      socket.emit("ended", reason);
      endConnection(socket);
    },
  };
}

/** Remote address of a request according to the system; no header is read. */
export const remoteAddress = (request: IncomingMessage): string =>
  (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
