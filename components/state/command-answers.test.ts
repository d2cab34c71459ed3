import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { Result } from "@/lib/events/error";
import { settingsDefaults } from "@/lib/settings/settings";
import { performCommand } from "./command-answers";
import { createServerState } from "./server-state";

const projectId = asId<ProjectId>("p1");

/** A call whose answer is always the same. */
function setUp(answer: Result<never>) {
  const cache = new QueryClient();
  const serverState = createServerState();
  return { cache, serverState, call: async () => answer };
}

test("an answer that is the state of the server replaces it", async () => {
  const settings = { ...settingsDefaults, diary: !settingsDefaults.diary };
  const client = setUp(JSON.parse(JSON.stringify({ ok: true, value: settings })));
  await performCommand(client, "settings.write", { patch: { diary: settings.diary } });
  expect(client.serverState.get().settings).toEqual(settings);
});

test("an answer replaces the data of its query for the same project only", async () => {
  const client = setUp(JSON.parse('{ "ok": true, "value": { "places": [] } }'));
  await performCommand(client, "skills.set", { projectId, folder: "/skills/a", isOff: true });
  expect(client.cache.getQueriesData({ queryKey: ["skills.list"] })).toEqual([
    [["skills.list", { projectId }], { places: [] }],
  ]);
});

test("a command that failed leaves the data, and lets be fetched again what it has made out of date", async () => {
  const client = setUp({ ok: false, error: { code: "not_found" } });
  const keys = [
    ["extensions.list", { projectId }],
    ["extensions.commands", { projectId }],
  ];
  for (const key of keys) client.cache.setQueryData(key, "before");
  await performCommand(client, "extensions.disable", { projectId, extension: "a" });
  expect(keys.map((key) => client.cache.getQueryData(key))).toEqual(["before", "before"]);
  expect(keys.map((key) => client.cache.getQueryState(key)?.isInvalidated)).toEqual([false, true]);
});

test("the state in an answer replaces the data of its query, and an older answer that is on its way does not", async () => {
  const client = setUp(JSON.parse('{ "ok": true, "value": { "version": "1.2.3", "state": "new" } }'));
  const queryKey = ["mcp.state", { projectId }];
  let answerOlder = (_state: string): void => {};
  const older = new Promise<string>((resolve) => {
    answerOlder = resolve;
  });
  const fetched = client.cache.fetchQuery({ queryKey, queryFn: () => older }).catch(() => {});
  await performCommand(client, "mcp.pin", { projectId, server: "a", launch: asId<Hash>("h") });
  answerOlder("old");
  await fetched;
  expect(client.cache.getQueryData(queryKey)).toBe("new");
});
