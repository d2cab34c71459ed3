/** The personal workspace: a project in the program's home, for conversations that belong to no project. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { type OpenProject, type Projects, workspaceFolder } from "./projects";

interface PersonalWorkspaceOptions {
  readonly home: string;
  readonly projects: Pick<Projects, "open">;
  /** Text of the guide that a new workspace begins with. */
  guide(): string;
  /** The user trusts this project. */
  trust(id: ProjectId): void;
}

const guideName = "AGENTS.md";

/**
 * Opens the workspace. The first use creates its folder with a guide and trusts it, since no other program has written there;
 * one that failed before its end is finished by the next, unless there are other files by then. Fails as `Projects.open`;
 * rejects if the folder cannot be created.
 */
export async function openPersonalWorkspace(options: PersonalWorkspaceOptions): Promise<Result<OpenProject>> {
  const folder = join(options.home, workspaceFolder);
  /** Exists until the first use has ended. */
  const unfinished = `${folder}.new`;
  if (!existsSync(folder)) {
    await writeFile(unfinished, "");
    await mkdir(folder, { mode: 0o700, recursive: true });
  }
  const isNew = existsSync(unfinished) && (await readdir(folder)).every((name) => name === guideName);
  if (isNew) await writeFile(join(folder, guideName), `${options.guide()}\n`);
  const opened = await options.projects.open(folder);
  if (!opened.ok) return opened;
  if (isNew) options.trust(opened.value.project.id);
  await rm(unfinished, { force: true });
  return opened;
}
