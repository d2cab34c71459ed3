import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { modelPath } from "@/server/security/paths/safe-path";
import { openPersonalWorkspace } from "@/server/workspace/projects/personal-workspace";
import { projectHandlers } from "./project-handlers";

async function makeProjectRig() {
  const rig = await makeModelRig();
  const { root, home, store, projects } = rig;
  const path = join(root, "listed");
  mkdirSync(path);
  const pushed: Push[] = [];
  const push = (message: Push): void => void pushed.push(message);
  const handlers = projectHandlers({ ...rig, now: () => 7, push });
  const opened = await handlers["project.open"]({ path });
  if (!opened.ok) throw new Error(opened.error.code);
  return { home, projects, store, handlers, pushed, path, projectId: opened.value.project.id };
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

test("the workspace is created once, with a guide, and trusted; what the user does to it stays", async () => {
  const { handlers, home, store, pushed } = await makeProjectRig();
  const opened = await handlers["project.workspace"]();
  if (!opened.ok) throw new Error(opened.error.code);
  const { project } = opened.value;
  expect(opened.value).toMatchObject({ isWorkspace: true, trusted: true, gone: false });
  expect(pushed.at(-1)).toMatchObject({ type: "project", project: { id: project.id, name: "workspace" } });
  const guide = join(home, "workspace/AGENTS.md");
  expect(readFileSync(guide, "utf8")).toContain("personal workspace");
  rmSync(guide);
  store.projects.setTrust(project.id, null);
  expect(await handlers["project.workspace"]()).toMatchObject({
    value: { project: { id: project.id }, trusted: false },
  });
  expect(existsSync(guide)).toBe(false);
});

test.each(["guide", "trust"] as const)(
  "a first use of the workspace that fails at its %s is finished by the next",
  async (step) => {
    const { home, projects, store } = await makeProjectRig();
    let fails = true;
    const failOnce = (at: typeof step): void => {
      if (at !== step || !fails) return;
      fails = false;
      throw new Error(step);
    };
    const open = () =>
      openPersonalWorkspace({
        home,
        projects,
        guide() {
          failOnce("guide");
          return "Guide";
        },
        trust(id) {
          failOnce("trust");
          store.projects.setTrust(id, 1);
        },
      });
    await expect(open()).rejects.toThrow(step);
    const opened = await open();
    if (!opened.ok) throw new Error(opened.error.code);
    expect(store.projects.isTrusted(opened.value.project.id)).toBe(true);
    expect(readFileSync(join(home, "workspace/AGENTS.md"), "utf8")).toBe("Guide\n");
    store.projects.setTrust(opened.value.project.id, null);
    await open();
    expect(store.projects.isTrusted(opened.value.project.id)).toBe(false);
  },
);

test("the model reaches the files of the workspace, and nothing else in the home", async () => {
  const { handlers, projects } = await makeProjectRig();
  const opened = await handlers["project.workspace"]();
  const project = opened.ok ? await projects.get(opened.value.project.id) : opened;
  if (!project.ok) throw new Error(project.error.code);
  const reach = (path: string): string => {
    const checked = modelPath(path, "write", project.value.policy());
    return checked.ok ? "ok" : checked.error.code;
  };
  expect(["notes.md", "../keys.json", "../workspace/notes.md"].map(reach)).toEqual(["ok", "protected", "ok"]);
});
