/**
 * The one connection of this tab: calls with answers, events and pushes. A call survives a lost connection; it is sent
 * again when the next one stands (commands that write carry a commandId, so twice is once). Used by client.ts.
 */
import { io, type Socket } from "socket.io-client";
import type { CommandInput, CommandName } from "@/lib/command";
import type { ErrorCode } from "@/lib/error";
import type { Envelope } from "@/lib/event";
import type { Push } from "@/lib/push";
import { type Answer, pageSecretHeader } from "@/lib/socket";
import { randomText } from "./new-id";
import { type PendingCall, sessionOf, withoutOutdated } from "./pending-calls";
import { postCall, postedCall, type PostedCall } from "./post-call";
import { createStore, type Readable } from "./store";

/** offline = trying again; gone = for so long that the program has probably ended; unauthorized = not signed in. */
export type ConnectionState = "connecting" | "online" | "offline" | "gone" | "unauthorized";

export interface Connection {
  readonly state: Readable<ConnectionState>;
  /** Resolves when the server has answered, however long it is away. Never rejects. */
  readonly call: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<Answer<N>>;
  /** Begins to connect, or tries again at once: after signing in, when the tab is looked at again. */
  readonly connect: () => void;
  readonly close: () => void;
}

export interface ConnectionInput {
  /** Origin of the server; the page's own by default. */
  readonly address?: string;
  readonly onEvents: (envelopes: readonly Envelope[]) => void;
  readonly onPush: (push: Push) => void;
  /** After every connect, before calls that waited are sent. */
  readonly onOnline: () => void;
  readonly goneMs?: number;
  /** One attempt to connect takes at most this long. */
  readonly attemptMs?: number;
  /** The secret of the page's sign-in, asked at each handshake and call; null = none. */
  readonly page?: () => string | null;
  /** For a client that is not a browser: what a cookie would carry. */
  readonly headers?: { readonly [name: string]: string };
}

/** A packet over 1 MB closes the socket; long inputs go by HTTP. Characters of JSON, at most 3 bytes each. */
const packetMaxChars = 500_000 / 3;
/** Their answers may be larger than a packet. */
const largeAnswers: ReadonlySet<CommandName> = new Set<CommandName>(["session.export", "images.read"]);
const defaultGoneMs = 12_000;
/**
 * A connection that breaks between the upgrade and the first packet is told to nobody by the socket's library: only the end of the
 * attempt brings the next one. Longer than the server may be busy with a locked database.
 */
const defaultAttemptMs = 6_000;
/** Before a long call is posted again while the socket stands. */
const retryMs = 500;

export function createConnection(input: ConnectionInput): Connection {
  const state = createStore<ConnectionState>("connecting");
  const pending = new Set<PendingCall>();
  const socket = openSocket(input);
  const goneTimer = createGoneTimer(state, input.goneMs ?? defaultGoneMs);

  listen(socket, input, {
    online: () => {
      const again = withoutOutdated(pending);
      goneTimer.stop();
      state.set("online");
      input.onOnline();
      for (const one of again) one.send();
    },
    lost: () => {
      goneTimer.start();
      if (state.get() !== "gone") state.set("offline");
    },
    unauthorized: () => {
      goneTimer.stop();
      socket.disconnect();
      state.set("unauthorized");
      for (const one of [...pending]) one.refuse();
    },
  });

  const call = <N extends CommandName>(name: N, value: CommandInput<N>): Promise<Answer<N>> =>
    new Promise((resolve) => {
      const finish = (answer: Answer<N>): void => {
        pending.delete(one);
        resolve(answer);
      };
      const failWith = (code: ErrorCode) => (): void => finish({ ok: false, error: { code } });
      const posted = postedCall(name, value);
      const again = (): void => void setTimeout(() => pending.has(one) && socket.connected && one.send(), retryMs);
      const send = (): void => {
        if (posted.body.length > packetMaxChars || largeAnswers.has(name)) void post(input, posted, { finish, again });
        else socket.emit("call", name, value, finish);
      };
      const [refuse, drop] = [failWith("not_allowed"), failWith("gone")];
      const one: PendingCall = { name, sessionId: sessionOf(value), send, refuse, drop };
      pending.add(one);
      if (socket.connected) send();
    });

  return {
    state,
    call,
    connect: () => {
      if (socket.connected) return;
      // A waiting reconnection timer is dropped: the user is looking now.
      if (socket.active) socket.disconnect();
      socket.connect();
    },
    close: () => {
      goneTimer.stop();
      socket.disconnect();
    },
  };
}

interface SocketNews {
  readonly online: () => void;
  readonly lost: () => void;
  readonly unauthorized: () => void;
}

function listen(socket: Socket, input: ConnectionInput, news: SocketNews): void {
  socket.on("connect", news.online);
  socket.on("disconnect", (reason) => {
    if (reason === "io client disconnect") return;
    news.lost();
    // The server closed it on purpose (signed out, shutting down): socket.io does not come back by itself then.
    if (reason === "io server disconnect") socket.connect();
  });
  socket.on("connect_error", (error) => (isUnauthorized(error) ? news.unauthorized() : news.lost()));
  socket.on("events", input.onEvents);
  socket.on("push", input.onPush);
}

function openSocket(input: ConnectionInput): Socket {
  const clientId = randomText();
  const page = input.page ?? null;
  const options = {
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    autoConnect: false,
    reconnectionDelay: 100,
    reconnectionDelayMax: 500,
    timeout: input.attemptMs ?? defaultAttemptMs,
    auth: (give: (auth: object) => void) => give({ clientId, ...(page === null ? {} : { page: page() ?? "" }) }),
    ...(input.headers === undefined ? {} : { extraHeaders: { ...input.headers } }),
  };
  return input.address === undefined ? io(options) : io(input.address, options);
}

/** Middleware says it in words, a refused handshake by its status. */
function isUnauthorized(error: Error): boolean {
  if (error.message === "unauthorized") return true;
  return "description" in error && error.description === 401;
}

interface Posted<N extends CommandName> {
  readonly finish: (answer: Answer<N>) => void;
  readonly again: () => void;
}

/** One long call by HTTP. When the network fails it stays pending; the next connection sends it, or `again` does. */
async function post<N extends CommandName>(input: ConnectionInput, call: PostedCall, posted: Posted<N>): Promise<void> {
  try {
    const page = input.page?.() ?? null;
    const headers = { ...input.headers, ...(page === null ? {} : { [pageSecretHeader]: page }) };
    posted.finish(await postCall<N>(input.address ?? "", call, headers));
  } catch {
    posted.again();
  }
}

function createGoneTimer(
  state: ReturnType<typeof createStore<ConnectionState>>,
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
