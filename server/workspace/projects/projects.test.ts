import { afterEach, beforeEach, expect, test } from "vitest";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeProjects } from "./projects";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject({ "sub/a.txt": "a", "b.txt": "b" });
});
afterEach(() => project.remove());

test("folders are reported when their watch has started: they may have changed since a client read them", async () => {
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
  const { watch } = opened.value;
  const [one, two] = [asId<ClientId>("one"), asId<ClientId>("two")];
  watch(one, ["", "sub"]);
  await expect
    .poll(() => pushes.map(({ folders, paths }) => ({ folders, paths })))
    .toEqual([{ folders: ["", "sub"], paths: [] }]);
  // Another client shows a folder that is watched already: nothing was missed.
  watch(two, ["sub"]);
  project.put("sub/a.txt", "changed");
  await expect.poll(() => pushes.length).toBe(2);
  expect(pushes[1]?.paths).toEqual(["sub/a.txt"]);
  await projects.dispose();
});
