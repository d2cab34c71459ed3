import { utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeProjects } from "./projects";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject({ "sub/a.txt": "a", "old/b.txt": "b", "c.txt": "c" });
  for (const path of ["old/b.txt", "old", "c.txt", "."]) utimesSync(project.at(path), 1_000, 1_000);
});
afterEach(() => project.remove());

async function openWatched() {
  const pushes: PushOf<"files">[] = [];
  const row = { id: asId<ProjectId>("p"), path: project.root, name: "p", openedAt: 0 };
  const projects = makeProjects({
    record: () => row,
    find: () => row,
    protectedNames: () => [],
    push: (push) => void (push.type === "files" && pushes.push(push)),
  });
  const opened = await projects.open(project.root);
  if (!opened.ok) throw new Error("the project is not open");
  return { pushes, projects, ...opened.value };
}

const [one, two] = [asId<ClientId>("one"), asId<ClientId>("two")];

test("changes from before a folder is watched are reported, and folders without any are not", async () => {
  const { pushes, projects, watch } = await openWatched();
  watch(one, ["", "old", "sub"]);
  await expect
    .poll(() => pushes.map(({ folders, paths }) => ({ folders, paths })))
    .toEqual([{ folders: ["sub"], paths: ["sub/a.txt"] }]);
  // Another client shows a folder that is watched already: nothing was missed.
  watch(two, ["sub"]);
  project.put("old/b.txt", "changed");
  await expect.poll(() => pushes.length).toBe(2);
  expect(pushes[1]?.paths).toEqual(["old/b.txt"]);
  await projects.dispose();
});
