/** Searches of clients over a real project. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { asId, type ClientId, type CodeSearchId, type ProjectId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { type CodeSearchResults, countLines, emptyCodeSearchQuery, joinCodeSearch } from "@/lib/workspace/code-search";
import type { CommandClient } from "@/server/handlers/handlers";
import { makeTestProject, type TestProject } from "@/server/workspace/__fixtures__/project";
import { makeProjects } from "@/server/workspace/projects/projects";
import { codeSearchFeature } from "./code-search-feature";

const projectId = asId<ProjectId>("p1");
const query = {
  ...emptyCodeSearchQuery,
  projectId,
  query: "needle",
};

let project: TestProject;
let published: Map<CodeSearchId, CodeSearchResults>;
let pushes: number;
let feature: ReturnType<typeof codeSearchFeature>;
let projects: ReturnType<typeof makeProjects>;
let close: () => void;

beforeEach(() => {
  project = makeTestProject();
  published = new Map();
  pushes = 0;
  const row = { id: projectId, path: project.root, name: "p", openedAt: 0, trustedAt: null };
  projects = makeProjects({ record: () => row, find: () => row, protectedNames: () => [], push: () => {} });
  close = () => projects.dispose();
  feature = codeSearchFeature({
    projects,
    reportBug(_name, error) {
      throw error;
    },
    push(push: Push) {
      if (push.type !== "code_search") return;
      pushes += 1;
      const before = published.get(push.searchId);
      published.set(push.searchId, before === undefined ? push : joinCodeSearch(before, push));
    },
  });
});
afterEach(async () => {
  await close();
  project.remove();
});

const client = (id: string, disconnected?: AbortSignal): CommandClient => ({
  id: asId<ClientId>(id),
  access: "owner",
  disconnected,
  join: () => {},
  leave: () => {},
});
async function start(by = client("c1"), input: Partial<typeof query> = {}): Promise<CodeSearchId> {
  const answer = await feature.commands["search.start"]({ ...query, ...input }, by);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.searchId;
}
const waitForEnd = (id: CodeSearchId) => eventually(() => expect(published.get(id)?.end).not.toBeFalsy());
const stateOf = (id: CodeSearchId) => feature.topicSources.code_search.state(id);
function fill(files: number, lines: number): void {
  for (let index = 0; index < files; index += 1) project.put(`f${index}.txt`, "needle\n".repeat(lines));
}

test("the messages join to everything that was found, and so does the state", async () => {
  fill(50, 40);
  const id = await start();
  await waitForEnd(id);
  const all = published.get(id);
  expect(countLines(all?.files ?? [])).toBe(2_000);
  expect(all).toMatchObject({ from: 0, end: { reason: "done", hasLongLines: false } });
  expect(stateOf(id)).toMatchObject({ type: "code_search", searchId: id, from: 0, end: { reason: "done" } });
  expect(stateOf(id)?.files).toEqual(all?.files);
  // Batches, not a message for each file.
  expect(pushes).toBeLessThan(20);
});

test("more lines than the limit end the search at the limit", async () => {
  fill(101, 100);
  const id = await start();
  await waitForEnd(id);
  expect(published.get(id)).toMatchObject({ end: { reason: "limit" } });
  expect(countLines(published.get(id)?.files ?? [])).toBe(10_000);
});

test.each([
  ["an invalid expression", { query: "(", regex: true }, { code: "bad_regex" }],
  ["a folder that was removed", {}, { code: "not_found" }],
])("%s is reported at the end", async (title, input, error) => {
  if (title.startsWith("a folder")) project.remove();
  const id = await start(client("c1"), input);
  await waitForEnd(id);
  expect(published.get(id)).toMatchObject({ files: [], end: { reason: "failed", error } });
});

/** A search that stays paused after its first message. */
async function startPaused(by: CommandClient): Promise<CodeSearchId> {
  const id = await start(by);
  feature.topicSources.code_search.setBehind(id, true);
  return id;
}

test("a new search of the client replaces its last one, and not that of another client", async () => {
  fill(50, 40);
  const other = await startPaused(client("c2"));
  const first = await startPaused(client("c1"));
  const second = await start(client("c1"));
  await waitForEnd(second);
  expect(stateOf(first)).toBeNull();
  expect(published.get(first)?.end ?? null).toBeNull();
  feature.topicSources.code_search.setBehind(other, false);
  await waitForEnd(other);
});

test("a client cancels its own search only", async () => {
  fill(50, 40);
  const id = await startPaused(client("c1"));
  feature.commands["search.cancel"]({ searchId: id }, client("c2"));
  expect(stateOf(id)).not.toBeNull();
  feature.commands["search.cancel"]({ searchId: id }, client("c1"));
  expect(stateOf(id)).toBeNull();
});

test("a client that disconnects ends its search, and gets no new one", async () => {
  fill(50, 40);
  const connection = new AbortController();
  const by = client("c1", connection.signal);
  const id = await startPaused(by);
  connection.abort();
  expect(stateOf(id)).toBeNull();
  expect(await feature.commands["search.start"](query, by)).toMatchObject({ error: { code: "aborted" } });
});

test("a paused search publishes nothing until it continues", async () => {
  fill(200, 40);
  const id = await startPaused(client("c1"));
  const other = await start(client("c2"));
  await waitForEnd(other);
  expect(published.get(id)).toBeUndefined();
  feature.topicSources.code_search.setBehind(id, false);
  await waitForEnd(id);
  expect(countLines(published.get(id)?.files ?? [])).toBe(8_000);
});

test("the shutdown waits until the program of a search has exited, also after its client has left", async () => {
  fill(200, 20);
  const opened = await projects.get(projectId);
  if (!opened.ok) throw new Error(opened.error.code);
  const { search } = opened.value;
  const original = search.lines;
  const events: string[] = [];
  vi.spyOn(search, "lines").mockImplementation((...input) => original(...input).finally(() => events.push("exited")));
  const leave = new AbortController();
  const stop = new AbortController();
  const running = feature.start(stop.signal).then(() => events.push("stopped"));
  await start(client("c1", leave.signal));
  leave.abort();
  stop.abort();
  await running;
  expect(events).toEqual(["exited", "stopped"]);
});
