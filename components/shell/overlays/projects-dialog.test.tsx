// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { enLate } from "../../messages/en-late";
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
