/** The personal workspace: a project in the program's home, for conversations that belong to no project. */
import { mkdir, writeFile } from "node:fs/promises";
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

/**
 * Opens the workspace. The first use creates its folder with a guide and trusts it, since no other program has written there.
 * Fails as `Projects.open`; rejects if the folder cannot be created.
 */
export async function openPersonalWorkspace(options: PersonalWorkspaceOptions): Promise<Result<OpenProject>> {
  const folder = join(options.home, workspaceFolder);
  const isNew = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    },
  );
  if (isNew) await writeFile(join(folder, "AGENTS.md"), `${options.guide()}\n`, { flag: "wx" });
  const opened = await options.projects.open(folder);
  if (isNew && opened.ok) options.trust(opened.value.project.id);
  return opened;
}
