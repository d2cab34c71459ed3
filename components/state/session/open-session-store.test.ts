/** The store of an open session, over a real socket: pages of older entries that arrive late. */
import { createServer } from "node:http";
import { Server } from "socket.io";
import { expect, onTestFinished, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { append } from "@/lib/testing/test-view";
import { testSessionId } from "@/lib/testing/test-log";
import { createSessionSnapshot, pageBefore } from "@/lib/view/snapshot";
import { emptyView, pathEntries } from "@/lib/view/view";
import { createServerConnection } from "../connection/server-connection";
import { createOpenSessionStore } from "./open-session-store";

const failure: DurableEvent = { type: "error", error: { code: "server_error" } };
const six = append(emptyView(testSessionId), failure, failure, failure, failure, failure, failure);

/** A server whose snapshots have `window` entries and whose pages of one entry wait for `answerPage`. */
async function setUp() {
  const http = createServer();
  const io = new Server(http);
  const pages: (() => void)[] = [];
  const served = { window: 2, pages };
  io.on("connection", (socket) => {
    socket.on("call", (name: string, { before }: { readonly before: number }, answer: (value: unknown) => void) => {
      if (name === "session.open")
        answer({ ok: true, value: { snapshot: createSessionSnapshot(six, served.window), row: {} } });
      else if (name === "session.page") pages.push(() => answer({ ok: true, value: pageBefore(six, before, 1) }));
      else answer({ ok: true, value: null });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const connection = createServerConnection({
    address: `http://127.0.0.1:${port}`,
    onEvents: () => {},
    onPush: () => {},
    onOnline: () => {},
  });
  const store = createOpenSessionStore({ id: testSessionId, call: connection.call, onRow: () => {}, now: () => 0 });
  onTestFinished(async () => {
    connection.close();
    await io.close();
  });
  connection.connect();
  store.open();
  const shown = () => {
    const { view } = store.get();
    return view === null ? null : { from: view.heldFrom, seqs: pathEntries(view).map(({ seq }) => seq) };
  };
  return { store, served, shown };
}

test("a page of older entries is added; no second one is requested meanwhile", async () => {
  const { store, served, shown } = await setUp();
  await expect.poll(shown).toEqual({ from: 5, seqs: [5, 6] });
  const loaded = store.loadOlder();
  void store.loadOlder();
  await expect.poll(() => served.pages.length).toBe(1);
  expect(store.get().older).toBe("loading");
  served.pages[0]?.();
  await loaded;
  expect(store.get().older).toBe("idle");
  await expect.poll(shown).toEqual({ from: 4, seqs: [4, 5, 6] });
  expect(served.pages).toHaveLength(1);
});

test("a page that arrives after the session was reopened with other entries is dropped", async () => {
  const { store, served, shown } = await setUp();
  await expect.poll(shown).toEqual({ from: 5, seqs: [5, 6] });
  const loaded = store.loadOlder();
  await expect.poll(() => served.pages.length).toBe(1);
  served.window = 4;
  store.open();
  await expect.poll(shown).toEqual({ from: 3, seqs: [3, 4, 5, 6] });
  served.pages[0]?.();
  await loaded;
  // Shown after the page, which came first.
  store.receive([{ v: 1, sessionId: testSessionId, at: 1, seq: 7, event: failure }]);
  await expect.poll(shown).toEqual({ from: 3, seqs: [3, 4, 5, 6, 7] });
});
