/** A socket client that maintains the view of a session as a tab does: snapshot, envelopes, the fold. */
import { io, type Socket } from "socket.io-client";
import { iterate } from "@/lib/view/chunks";
import type { Envelope } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import type { CommandAnswer, ServerToClient } from "@/lib/protocol/socket";
import { type SessionSnapshot, inlineOutputChars } from "@/lib/view/snapshot";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { Entry, SessionView } from "@/lib/view/view";

/** The only command that a follower sends. */
interface FollowerCommands {
  call: (
    name: "session.open",
    input: { readonly sessionId: SessionId },
    answer: (answer: CommandAnswer<"session.open">) => void,
  ) => void;
}

/** Received length of a text over time. */
interface TextGrowth {
  /** performance.now() */
  readonly at: number;
  readonly chars: number;
}

/** A streamed text: a block of a message, or the output of a call. */
export interface ReceivedText {
  /** Id of the message or the call. */
  readonly id: string;
  text: string;
  readonly growth: TextGrowth[];
}

interface SessionFollowerOptions {
  /** Address to connect to: the server itself, or a proxy in front of it. */
  readonly address: string;
  /** The server's own host and port. */
  readonly host: string;
  readonly bearer: () => string;
  /** Reconnects when the connection is lost. */
  readonly reconnects: boolean;
}

export class SessionFollower {
  view: SessionView | null = null;
  /** Number of times the session was opened. */
  opened = 0;
  readonly receivedTexts = new Map<string, ReceivedText>();
  readonly socket: Socket<ServerToClient, FollowerCommands>;
  #waiting: Envelope[] = [];
  #opening = false;
  #watchers = new Set<() => void>();

  constructor(
    readonly sessionId: SessionId,
    options: SessionFollowerOptions,
  ) {
    this.socket = io(options.address, {
      transports: ["websocket"],
      forceNew: true,
      reconnection: options.reconnects,
      reconnectionDelay: 20,
      reconnectionDelayMax: 100,
      // As in a tab, but shorter: an attempt that broke in the middle of the handshake raises no event.
      timeout: 1_500,
      auth: { clientId: `soak${crypto.randomUUID()}` },
      // A getter, because the token changes with a restart.
      extraHeaders: {
        host: options.host,
        get authorization() {
          return `Bearer ${options.bearer()}`;
        },
      },
    });
    this.socket.on("connect", () => void this.#open());
    // A server that exits closes the connection on purpose; socket.io does not reconnect in that case.
    this.socket.on("disconnect", (reason) => {
      if (options.reconnects && reason === "io server disconnect") this.socket.connect();
    });
    this.socket.on("events", (envelopes) => this.#receive(envelopes));
    this.socket.on("push", (push) => {
      if (push.type === "resync" && push.sessionId === this.sessionId) void this.#open();
    });
  }

  /** Resolves when `check` is true of the view. */
  until(check: (view: SessionView) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const updateWatcher = (): void => {
        if (this.view === null || this.#opening || !check(this.view)) return;
        this.#watchers.delete(updateWatcher);
        resolve();
      };
      this.#watchers.add(updateWatcher);
      updateWatcher();
    });
  }

  close(): void {
    this.socket.disconnect();
  }

  async #open(): Promise<void> {
    this.#opening = true;
    const socket = this.socket;
    const snapshot = await new Promise<SessionSnapshot | null>((resolve) => {
      socket.once("disconnect", () => resolve(null));
      socket.emit("call", "session.open", { sessionId: this.sessionId }, (answer) =>
        resolve(answer.ok ? answer.value.snapshot : null),
      );
    });
    // The next connection sends the request again.
    if (snapshot === null) return;
    this.opened += 1;
    this.view = this.#waiting.reduce(fold, viewFromSnapshot(snapshot));
    this.#waiting = [];
    this.#opening = false;
    this.#changed();
  }

  #receive(envelopes: readonly Envelope[]): void {
    const own = envelopes.filter((envelope) => envelope.sessionId === this.sessionId);
    for (const envelope of own) this.#recordDelta(envelope);
    if (this.#opening || this.view === null) this.#waiting.push(...own);
    else this.view = own.reduce(fold, this.view);
    this.#changed();
  }

  #changed(): void {
    if (this.view?.stale === true && !this.#opening && this.socket.connected) void this.#open();
    for (const listener of [...this.#watchers]) listener();
  }

  #recordDelta({ event }: Envelope): void {
    if (event.type === "message_delta" && event.kind !== "input") {
      this.#recordText(`${event.messageId}/${event.block}`, event.messageId, event.offset, event.text);
    } else if (event.type === "tool_call_delta") {
      this.#recordText(event.callId, event.callId, event.offset, event.text);
    }
  }

  #recordText(key: string, id: string, offset: number, text: string): void {
    const received = this.receivedTexts.get(key) ?? { id, text: "", growth: [] };
    this.receivedTexts.set(key, received);
    if (received.text.length !== offset) return;
    received.text += text;
    received.growth.push({ at: performance.now(), chars: received.text.length });
  }
}

/**
 * Returns a view as JSON, without fields that may differ between clients; long outputs are shortened as in a snapshot.
 */
export const comparableView = (view: SessionView): string => {
  const { entries, stale: _stale, phase: _phase, ...rest } = view;
  return JSON.stringify(sortKeys({ ...rest, entries: [...iterate(entries)].map(withShortOutputs) }));
};

const withShortOutputs = (entry: Entry): Entry =>
  entry.kind !== "message"
    ? entry
    : {
        ...entry,
        calls: entry.calls.map(({ outputChars: _chars, output, ...call }) => ({
          ...call,
          output: output?.map((block) =>
            block.type === "text" ? { ...block, text: block.text.slice(0, inlineOutputChars) } : block,
          ),
        })),
      };

/** Sorts keys: their order carries no information. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortKeys(one)]),
  );
}
