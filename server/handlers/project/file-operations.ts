/** Commands of the file tree that delete, copy and move files. Each changes the entry itself, never a link's target. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ExistingPath, FailedPath } from "@/lib/workspace/project-files";
import { baseName, joinPath, parentFolder, topPaths } from "@/lib/workspace/project-path";
import { ownerEntryPath, ownerPath, type SafePath } from "@/server/security/paths/safe-path";
import { copyNames } from "@/server/workspace/files/copy-entry";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { FileInfo } from "@/server/workspace/workspace";
import type { CoreServices } from "../core-services";
import type { HandlerTable } from "../handlers";

export const fileOperationHandlers = ({ projects, toolEnvironments }: CoreServices) =>
  ({
    "files.rename": async ({ projectId, path, to }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const from = ownerEntryPath(path, project.value.policy());
      if (!from.ok) return from;
      const target = ownerEntryPath(to, project.value.policy());
      if (!target.ok) return target;
      const renamed = await project.value.files.rename(from.value, target.value);
      return renamed.ok ? ok(null) : renamed;
    },
    "files.delete": async ({ projectId, paths }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const { done, failed } = await forEachPath(project.value, paths, async (place, path) => {
        const put = await toolEnvironments.trash.put(project.value, null, place);
        return put.ok ? ok({ path, trashId: put.value.trash }) : put;
      });
      return ok({ deleted: done, failed });
    },
    "files.duplicate": async ({ projectId, path, folder }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const from = ownerEntryPath(path, project.value.policy());
      if (!from.ok) return from;
      const target = await existingFolder(project.value, folder ?? parentFolder(from.value.relative));
      return target.ok ? copyIntoFolder(project.value, from.value, target.value) : target;
    },
    "files.existing": async ({ projectId, paths }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const existing: ExistingPath[] = [];
      for (const path of paths) {
        const place = ownerEntryPath(path, project.value.policy());
        const info = place.ok ? await project.value.files.info(place.value) : place;
        if (info.ok)
          existing.push({ path, isFolder: info.value.kind === "folder", version: toFileVersion(info.value) });
      }
      return ok({ existing });
    },
    "files.move": async ({ projectId, paths, folder }) => {
      const found = await projects.get(projectId);
      if (!found.ok) return found;
      const project = found.value;
      const target = await existingFolder(project, folder);
      if (!target.ok) return target;
      const { done, failed } = await forEachPath(project, paths, async (from, path) => {
        const to = ownerEntryPath(pathInFolder(target.value, baseName(from.relative)), project.policy());
        if (!to.ok) return to;
        const moved = await project.files.rename(from, to.value);
        return moved.ok ? ok({ path, to: to.value.relative }) : moved;
      });
      return ok({ moved: done, failed });
    },
  }) satisfies Partial<HandlerTable>;

/** Copies an entry into a folder under the first free name. */
async function copyIntoFolder(
  project: OpenProject,
  from: SafePath<"owner">,
  folder: SafePath<"owner">,
): Promise<Result<{ readonly path: string }>> {
  const info = await project.files.info(from);
  if (!info.ok) return info;
  for (const name of copyNames(baseName(from.relative), info.value.kind === "folder")) {
    const to = ownerEntryPath(pathInFolder(folder, name), project.policy());
    if (!to.ok) return to;
    const copied = await project.files.copy(from, to.value);
    if (copied.ok) return ok({ path: to.value.relative });
    if (copied.error.code !== "exists") return copied;
  }
  return fail("exists", undefined, { path: from.relative });
}

/** Performs `work` for each entry in turn; a path in another one of the paths is part of it. */
async function forEachPath<T>(
  project: OpenProject,
  paths: readonly string[],
  work: (place: SafePath<"owner">, path: string) => Promise<Result<T>>,
): Promise<{ readonly done: readonly T[]; readonly failed: readonly FailedPath[] }> {
  const done: T[] = [];
  const failed: FailedPath[] = [];
  for (const path of topPaths(paths)) {
    const place = ownerEntryPath(path, project.policy());
    const result = place.ok ? await work(place.value, path) : place;
    if (result.ok) done.push(result.value);
    else failed.push({ path, code: result.error.code });
  }
  return { done, failed };
}

const pathInFolder = (folder: SafePath, name: string): string =>
  joinPath(folder.relative === "." ? "" : folder.relative, name);

/** Returns the version of an entry in `ExistingPath`. */
export const toFileVersion = ({ modifiedAt, size }: FileInfo): string =>
  `${modifiedAt.toString(36)}-${size.toString(36)}`;

/** A rename creates missing folders; an operation into a folder that was deleted meanwhile fails. */
export async function existingFolder(project: OpenProject, folder: string): Promise<Result<SafePath<"owner">>> {
  const place = ownerPath(folder === "" ? "." : folder, "write", project.policy());
  if (!place.ok) return place;
  const listed = await project.files.list(place.value, 1);
  return listed.ok ? place : listed;
}
