/** Test rig: sharing over a real store, sessions, listener and sockets, on dedicated loopback addresses. */
import { mkdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { expect, onTestFinished } from "vitest";
import { type Envelope, isDurable } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import type { AddressLink, Share } from "@/lib/protocol/share";
import type { SessionSnapshot } from "@/lib/view/snapshot";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import type { Shares } from "@/server/session/share/shares";
import { type TestHarness, makeTestHarness } from "@/server/session/testing/test-harness";
import { makeShareService } from "./share-service";
import { makeShareServerOpener } from "@/server/transport/share/open-share-server";

/** Loopback addresses reserved for these tests. */
export const testAddresses = ["127.0.0.21", "127.0.0.22"] as const;
export const viewerPage = "<!doctype html><p>the viewer's page</p>";
export const plantedSecret = "planted-Secret-Value-91";

export interface SharingRig {
  readonly harness: TestHarness;
  readonly shares: Shares;
  readonly pushes: Push[];
  readonly logged: string[];
  /** Test controls: the clock and this machine's addresses. */
  readonly controls: { jumpMs: number; machine: readonly string[] };
  /** Creates a link to the session and returns it. */
  share(session: Session, overrides?: Partial<Parameters<Shares["create"]>[0]>): Promise<CreatedLink>;
  /** Restarts sharing on the same store. */
  restart(): Shares;
}

interface CreatedLink {
  readonly share: Share;
  readonly links: readonly AddressLink[];
  readonly token: string;
  readonly origin: string;
}

export async function makeSharingRig(): Promise<SharingRig> {
  const harness = await makeTestHarness();
  const ui = join(harness.home, "ui");
  mkdirSync(join(ui, "_next/static/chunks"), { recursive: true });
  writeFileSync(join(ui, "share.html"), viewerPage);
  writeFileSync(join(ui, "index.html"), "<!doctype html><p>the owner's page</p>");
  writeFileSync(join(ui, "icon.svg"), "<svg/>");
  writeFileSync(join(ui, "_next/static/chunks/a.js"), "1");
  const pushes: Push[] = [];
  const logged: string[] = [];
  const controls = { jumpMs: 0, machine: [...testAddresses] };
  const restarts: Shares[] = [];
  const make = (): Shares => {
    const shares = makeShareService({
      store: harness.store,
      sessions: harness.sessions(),
      access: harness.services().access,
      environment: { NODE_ENV: "test", HOME: harness.userHome, PLANTED_TOKEN: plantedSecret },
      firstPort: () => 21_001 + (process.pid % 20_000),
      openShareServer: makeShareServerOpener(ui),
      home: harness.home,
      bearer: "the-bearer-of-server-json",
      machine: () => controls.machine,
      settings: () => harness.settings.current,
      now: () => Date.now() + controls.jumpMs,
      push: (push) => void pushes.push(push),
      networkChanged: () => {},
      log: (line) => void logged.push(line),
    });
    restarts.push(shares);
    return shares;
  };
  const rig = { current: make() };
  onTestFinished(async () => {
    for (const shares of restarts) await shares.close();
  });
  return {
    harness,
    get shares() {
      return rig.current;
    },
    pushes,
    logged,
    controls,
    async share(session, overrides = {}) {
      const input = { sessionId: session.id, kind: "live" as const, outputs: true, hours: 1, ...overrides };
      const created = await rig.current.create(input);
      if (!created.ok) throw new Error(created.error.code);
      const url = new URL(created.value.links[0]?.url ?? "");
      return { ...created.value, token: url.hash.slice(1), origin: url.origin };
    },
    restart() {
      rig.current = make();
      return rig.current;
    },
  };
}

export type CallAnswer = { readonly ok: boolean; readonly value?: unknown; readonly error?: { readonly code: string } };

interface TestViewer {
  readonly socket: Socket;
  /** Everything received, as text. */
  readonly received: () => string;
  readonly envelopes: readonly Envelope[];
  /** Why the link ended; undefined = it has not. */
  readonly ended: () => string | undefined;
  call(name: string, input?: unknown): Promise<CallAnswer>;
  open(id: SessionId): Promise<SessionView>;
  /** The view as the page has it: the snapshot plus later events. */
  view(): SessionView;
  until(condition: () => boolean): Promise<void>;
}

/** Connects as a page with a token; returns the error's text when refused. */
export async function connectViewer(origin: string, token: unknown): Promise<TestViewer | string> {
  const socket = io(origin, {
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    auth: { token },
    extraHeaders: { Origin: origin, "User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile" },
  });
  onTestFinished(() => void socket.disconnect());
  const failure = await new Promise<string | null>((resolve) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", (error) => resolve(error.message));
  });
  if (failure !== null) return failure;
  return followViewer(socket);
}

export async function openViewer(shared: Pick<CreatedLink, "origin" | "token">): Promise<TestViewer> {
  const connected = await connectViewer(shared.origin, shared.token);
  if (typeof connected === "string") throw new Error(connected);
  return connected;
}

function followViewer(socket: Socket): TestViewer {
  const envelopes: Envelope[] = [];
  const texts: string[] = [];
  const waiting = new Set<() => void>();
  let snapshot: SessionSnapshot | null = null;
  let ended: string | undefined;
  const wake = (): void => {
    for (const check of [...waiting]) check();
  };
  socket.onAny((name: string, ...args: unknown[]) => {
    texts.push(JSON.stringify([name, ...args]));
    if (name === "ended") ended = String(args[0]);
  });
  socket.on("events", (batch: readonly Envelope[]) => {
    envelopes.push(...batch);
    wake();
  });
  socket.on("ended", wake);
  socket.on("push", wake);
  socket.on("disconnect", wake);
  const call = (name: string, input: unknown = {}): Promise<CallAnswer> =>
    new Promise((resolve) =>
      socket.emit("call", name, input, (answer: CallAnswer) => {
        texts.push(JSON.stringify(answer));
        resolve(answer);
      }),
    );
  const view = (): SessionView => {
    if (snapshot === null) throw new Error("not opened");
    return envelopes.reduce(fold, viewFromSnapshot(snapshot));
  };
  return {
    socket,
    received: () => texts.join("\n"),
    envelopes,
    ended: () => ended,
    call,
    view,
    async open(sessionId) {
      const answer: { readonly ok: boolean; readonly value?: { readonly snapshot: SessionSnapshot } } =
        await new Promise((resolve) => socket.emit("call", "session.open", { sessionId }, resolve));
      expect(answer.ok).toBe(true);
      texts.push(JSON.stringify(answer));
      snapshot = answer.value?.snapshot ?? null;
      return view();
    },
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** seq of the last durable event a viewer received. */
export const lastSeq = (viewer: TestViewer): number =>
  viewer.envelopes.filter(isDurable).at(-1)?.seq ?? viewer.view().seq;

/** Sends one HTTP request to an address, with any Host. */
export const sendRequest = (
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<{ readonly status: number; readonly body: string; readonly headers: NodeJS.Dict<string | string[]> }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = httpRequest(
      { hostname, port, path, method, agent: false, headers: { Host: `${hostname}:${port}`, ...headers } },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          body += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }));
      },
    );
    request.on("error", reject);
    request.end();
  });
