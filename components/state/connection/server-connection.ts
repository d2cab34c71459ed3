/**
 * The tab's connection to the server: calls with answers, events and pushes. A pending call survives a lost
 * connection and is sent again on the next one (commands that write carry a commandId, so a duplicate has no effect).
 */
import { io, type Socket } from "socket.io-client";
import { type CallRequest, toCallRequest } from "@/lib/protocol/call-request";
import type { CommandName } from "@/lib/protocol/command";
import type { Envelope } from "@/lib/events/event";
import type { SentPush } from "@/lib/protocol/push";
import { type CommandAnswer, pageSecretHeader } from "@/lib/protocol/socket";
import { randomText } from "../new-id";
import { createPendingCalls, type PendingCalls } from "./pending-calls";
import { postCall } from "./post-call";
import { createStore, type ReadableStore } from "../store";
import { withBasePath } from "../base-path";

/**
 * offline = reconnecting; gone = offline for so long that the server has probably ended; unauthorized = not signed
 * in.
 */
export type ServerConnectionState = "connecting" | "online" | "offline" | "gone" | "unauthorized";

export interface ServerConnection {
  readonly state: ReadableStore<ServerConnectionState>;
  readonly call: PendingCalls["call"];
  /** Connects, or retries at once: after signing in, or when the tab becomes visible. */
  readonly connect: () => void;
  /** Connects again if the answer to a call does not arrive: a connection that broke during sleep looks like one that is idle. */
  readonly verify: (answer: Promise<unknown>) => void;
  /** Closes it until the next `connect`, for which calls wait. */
  readonly close: () => void;
}

interface ServerConnectionOptions {
  /** Origin of the server; default: the page's origin. */
  readonly address?: string;
  readonly onEvents: (envelopes: readonly Envelope[]) => void;
  readonly onPush: (push: SentPush) => void;
  /** Called after every connect, before pending calls are sent again. */
  readonly onOnline: () => void;
  readonly goneMs?: number;
  /** Maximum duration of one attempt to connect. */
  readonly attemptMs?: number;
  /** Time for the answer that `verify` waits for. */
  readonly verifyMs?: number;
  /** Returns the secret of the page's sign-in for each handshake and call; null = none. */
  readonly page?: () => string | null;
  /** Request headers of clients other than browsers, in place of the cookie. */
  readonly headers?: { readonly [name: string]: string };
}

/**
 * A packet over 1 MB closes the socket, so longer inputs are sent by HTTP. Characters of JSON, at most 3 bytes each.
 */
const packetMaxChars = 500_000 / 3;
/** Commands whose answer may exceed a packet. */
const largeAnswers: ReadonlySet<CommandName> = new Set<CommandName>(["session.export", "images.read"]);
const defaultGoneMs = 12_000;
/**
 * socket.io does not report a connection that breaks between the upgrade and the first packet: only this timeout
 * triggers the next attempt. Longer than a locked database may block the server.
 */
const defaultAttemptMs = 6_000;
const defaultVerifyMs = 2_000;
/** Pause before a long call is posted again while the socket is connected. */
const retryMs = 500;

export function createServerConnection(input: ServerConnectionOptions): ServerConnection {
  const state = createStore<ServerConnectionState>("connecting");
  const socket = openSocket(input);
  const calls = createPendingCalls(
    () => socket.connected,
    (name, value, finish, again) => {
      const posted = toCallRequest(name, value);
      if (posted.body.length <= packetMaxChars && !largeAnswers.has(name)) socket.emit("call", name, value, finish);
      else void postPendingCall(input, posted, { finish, again: () => void setTimeout(again, retryMs) });
    },
  );
  const goneTimer = createGoneTimer(state, input.goneMs ?? defaultGoneMs);

  let lostAt: number | null = null;
  const lost = (): void => {
    goneTimer.start();
    lostAt ??= performance.now();
    socket.io.reconnectionDelayMax(reconnectDelayMs(performance.now() - lostAt));
    if (state.get() !== "gone") state.set("offline");
  };
  attachHandlers(socket, input, {
    online: () => {
      goneTimer.stop();
      lostAt = null;
      calls.connected(() => {
        state.set("online");
        input.onOnline();
      });
    },
    lost,
    unauthorized: () => {
      goneTimer.stop();
      socket.disconnect();
      state.set("unauthorized");
      calls.refuse();
    },
  });

  return {
    state,
    call: calls.call,
    connect: () => {
      if (socket.connected) return;
      // Drops a pending reconnection timer: the user is waiting.
      if (socket.active) socket.disconnect();
      socket.connect();
    },
    verify: (answer) => {
      const { id } = socket;
      const timer = setTimeout(() => {
        if (!socket.connected || socket.id !== id) return;
        lost();
        socket.disconnect();
        socket.connect();
      }, input.verifyMs ?? defaultVerifyMs);
      void answer.finally(() => clearTimeout(timer));
    },
    close: () => {
      goneTimer.stop();
      socket.disconnect();
    },
  };
}

/** Maximum pause before the next attempt, ms: a tenth of the time without a server, so that a server that stays away is asked less often. */
export const reconnectDelayMs = (lostMs: number): number => Math.min(30_000, Math.max(500, lostMs / 10));

interface SocketHandlers {
  readonly online: () => void;
  readonly lost: () => void;
  readonly unauthorized: () => void;
}

function attachHandlers(socket: Socket, input: ServerConnectionOptions, news: SocketHandlers): void {
  socket.on("connect", news.online);
  socket.on("disconnect", (reason) => {
    if (reason === "io client disconnect") return;
    news.lost();
    // The server disconnected on purpose (signed out, shutting down): socket.io does not reconnect by itself in this
    // case.
    if (reason === "io server disconnect") socket.connect();
  });
  socket.on("connect_error", (error) => {
    // A proxy may take the upgrade to a WebSocket and never answer it: the next attempt begins with the other transport.
    if (error.message === "timeout") socket.io.opts.transports?.reverse();
    return isUnauthorized(error) ? news.unauthorized() : news.lost();
  });
  socket.on("events", input.onEvents);
  socket.on("push", (push: SentPush, confirm?: () => void) => {
    try {
      input.onPush(withByteArray(push));
    } finally {
      // An error of one listener must not stop the topic.
      confirm?.();
    }
  });
}

/** socket.io returns binary data to a browser as an ArrayBuffer, whatever was sent. */
const withByteArray = <P extends SentPush>(push: P): P =>
  "bytes" in push && push.bytes instanceof ArrayBuffer ? { ...push, bytes: new Uint8Array(push.bytes) } : push;

function openSocket(input: ServerConnectionOptions): Socket {
  const clientId = randomText();
  const page = input.page ?? null;
  const options = {
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    autoConnect: false,
    reconnectionDelay: 100,
    // Without it, half of the attempts have no delay after about 1,000 (findings/socket-io-client-delay-after-1000-attempts.sh).
    randomizationFactor: 0,
    timeout: input.attemptMs ?? defaultAttemptMs,
    path: withBasePath("/socket.io/"),
    auth: (give: (auth: object) => void) => give({ clientId, ...(page === null ? {} : { page: page() ?? "" }) }),
    // A browser sends them with long polling only. The page's secret may change between two attempts.
    get extraHeaders() {
      return { ...input.headers, ...pageHeader(page?.() ?? null) };
    },
  };
  return input.address === undefined ? io(options) : io(input.address, options);
}

const pageHeader = (page: string | null): { readonly [name: string]: string } =>
  page === null ? {} : { [pageSecretHeader]: page };

/** Middleware reports it by message, a refused handshake by status: without a sign-in, or of an origin that is not accepted. */
function isUnauthorized(error: Error): boolean {
  if (error.message === "unauthorized") return true;
  return "description" in error && (error.description === 401 || error.description === 403);
}

interface PostHandlers<N extends CommandName> {
  readonly finish: (answer: CommandAnswer<N>) => void;
  readonly again: () => void;
}

/** Posts one long call. On a network error it stays pending and is sent by the next connection, or by `again`. */
async function postPendingCall<N extends CommandName>(
  input: ServerConnectionOptions,
  call: CallRequest,
  posted: PostHandlers<N>,
): Promise<void> {
  try {
    const page = input.page?.() ?? null;
    const headers = { ...input.headers, ...pageHeader(page) };
    posted.finish(await postCall<N>(input.address ?? "", call, headers));
  } catch {
    posted.again();
  }
}

function createGoneTimer(
  state: ReturnType<typeof createStore<ServerConnectionState>>,
  goneMs: number,
): { readonly start: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    start: () => {
      timer ??= setTimeout(() => state.set("gone"), goneMs);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
