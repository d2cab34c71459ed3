import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import { openStore } from "../open-store";
import { temporaryHome } from "../__fixtures__/home";
import type { ApprovedSource, ToolSourceKey } from "./tool-sources";

const key = (name: string, projectId: string | null = null): ToolSourceKey => ({
  kind: "mcp",
  name,
  projectId: projectId === null ? null : asId<ProjectId>(projectId),
});
const source = (launch: string): ApprovedSource => ({
  launch: asId<Hash>(launch),
  instructions: "Be careful.",
  tools: [
    {
      ownName: "read",
      approved: { description: "Reads.", parameters: { type: "object" } },
      current: null,
      isOff: true,
      isPinned: false,
    },
  ],
});

function open(home: string) {
  const opened = openStore({ home, now: () => 1_000 });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

test("a source is stored with its project, until it is removed, also over a restart", () => {
  const home = temporaryHome();
  const store = open(home);
  expect(store.toolSources.get(key("files"))).toBeNull();
  store.toolSources.save(key("files"), source("one"));
  store.toolSources.save(key("files", "p"), source("two"));
  store.toolSources.save(key("files"), source("three"));
  store.close();
  const again = open(home);
  expect(again.toolSources.get(key("files"))).toEqual(source("three"));
  expect(again.toolSources.get(key("files"))).toBe(again.toolSources.get(key("files")));
  expect(again.toolSources.get(key("files", "p"))).toEqual(source("two"));
  again.toolSources.remove(key("files"));
  expect(again.toolSources.get(key("files"))).toBeNull();
  again.close();
});

test("what cannot be read counts as never approved", () => {
  const home = temporaryHome();
  const store = open(home);
  store.toolSources.save(key("files"), source("one"));
  const { path } = store;
  store.close();
  const database = new Database(path);
  database.prepare("UPDATE tool_sources SET tools = ?").run('[{"ownName": 5}]');
  database.close();
  const again = open(home);
  expect(again.toolSources.get(key("files"))).toBeNull();
  again.close();
});

test("the sources of one kind and name are found in all projects", () => {
  const store = open(temporaryHome());
  const inProject = { ...key("files", "p"), kind: "mcp_in_project" } as const;
  for (const one of [key("files"), key("files", "q"), inProject, key("other", "p")])
    store.toolSources.save(one, source("one"));
  expect(store.toolSources.named("mcp", "files")).toEqual([key("files"), key("files", "q")]);
  expect(store.toolSources.named("mcp_in_project", "files")).toEqual([inProject]);
  expect(store.toolSources.named("mcp_in_project", "other")).toEqual([]);
  store.close();
});

test("a definition that has not changed is stored once, with its note", () => {
  const home = temporaryHome();
  const store = open(home);
  const definition = (description: string) => ({ description, parameters: { type: "object" } });
  const tool = { ownName: "read", approved: definition("Reads."), current: definition("Reads."), isOff: false };
  const tools = [
    { ...tool, isPinned: false },
    { ...tool, ownName: "stat", current: definition("Reads all."), isPinned: true },
    { ...tool, ownName: "turn", approved: null, isPinned: false },
  ];
  const saved = { ...source("one"), tools };
  store.toolSources.save(key("files"), saved, ({ description }) => ({ about: description }));
  const { path } = store;
  store.close();
  const database = new Database(path);
  const row = String(database.prepare("SELECT tools FROM tool_sources").pluck().get());
  database.close();
  expect(JSON.parse(row)[0]).toMatchObject({ current: "approved", note: { about: "Reads." } });
  const again = open(home);
  const read = again.toolSources.get(key("files"));
  expect(read).toEqual(saved);
  expect(read?.tools[0]?.current).toBe(read?.tools[0]?.approved);
  const notes = read?.tools.map(({ approved }) => (approved === null ? null : again.toolSources.note(approved)));
  expect(notes).toEqual([{ about: "Reads." }, { about: "Reads." }, null]);
  again.close();
});
