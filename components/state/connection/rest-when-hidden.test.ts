// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { createServer } from "node:http";
import { Server } from "socket.io";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SessionStatus } from "@/lib/protocol/session-row";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import { restAfterMs, restCheckMs, restWhenHidden } from "./rest-when-hidden";
import { createServerConnection } from "./server-connection";

async function showPage(status: SessionStatus) {
  const http = createServer();
  const io = new Server(http);
  io.on("connection", (socket) => {
    socket.on("call", (_name, _input, answer: (value: unknown) => void) => answer({ ok: true, value: null }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  let connects = 0;
  const connection = createServerConnection({
    address: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => (connects += 1),
  });
  const cache = new QueryClient();
  const setStatus = (now: SessionStatus): void =>
    void cache.setQueryData(["session.list", {}], {
      pages: [{ rows: [makeSessionRow({ status: now })], more: false }],
    });
  setStatus(status);
  connection.connect();
  await expect.poll(() => io.engine.clientsCount).toBe(1);
  await expect.poll(() => connects).toBe(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stop = restWhenHidden(connection, cache);
  onTestFinished(async () => {
    stop();
    vi.useRealTimers();
    look("visible");
    connection.close();
    await io.close();
  });
  /** Resolves as soon as a call is answered: never without a connection. */
  const isConnected = () => connection.call("app.welcome", {});
  return { io, setStatus, isConnected, connects: () => connects };
}

function look(state: "visible" | "hidden"): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("a page that is hidden for half an hour gives up its connection, and connects when it is looked at", async () => {
  const { io, connects, isConnected } = await showPage("idle");
  look("hidden");
  vi.advanceTimersByTime(restAfterMs - 1);
  look("visible");
  look("hidden");
  vi.advanceTimersByTime(restAfterMs - 1);
  await isConnected();
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(() => io.engine.clientsCount).toBe(0);
  look("visible");
  await expect.poll(connects).toBe(2);
});

test("a run keeps it until its end", async () => {
  const { io, setStatus, isConnected } = await showPage("running");
  look("hidden");
  vi.advanceTimersByTime(restAfterMs + 10 * restCheckMs);
  await isConnected();
  setStatus("idle");
  vi.advanceTimersByTime(restCheckMs);
  vi.useRealTimers();
  await expect.poll(() => io.engine.clientsCount).toBe(0);
});
