import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import type { Welcome } from "@/lib/protocol/answers";
import { asId, type SessionId, type ShareId } from "@/lib/events/id";
import type { Connection, DoctorReport, DoctorRun, ModelServerState } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import type { NetworkState, Share } from "@/lib/protocol/share";
import { applyPush, queries, refreshQueries, seedQueries } from "./queries";

const server: ModelServerState = { status: "ready", host: "http://localhost", models: [], loaded: [], canStart: false };
const connection: Connection = {
  id: "c1",
  name: "Cellar",
  preset: "vllm",
  baseUrl: "http://192.168.1.20:8000/v1",
  model: "qwen3-coder",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};
const welcome: Welcome = {
  version: "1",
  home: "/home",
  projects: [],
  settings: settingsDefaults,
  models: server,
  pulls: [],
  connections: [connection],
  shares: [],
  network: { owner: [], shares: [], machine: [] },
  sandbox: { program: null, works: false },
  movedAside: null,
};
const report: DoctorReport = {
  model: "qwen3:8b",
  at: 1,
  tookMs: 1,
  steps: [],
  verdict: "agent",
  toolMode: "native",
  readPerSecond: 1,
  writePerSecond: 1,
  numCtx: 4_096,
};
const running: DoctorRun = { model: "qwen3:8b", steps: [{ step: "load", state: "running" }] };

const doctorOf = (cache: QueryClient): DoctorRun | null | undefined => cache.getQueryData(queries.doctor().queryKey);
const isStale = (cache: QueryClient, key: readonly unknown[]): boolean =>
  cache.getQueryState(key)?.isInvalidated === true;

describe("model test", () => {
  test("each push replaces the previous state", () => {
    const cache = new QueryClient();
    applyPush(cache, { type: "doctor", run: running });
    expect(doctorOf(cache)).toEqual(running);
    applyPush(cache, { type: "doctor", run: { ...running, report } });
    expect(doctorOf(cache)?.report).toEqual(report);
  });

  test("after a reconnect a running test is unknown, a finished one stays", () => {
    const cache = new QueryClient();
    seedQueries(cache, welcome);
    expect(doctorOf(cache)).toBeNull();
    applyPush(cache, { type: "doctor", run: running });
    seedQueries(cache, welcome);
    expect(doctorOf(cache)).toBeNull();
    for (const end of [{ report }, { cancelled: true }]) {
      applyPush(cache, { type: "doctor", run: { ...running, ...end } });
      seedQueries(cache, welcome);
      expect(doctorOf(cache)).toMatchObject(end);
    }
  });

  test("its end invalidates the models of connections, its progress does not", () => {
    const cache = new QueryClient();
    const key = ["connectionModels", "c1"];
    cache.setQueryData(key, []);
    applyPush(cache, { type: "doctor", run: running });
    expect(isStale(cache, key)).toBe(false);
    applyPush(cache, { type: "doctor", run: { ...running, report } });
    expect(isStale(cache, key)).toBe(true);
  });
});

test("deleting a session invalidates the lists of deleted sessions only", () => {
  const cache = new QueryClient();
  const bin = ["sessions", { deleted: true }];
  const usual = ["sessions", {}];
  for (const key of [bin, usual]) cache.setQueryData(key, { pages: [{ rows: [], more: false }], pageParams: [null] });
  applyPush(cache, { type: "session_removed", sessionId: asId<SessionId>("s1") });
  expect(isStale(cache, bin)).toBe(true);
  expect(isStale(cache, usual)).toBe(false);
});

test("connections arrive with the welcome and are replaced by a push", () => {
  const cache = new QueryClient();
  seedQueries(cache, welcome);
  expect(cache.getQueryData(queries.connections().queryKey)).toEqual([connection]);
  applyPush(cache, { type: "connections", connections: [] });
  expect(cache.getQueryData(queries.connections().queryKey)).toEqual([]);
});

test("changes of connections and reconnects invalidate the model lists of connections", () => {
  for (const change of [
    (cache: QueryClient) => applyPush(cache, { type: "connections", connections: [connection] }),
    refreshQueries,
  ]) {
    const cache = new QueryClient();
    const key = queries.connectionModels(() => Promise.reject(new Error("not asked")), "c1").queryKey;
    cache.setQueryData(key, []);
    change(cache);
    expect(isStale(cache, key)).toBe(true);
  }
});

test("a change at the model server invalidates model details: their windows depend on the models in memory", () => {
  const cache = new QueryClient();
  const key = ["modelDetails", "qwen3:8b"];
  cache.setQueryData(key, {});
  applyPush(cache, { type: "models", state: { ...server, version: "1.2.3" } });
  expect(isStale(cache, key)).toBe(true);
  expect(cache.getQueryData(queries.models().queryKey)?.version).toBe("1.2.3");
});

describe("remote access", () => {
  const network: NetworkState = { owner: [], shares: ["192.168.1.20"], machine: ["192.168.1.20"] };
  const share: Share = {
    id: asId<ShareId>("h1"),
    sessionId: asId<SessionId>("s1"),
    kind: "live",
    outputs: true,
    createdAt: 1,
    expiresAt: 2,
    viewers: [],
  };

  test("the welcome contains links and network state, and pushes replace both", () => {
    const cache = new QueryClient();
    seedQueries(cache, { ...welcome, shares: [share], network });
    expect(cache.getQueryData(queries.shares().queryKey)).toEqual([share]);
    expect(cache.getQueryData(queries.network().queryKey)).toEqual(network);
    applyPush(cache, { type: "shares", shares: [] });
    applyPush(cache, { type: "network", network: { ...network, shares: [] } });
    expect(cache.getQueryData(queries.shares().queryKey)).toEqual([]);
    expect(cache.getQueryData(queries.network().queryKey)?.shares).toEqual([]);
  });

  test("devices are fetched again after a push and after a reconnect", () => {
    const pushed = new QueryClient();
    pushed.setQueryData(["devices"], { devices: [] });
    applyPush(pushed, { type: "devices" });
    expect(isStale(pushed, ["devices"])).toBe(true);
    const back = new QueryClient();
    back.setQueryData(["devices"], { devices: [] });
    refreshQueries(back);
    expect(isStale(back, ["devices"])).toBe(true);
  });
});
