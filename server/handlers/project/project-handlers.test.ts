import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { projectHandlers } from "./project-handlers";

async function makeProjectRig() {
  const { root, store, projects } = await makeModelRig();
  const path = join(root, "listed");
  mkdirSync(path);
  const pushed: Push[] = [];
  const handlers = projectHandlers({ store, projects, now: () => 7, push: (push) => void pushed.push(push) });
  const opened = await handlers["project.open"]({ path });
  if (!opened.ok) throw new Error(opened.error.code);
  return { store, handlers, pushed, path, projectId: opened.value.project.id };
}

test("a project is renamed, pinned and removed, and every tab receives it", async () => {
  const { store, handlers, pushed, projectId } = await makeProjectRig();
  await handlers["project.edit"]({ projectId, name: "Other", pinned: true });
  expect(pushed.at(-1)).toMatchObject({ type: "project", project: { name: "Other", pinnedAt: 7, removedAt: null } });
  await handlers["project.edit"]({ projectId, removed: true, pinned: false });
  expect(pushed.at(-1)).toMatchObject({ project: { pinnedAt: null, removedAt: 7 } });
  expect(store.projects.list().map(({ id }) => id)).not.toContain(projectId);
  await handlers["project.edit"]({ projectId, removed: false });
  expect(store.projects.list().map(({ id }) => id)).toContain(projectId);
});

test("an opened folder is pushed with its present name and state", async () => {
  const { handlers, pushed, path, projectId } = await makeProjectRig();
  await handlers["project.edit"]({ projectId, name: "Other", pinned: true, removed: true });
  await handlers["project.open"]({ path });
  expect(pushed.at(-1)).toMatchObject({ project: { name: "Other", pinnedAt: 7, removedAt: null } });
});

test("an unknown project cannot be edited", async () => {
  const { handlers } = await makeProjectRig();
  const answer = await handlers["project.edit"]({ projectId: asId<ProjectId>("none"), name: "x" });
  expect(answer).toMatchObject({ ok: false, error: { code: "not_found" } });
});
