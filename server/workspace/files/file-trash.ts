/** Trash of all projects: moves files in with a database row, restores them, deletes them. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { TrashEntry } from "@/lib/workspace/changes";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId, SessionId, TrashId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { randomId } from "@/server/base/id";
import { ownerEntryPath, type SafePath } from "@/server/security/paths/safe-path";
import type { Store } from "@/server/store/open-store";
import type { TrashItem } from "@/server/store/files/trash";
import type { OpenProject, Projects } from "../projects/projects";
import { catchFileErrors } from "./file-errors";

interface FileTrashOptions {
  readonly store: Pick<Store, "trash">;
  readonly projects: Pick<Projects, "get">;
  readonly home: string;
  now(): number;
  /** The trash of a project changed. */
  changed(projectId: ProjectId): void;
}

export interface TrashedFiles {
  readonly trash: TrashId;
  readonly files: number;
  readonly bytes: number;
}

export interface FileTrash {
  /**
   * Moves a file or folder in, for a session or (null) for the user; with `expect` only a file with that hash (changed_meanwhile). Fails like files.moveOutEntry.
   */
  put(project: OpenProject, sessionId: SessionId | null, path: SafePath, expect?: Hash): Promise<Result<TrashedFiles>>;
  /** Stores a copy of a file that is about to be overwritten for the user. */
  putCopy(project: OpenProject, path: SafePath, bytes: Uint8Array, mode: number): Promise<Result<TrashId>>;
  /** Restorable entries, newest first. */
  list(query: { readonly projectId?: ProjectId; readonly before?: number }): Promise<{
    readonly entries: readonly TrashEntry[];
    readonly more: boolean;
  }>;
  /**
   * Moves an entry back to its path. Something else there is moved to the trash with `replaces`; without it, it fails with
   * exists. Fails with not_found, gone, too.
   */
  restore(id: TrashId, replaces?: boolean): Promise<Result<{ readonly path: string }>>;
  /** Deletes permanently. Fails with not_found. */
  remove(id: TrashId): Promise<Result<null>>;
}

export function makeFileTrash({ store, projects, home, now, changed }: FileTrashOptions): FileTrash {
  const folder = join(home, "trash");
  /** Adds the record of an entry; the caller then puts the entry into `keptIn`. */
  const addItem = async (item: Pick<TrashItem, "sessionId" | "projectId" | "path" | "folder" | "bytes">) => {
    const trash = randomId<TrashId>("trash");
    const keptIn = join(folder, trash);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    store.trash.add({ ...item, id: trash, keptIn, files: 0, at: now() });
    return { trash, keptIn };
  };
  const put: FileTrash["put"] = async (project, sessionId, path, expect) => {
    const info = await project.files.info(path);
    const projectId = project.project.id;
    const isFolder = info.ok && info.value.kind === "folder";
    const bytes = info.ok ? info.value.size : 0;
    const { trash, keptIn } = await addItem({ sessionId, projectId, path: path.relative, folder: isFolder, bytes });
    const moved = await project.files.moveOut(path, keptIn, expect);
    if (moved.ok) store.trash.setSize(trash, moved.value);
    else store.trash.remove(trash);
    if (!moved.ok) return moved;
    changed(projectId);
    return ok({ trash, ...moved.value });
  };
  return {
    put,
    async putCopy({ project: { id: projectId } }, path, bytes, mode) {
      const size = { files: 1, bytes: bytes.length };
      const { trash, keptIn } = await addItem({
        sessionId: null,
        projectId,
        path: path.relative,
        folder: false,
        ...size,
      });
      const stored = await catchFileErrors(path.relative, async () => {
        await mkdir(keptIn, { mode: 0o700 });
        await writeFile(join(keptIn, basename(path.relative)), bytes, { mode, flush: true });
        return ok(trash);
      });
      if (stored.ok) store.trash.setSize(trash, size);
      else store.trash.remove(trash);
      changed(projectId);
      return stored;
    },
    async list(query) {
      const limit = limits.historyPageEntries;
      const found = store.trash.list({ ...query, limit: limit + 1 });
      return { entries: found.slice(0, limit).map(toTrashEntry), more: found.length > limit };
    },
    async restore(id, replaces = false) {
      const item = store.trash.get(id);
      if (item === undefined) return fail("not_found");
      if (item.restoredAt !== undefined) return fail("gone", item.path);
      const project = await projects.get(item.projectId);
      if (!project.ok) return project;
      // A link there is replaced, and not what it names.
      const place = ownerEntryPath(item.path, project.value.policy());
      if (!place.ok) return place;
      if (replaces && (await project.value.files.info(place.value)).ok) {
        const moved = await put(project.value, null, place.value);
        if (!moved.ok) return moved;
      }
      const back = await project.value.files.moveBack(item.keptIn, place.value);
      if (!back.ok) return back;
      store.trash.markRestored(id, now());
      await rm(item.keptIn, { recursive: true, force: true });
      changed(item.projectId);
      return ok({ path: item.path });
    },
    async remove(id) {
      const item = store.trash.get(id);
      if (item === undefined || item.restoredAt !== undefined) return fail("not_found");
      // Guards against a row whose path leads out of the trash.
      if (dirname(item.keptIn) === folder) await rm(item.keptIn, { recursive: true, force: true });
      store.trash.remove(id);
      changed(item.projectId);
      return ok(null);
    },
  };
}

const toTrashEntry = ({ keptIn: _keptIn, restoredAt: _restoredAt, ...entry }: TrashItem): TrashEntry => entry;
