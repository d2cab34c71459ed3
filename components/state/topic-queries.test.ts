import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import type { Welcome } from "@/lib/protocol/answers";
import { asId, type ProjectId, type SessionId, type ShareId } from "@/lib/events/id";
import type { Connection, DoctorReport, DoctorRun, ModelServerState } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import type { NetworkState, Share } from "@/lib/protocol/share";
import { commandQuery } from "./command-query";
import { applyPush, refreshQueries } from "./topic-queries";
import { createServerState, mergeWelcome } from "./server-state";

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
const fork = makeSessionRow({ id: asId<SessionId>("s3"), forkedFrom: asId<SessionId>("s1") });
const running: DoctorRun = { model: "qwen3:8b", steps: [{ step: "load", state: "running" }] };

const isStale = (cache: QueryClient, key: readonly unknown[]): boolean =>
  cache.getQueryState(key)?.isInvalidated === true;

test("a fork, also one made elsewhere, is fetched for the tree of its session", () => {
  const [parent, other] = [asId<SessionId>("s1"), asId<SessionId>("s2")];
  const cache = new QueryClient();
  cache.setQueryData(["session.tree", { sessionId: parent }, 4], {});
  cache.setQueryData(["session.tree", { sessionId: other }, 4], {});
  applyPush(cache, createServerState(), { type: "session_row", row: fork });
  expect([
    isStale(cache, ["session.tree", { sessionId: parent }, 4]),
    isStale(cache, ["session.tree", { sessionId: other }, 4]),
  ]).toEqual([true, false]);
});

test("a project that is trusted, also in another tab, lets its working tree be fetched again", () => {
  const [project, other] = [
    { id: asId<ProjectId>("p1"), path: "/a", name: "a", openedAt: 1, trustedAt: 2 },
    asId<ProjectId>("p2"),
  ];
  const cache = new QueryClient();
  cache.setQueryData(["source.status", { projectId: project.id }], { kind: "untrusted" });
  cache.setQueryData(["source.status", { projectId: other }], { kind: "untrusted" });
  applyPush(cache, createServerState(), { type: "project", project });
  const stale = [project.id, other].map((id) => isStale(cache, ["source.status", { projectId: id }]));
  expect(stale).toEqual([true, false]);
});

test("servers of a project that change let all queries about them be fetched again, and no others", () => {
  const [projectId, other] = [asId<ProjectId>("p1"), asId<ProjectId>("p2")];
  const about = ["mcp.state", "mcp.offers", "tools.own", "trials.tool"].map((name) => [name, { projectId }]);
  const others = [
    ["mcp.state", { projectId: other }],
    ["mcp.find", {}],
    ["skills.list", { projectId }],
  ];
  const cache = new QueryClient();
  for (const key of [...about, ...others]) cache.setQueryData(key, {});
  applyPush(cache, createServerState(), { type: "mcp", projectId });
  expect(about.filter((key) => !isStale(cache, key))).toEqual([]);
  expect(others.filter((key) => isStale(cache, key))).toEqual([]);
});

describe("model test", () => {
  test("each push replaces the previous state", () => {
    const state = createServerState();
    applyPush(new QueryClient(), state, { type: "doctor", run: running });
    expect(state.get().doctor).toEqual(running);
    applyPush(new QueryClient(), state, { type: "doctor", run: { ...running, report } });
    expect(state.get().doctor?.report).toEqual(report);
  });

  test("after a reconnect a running test is unknown, a finished one stays", () => {
    const state = createServerState();
    mergeWelcome(state, welcome);
    expect(state.get().doctor).toBeNull();
    applyPush(new QueryClient(), state, { type: "doctor", run: running });
    mergeWelcome(state, welcome);
    expect(state.get().doctor).toBeNull();
    for (const end of [{ report }, { cancelled: true }]) {
      applyPush(new QueryClient(), state, { type: "doctor", run: { ...running, ...end } });
      mergeWelcome(state, welcome);
      expect(state.get().doctor).toMatchObject(end);
    }
  });

  test("its end invalidates the models of connections, its progress does not", () => {
    const cache = new QueryClient();
    const key = ["connections.models", { id: "c1" }];
    cache.setQueryData(key, []);
    applyPush(cache, createServerState(), { type: "doctor", run: running });
    expect(isStale(cache, key)).toBe(false);
    applyPush(cache, createServerState(), { type: "doctor", run: { ...running, report } });
    expect(isStale(cache, key)).toBe(true);
  });
});

test("deleting a session invalidates the lists of deleted sessions only", () => {
  const cache = new QueryClient();
  const bin = ["session.list", { deleted: true }];
  const usual = ["session.list", {}];
  for (const key of [bin, usual]) cache.setQueryData(key, { pages: [{ rows: [], more: false }], pageParams: [null] });
  applyPush(cache, createServerState(), { type: "session_removed", sessionId: asId<SessionId>("s1") });
  expect(isStale(cache, bin)).toBe(true);
  expect(isStale(cache, usual)).toBe(false);
});

test("connections arrive with the welcome and are replaced by a push", () => {
  const state = createServerState();
  mergeWelcome(state, welcome);
  expect(state.get().connections).toEqual([connection]);
  applyPush(new QueryClient(), state, { type: "connections", connections: [] });
  expect(state.get().connections).toEqual([]);
});

test("changes of connections and reconnects invalidate the model lists of connections", () => {
  for (const change of [
    (cache: QueryClient) => applyPush(cache, createServerState(), { type: "connections", connections: [connection] }),
    refreshQueries,
  ]) {
    const cache = new QueryClient();
    const key = commandQuery("connections.models", { id: "c1" }).queryKey;
    cache.setQueryData(key, { models: [] });
    change(cache);
    expect(isStale(cache, key)).toBe(true);
  }
});

test("a change at the model server invalidates model details: their windows depend on the models in memory", () => {
  const cache = new QueryClient();
  const state = createServerState();
  const key = ["models.show", { model: "qwen3:8b" }];
  cache.setQueryData(key, {});
  applyPush(cache, state, { type: "models", state: { ...server, version: "1.2.3" } });
  expect(isStale(cache, key)).toBe(true);
  expect(state.get().models?.version).toBe("1.2.3");
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
    const state = createServerState();
    mergeWelcome(state, { ...welcome, shares: [share], network });
    expect(state.get()).toMatchObject({ shares: [share], network });
    applyPush(cache, state, { type: "shares", shares: [] });
    applyPush(cache, state, { type: "network", network: { ...network, shares: [] } });
    expect(state.get()).toMatchObject({ shares: [], network: { shares: [] } });
  });

  test("devices are fetched again after a push and after a reconnect", () => {
    const pushed = new QueryClient();
    pushed.setQueryData(["devices.list", {}], { devices: [] });
    applyPush(pushed, createServerState(), { type: "devices" });
    expect(isStale(pushed, ["devices.list", {}])).toBe(true);
    const back = new QueryClient();
    back.setQueryData(["devices.list", {}], { devices: [] });
    refreshQueries(back);
    expect(isStale(back, ["devices.list", {}])).toBe(true);
  });
});
