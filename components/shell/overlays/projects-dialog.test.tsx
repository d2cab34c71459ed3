// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../frame/test-dom";
import { ProjectsDialog } from "./projects-dialog";

const { projectList } = enLate;

test("the buttons of projects with the same name contain the folder", async () => {
  const { client } = await connectClient(() => undefined);
  const project = (name: string, path: string): Project => ({ id: asId<ProjectId>(path), name, path, openedAt: 0 });
  const projects = [project("web", "/a/web"), project("web", "/b/web"), project("api", "/a/api")];
  await renderForUser(client, <ProjectsDialog projects={projects} onClose={() => undefined} />);
  for (const name of ["web (/a/web)", "web (/b/web)", "api"])
    expect(screen.getByRole("button", { name: projectList.remove(name) })).toBeDefined();
});

test("opens the personal workspace, and stays with the reason if it can't", async () => {
  let isBroken = true;
  const id = asId<ProjectId>("w");
  const view = { project: { id, name: "workspace", path: "/home/workspace", openedAt: 0 } };
  const { client } = await connectClient((name) => {
    if (name !== "project.workspace") return undefined;
    return isBroken ? { ok: false, error: { code: "no_permission" } } : { ok: true, value: view };
  });
  let closed = 0;
  const user = await renderForUser(client, <ProjectsDialog projects={[]} onClose={() => (closed += 1)} />);
  const row = screen.getByRole("button", { name: new RegExp(en.shell.workspace) });
  await user.click(row);
  await expect.poll(() => client.toasts.get().length).toBe(1);
  isBroken = false;
  await user.click(row);
  await expect.poll(() => closed).toBe(1);
  expect(client.workbench.get().projectId).toBe(id);
});
