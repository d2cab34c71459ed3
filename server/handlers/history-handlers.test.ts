import { mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeIndexer } from "../features/history/indexer";
import { makeRedactor } from "../security/redact";
import { historyHandlers } from "./history-handlers";
import { makeProjects } from "../workspace/projects";
import { openedStore, session, temporaryHome } from "../store/__fixtures__/home";
import { ask, calls, makeHouse, says } from "../session/test-services";

test("a project whose folder was moved goes on at the new place, with its sessions; not over another one", async () => {
  const home = realpathSync(temporaryHome());
  const [old, now, other] = [join(home, "old"), join(home, "now"), join(home, "other")];
  mkdirSync(old);
  mkdirSync(other);
  writeFileSync(join(home, "file"), "");
  const store = openedStore();
  const projects = makeProjects({
    record: (folder) => store.projects.open(folder, 1),
    find: (id) => store.projects.get(id),
    move: (id, path) => store.projects.move(id, path),
    protectedNames: () => [],
    push: () => {},
  });
  const opened = await projects.open(old);
  const taken = await projects.open(other);
  if (!opened.ok || !taken.ok) throw new Error("not opened");
  const { id } = opened.value.project;
  store.projects.trust(id, 5);
  store.events.create({ session: session("s", id), rows: [] });
  renameSync(old, now);
  expect(await projects.relink(id, old)).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(await projects.relink(id, join(home, "file"))).toMatchObject({ ok: false, error: { code: "not_folder" } });
  expect(await projects.relink(id, other)).toMatchObject({ ok: false, error: { code: "exists" } });
  expect(await projects.relink(id, now)).toMatchObject({ ok: true, value: { root: now, project: { id, path: now } } });
  expect(await projects.get(id)).toMatchObject({ ok: true, value: { root: now } });
  expect(store.sessions.list({ projectId: id, limit: 5 }).rows.map((row) => row.id)).toEqual(["s"]);
  // Trust was given to a folder.
  expect(store.projects.trusted(id)).toBe(false);
  await projects.dispose();
});

test("a session whose shell stood in the folder that was moved goes on in a shell of its own again", async () => {
  const house = await makeHouse();
  const one = house.session("full");
  house.script(calls(["bash", { command: "pwd" }]), says("there"));
  await ask(one, "where");
  house.registry().rest(one.view.projectId);
  house.script(calls(["bash", { command: "pwd" }]), says("still there"));
  expect(await ask(one, "again")).toBe("done");
});

test("a search and the statistics say how much of the history they are made of", async () => {
  const house = await makeHouse();
  const { store } = house;
  house.script(says("a walrus"));
  await ask(house.session(), "what is it");
  const projects = makeProjects({
    record: (folder) => store.projects.open(folder, 1),
    find: (id) => store.projects.get(id),
    protectedNames: () => [],
    push: () => {},
  });
  const answers = async (hasBegun: boolean): Promise<readonly unknown[]> => {
    const indexer = makeIndexer({ open: () => store.history(), isBusy: () => false, bug: () => {} });
    if (!hasBegun) indexer.close();
    const handlers = historyHandlers({
      registry: house.registry(),
      store,
      projects,
      indexer,
      redactor: async () => makeRedactor({ secrets: [], homes: [] }),
      push: () => {},
      now: Date.now,
    });
    const found = await handlers["history.search"]({ query: "walrus" });
    const counted = await handlers["history.statistics"]({ zone: "UTC" });
    indexer.close();
    return [found, counted];
  };
  expect(await answers(false)).toMatchObject([
    { value: { hits: [], indexed: 0 } },
    { value: { days: [], sessions: 0, indexed: 0 } },
  ]);
  expect(await answers(true)).toMatchObject([
    { value: { hits: [{ place: "assistant" }], indexed: 1 } },
    { value: { sessions: 1, indexed: 1 } },
  ]);
});
