/**
 * Index of file snapshots: stat data of every project file at its last scan, and the blob with its content. Read page
 * by page in each scan and not cached in between.
 */
import type Database from "better-sqlite3";
import type { BlobId, ProjectId } from "@/lib/events/id";
import type { BlobStore } from "./blobs";
import type { fileSnapshots, openCommands } from "../schema";
import { withStoreErrors } from "../core/store-error";

/** A scanned file. `changedNs` "" = it was modified so recently that it must be read again. */
type StoredFileSnapshot = Omit<typeof fileSnapshots.$inferSelect, "projectId">;

/** Changes found by a scan. `kept` = bytes to store, the id of a stored blob, or null for a file too large to store. */
interface SnapshotUpdate {
  readonly put: readonly {
    readonly image: Omit<StoredFileSnapshot, "blob">;
    readonly kept: BlobId | null | Uint8Array;
  }[];
  readonly drop: readonly string[];
}

/** A shell command without a stored end, with its call. */
type OpenCommand = typeof openCommands.$inferSelect;

/** Throws StoreError from every method. */
export interface FileSnapshotStore {
  /** Iterates the files of a project in pages of `pageFiles`, ordered by path; writes may happen between pages. */
  pages(projectId: ProjectId): Iterable<readonly StoredFileSnapshot[]>;
  get(projectId: ProjectId, path: string): StoredFileSnapshot | undefined;
  /** Applies an update in one transaction; returns the new rows as stored. */
  update(projectId: ProjectId, update: SnapshotUpdate): readonly StoredFileSnapshot[];
  /** Records that the index reflects the files before this command, until its changes are in the log. */
  markCommandOpen(command: OpenCommand): void;
  /** Deletes the record of `markCommandOpen`. */
  clearOpenCommand(command: OpenCommand): void;
  /** Recorded commands of all projects. */
  listOpenCommands(): OpenCommand[];
}

/** Page size; a page is read in a few milliseconds. */
const pageFiles = 500;

export const createFileSnapshots = (database: Database.Database, blobs: Pick<BlobStore, "put">): FileSnapshotStore => {
  const columns = "path, blob, size, mode, modified_ns AS modifiedNs, changed_ns AS changedNs, inode AS inode";
  const page = database.prepare<[ProjectId, string, number], StoredFileSnapshot>(
    `SELECT ${columns} FROM file_images WHERE project_id = ? AND path > ? ORDER BY path LIMIT ?`,
  );
  const one = database.prepare<[ProjectId, string], StoredFileSnapshot>(
    `SELECT ${columns} FROM file_images WHERE project_id = ? AND path = ?`,
  );
  const put = database.prepare<StoredFileSnapshot & { projectId: ProjectId }>(
    `INSERT INTO file_images (project_id, path, blob, size, mode, modified_ns, changed_ns, inode)
     VALUES (@projectId, @path, @blob, @size, @mode, @modifiedNs, @changedNs, @inode)
     ON CONFLICT DO UPDATE SET blob = excluded.blob, size = excluded.size, mode = excluded.mode,
       modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns, inode = excluded.inode`,
  );
  const drop = database.prepare<[ProjectId, string]>("DELETE FROM file_images WHERE project_id = ? AND path = ?");
  const putCommand = database.prepare<OpenCommand>(
    `INSERT INTO open_commands (project_id, session_id, call_id) VALUES (@projectId, @sessionId, @callId)
     ON CONFLICT DO NOTHING`,
  );
  const dropCommand = database.prepare<OpenCommand>(
    "DELETE FROM open_commands WHERE project_id = @projectId AND session_id = @sessionId AND call_id = @callId",
  );
  const commands = database.prepare<[], OpenCommand>(
    "SELECT project_id AS projectId, session_id AS sessionId, call_id AS callId FROM open_commands",
  );
  const update = database.transaction((projectId: ProjectId, { put: rows, drop: paths }: SnapshotUpdate) => {
    const stored = rows.map(({ image, kept }): StoredFileSnapshot => {
      const blob = kept instanceof Uint8Array ? blobs.put(kept) : kept;
      const row = { ...image, blob };
      put.run({ ...row, projectId });
      return row;
    });
    for (const path of paths) drop.run(projectId, path);
    return stored;
  });
  const safely = <T>(work: () => T): T => withStoreErrors(database.name, work);
  return {
    *pages(projectId) {
      let after = "";
      for (;;) {
        const rows = safely(() => page.all(projectId, after, pageFiles));
        if (rows.length > 0) yield rows;
        if (rows.length < pageFiles) return;
        after = rows.at(-1)?.path ?? after;
      }
    },
    get: (projectId, path) => safely(() => one.get(projectId, path)),
    update: (projectId, changes) => safely(() => update.immediate(projectId, changes)),
    markCommandOpen: (command) => safely(() => void putCommand.run(command)),
    clearOpenCommand: (command) => safely(() => void dropCommand.run(command)),
    listOpenCommands: () => safely(() => commands.all()),
  };
};
