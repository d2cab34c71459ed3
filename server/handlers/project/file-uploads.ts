/** Receives files that the owner uploads into a project. A file is only replaced on request, and then kept in the trash. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId, TrashId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { baseName, joinPath, parentFolder } from "@/lib/workspace/project-path";
import { isUploadName, type UploadAnswer, type UploadConflict } from "@/lib/workspace/upload";
import { ownerEntryPath, type SafePath } from "@/server/security/paths/safe-path";
import { copyNames } from "@/server/workspace/files/copy-entry";
import type { FileTrash } from "@/server/workspace/files/file-trash";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import type { FileInfo, IncomingFile } from "@/server/workspace/workspace";
import { existingFolder, toFileVersion } from "./file-operations";

interface UploadTarget {
  readonly projectId: ProjectId;
  /** An existing folder of the project; "" = its root. */
  readonly folder: string;
  /** Path in the folder; missing folders in it are created. */
  readonly name: string;
  readonly conflict: UploadConflict;
  /** `ExistingPath.version` of the file to replace; absent = any. */
  readonly version?: string | undefined;
}

export interface OwnerFileUploads {
  /**
   * Fails with bad_path for a name that is not allowed, exists, is_folder for the replacement of a folder,
   * changed_meanwhile if the file to replace has another version, and as Files.receive.
   */
  receive(target: UploadTarget, file: Pick<IncomingFile, "chunks" | "size">): Promise<Result<UploadAnswer>>;
}

interface FileUploadServices {
  readonly projects: Pick<Projects, "get">;
  readonly trash: Pick<FileTrash, "put" | "restore">;
}

type MoveTo = (to: SafePath) => Promise<Result<void>>;

export const makeFileUploads = ({ projects, trash }: FileUploadServices): OwnerFileUploads => ({
  async receive({ projectId, folder, name, conflict, version }, file) {
    const found = await projects.get(projectId);
    if (!found.ok) return found;
    const project = found.value;
    if (!isUploadName(name)) return fail("bad_path", undefined, { path: name.slice(0, 200) });
    const parent = await existingFolder(project, folder);
    if (!parent.ok) return parent;
    const path = ownerEntryPath(
      joinPath(parent.value.relative === "." ? "" : parent.value.relative, name),
      project.policy(),
    );
    if (!path.ok) return path;
    const target = path.value;
    const old = await project.files.info(target);
    if (old.ok && conflict === "fail") return fail("exists", undefined, { path: target.relative });
    if (old.ok && conflict === "replace" && old.value.kind === "folder")
      return fail("is_folder", undefined, { path: target.relative });
    const isOther = (info: FileInfo): boolean => version !== undefined && toFileVersion(info) !== version;
    if (old.ok && conflict === "replace" && isOther(old.value))
      return fail("changed_meanwhile", undefined, { path: target.relative });
    const isReplaced = old.ok && conflict === "replace";
    const mode = isReplaced && old.value.kind === "file" ? old.value.mode : undefined;
    return project.files.receive(target, { ...file, maxBytes: limits.uploadBytes, mode }, (moveTo) =>
      conflict === "keep"
        ? moveToFreeName(project, target, moveTo)
        : isReplaced
          ? replace({ project, trash, isOther }, target, moveTo)
          : moveToName(target, moveTo),
    );
  },
});

async function moveToName(path: SafePath, moveTo: MoveTo): Promise<Result<UploadAnswer>> {
  const moved = await moveTo(path);
  return moved.ok ? ok({ path: path.relative, replaced: null }) : moved;
}

async function moveToFreeName(project: OpenProject, path: SafePath, moveTo: MoveTo): Promise<Result<UploadAnswer>> {
  for (const name of copyNames(baseName(path.relative), false)) {
    const to = ownerEntryPath(joinPath(parentFolder(path.relative), name), project.policy());
    const moved = to.ok ? await moveToName(to.value, moveTo) : to;
    if (moved.ok || moved.error.code !== "exists") return moved;
  }
  return fail("exists", undefined, { path: path.relative });
}

interface Replacing extends Pick<FileUploadServices, "trash"> {
  readonly project: OpenProject;
  readonly isOther: (info: FileInfo) => boolean;
}

/** Moves the old file to the trash first; it returns if the new one cannot take its place. */
async function replace(
  { project, trash, isOther }: Replacing,
  path: SafePath,
  moveTo: MoveTo,
): Promise<Result<UploadAnswer>> {
  const old = await project.files.info(path);
  if (old.ok && isOther(old.value)) return fail("changed_meanwhile", undefined, { path: path.relative });
  const put = await trash.put(project, null, path);
  const gone = !put.ok && put.error.code === "not_found";
  if (!put.ok && !gone) return put;
  const replaced: TrashId | null = put.ok ? put.value.trash : null;
  const moved = await moveTo(path);
  if (moved.ok) return ok({ path: path.relative, replaced });
  if (replaced !== null) await trash.restore(replaced);
  return moved;
}
