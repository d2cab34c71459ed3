import { createServer } from "node:http";
import { Server } from "socket.io";
import { afterEach, expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { SharedSession } from "@/lib/protocol/share";
import { hourMs } from "@/lib/time/duration";
import { createSessionSnapshot } from "@/lib/view/snapshot";
import { emptyView } from "@/lib/view/view";
import { createViewer, type Viewer, type ViewerState } from "./viewer";

const sessionId = asId<SessionId>("s1");
const share: SharedSession = {
  sessionId,
  kind: "live",
  outputs: true,
  createdAt: 1_000,
  expiresAt: 2_000 + hourMs,
  now: 2_000,
};
const token = "t".repeat(22);

interface Rig {
  readonly io: Server;
  readonly address: string;
  readonly port: number;
  readonly calls: string[];
}

const rigs: Rig[] = [];
const viewers: Viewer[] = [];

interface Door {
  readonly refuse?: () => string | null;
  readonly share?: SharedSession;
  readonly port?: number;
}

async function serve({ refuse = () => null, share: openedShare = share, port = 0 }: Door = {}): Promise<Rig> {
  const http = createServer();
  const io = new Server(http);
  const calls: string[] = [];
  io.use((socket, next) => {
    const refusal = socket.handshake.auth.token === token ? refuse() : "share_ended";
    next(refusal === null ? undefined : new Error(refusal));
  });
  io.on("connection", (socket) => {
    socket.on("call", (name: string, _input: unknown, answer: (value: unknown) => void) => {
      calls.push(name);
      if (name === "share.open") return answer({ ok: true, value: openedShare });
      if (name === "session.open")
        return answer({
          ok: true,
          value: { snapshot: createSessionSnapshot({ ...emptyView(sessionId), title: "Shared" }), row: {} },
        });
      answer({ ok: false, error: { code: "not_allowed" } });
    });
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const rig = { io, address: `http://127.0.0.1:${address.port}`, port: address.port, calls };
  rigs.push(rig);
  return rig;
}

function openViewer(rig: Rig, more: { readonly token?: string; readonly goneMs?: number } = {}): Viewer {
  const viewer = createViewer({ token, address: rig.address, now: () => 500_000, ...more });
  viewers.push(viewer);
  viewer.start();
  return viewer;
}

const until = (viewer: Viewer, check: (state: ViewerState) => boolean): Promise<ViewerState> =>
  new Promise((resolve) => {
    const stop = viewer.subscribe(() => settle());
    const settle = (): void => {
      if (!check(viewer.get())) return;
      stop();
      resolve(viewer.get());
    };
    settle();
  });

const isOpen = ({ at }: ViewerState): boolean => at === "open";

afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.stop();
  for (const { io } of rigs.splice(0)) await io.close();
});

test("with a valid token the session opens, and its end is in local time", async () => {
  const rig = await serve();
  const viewer = openViewer(rig);
  const state = await until(viewer, isOpen);
  expect(state).toMatchObject({ at: "open", link: "online", share, endsAt: 500_000 + hourMs });
  if (state.at !== "open") throw new Error("not open");
  await new Promise<void>((resolve) => {
    const stop = state.store.subscribe(() => {
      if (state.store.get().view === null) return;
      stop();
      resolve();
    });
  });
  expect(state.store.get().view?.title).toBe("Shared");
  expect(rig.calls).toEqual(["share.open", "session.open"]);
});

test("a wrong token is shown as an ended share, without retries", async () => {
  const rig = await serve();
  const viewer = openViewer(rig, { token: "x".repeat(22) });
  expect(await until(viewer, ({ at }) => at === "refused")).toEqual({ at: "refused", why: "ended" });
});

test("when all places are taken the viewer may try again", async () => {
  let isFull = true;
  const rig = await serve({ refuse: () => (isFull ? "too_many" : null) });
  const viewer = openViewer(rig);
  expect(await until(viewer, ({ at }) => at === "refused")).toEqual({ at: "refused", why: "full" });
  isFull = false;
  viewer.start();
  expect(viewer.get()).toEqual({ at: "connecting", link: "online" });
  await until(viewer, isOpen);
});

test.each([
  ["revoked", "revoked"],
  ["expired", "expired"],
] as const)("a share that is %s while it is open releases the session", async (endReason, expectedReason) => {
  const rig = await serve();
  const viewer = openViewer(rig);
  await until(viewer, isOpen);
  rig.io.emit("ended", endReason);
  expect(await until(viewer, ({ at }) => at === "refused")).toEqual({ at: "refused", why: expectedReason });
});

test("a disconnect by the server without a reason releases the session too", async () => {
  const rig = await serve();
  const viewer = openViewer(rig);
  await until(viewer, isOpen);
  rig.io.disconnectSockets(true);
  expect(await until(viewer, ({ at }) => at === "refused")).toEqual({ at: "refused", why: "revoked" });
});

test("the page ends by itself when the link expires", async () => {
  const rig = await serve({ share: { ...share, expiresAt: share.now + 40 } });
  const viewer = openViewer(rig);
  await until(viewer, isOpen);
  expect(await until(viewer, ({ at }) => at === "refused")).toEqual({ at: "refused", why: "expired" });
});

test("an unreachable server is retried with the session visible, which is reopened afterwards", async () => {
  const rig = await serve();
  const viewer = openViewer(rig, { goneMs: 30 });
  await until(viewer, isOpen);
  await rig.io.close();
  rigs.splice(rigs.indexOf(rig), 1);
  expect(await until(viewer, (state) => isOpen(state) && "link" in state && state.link === "gone")).toMatchObject({
    at: "open",
  });
  const back = await serve({ port: rig.port });
  await until(viewer, (state) => isOpen(state) && "link" in state && state.link === "online");
  await until(viewer, () => back.calls.length >= 1);
  expect(back.calls[0]).toBe("share.open");
});
