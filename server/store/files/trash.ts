/**
 * Records of deleted files and folders: original path and location of the copy. The files are managed by the workspace
 * layer.
 */
import type Database from "better-sqlite3";
import { asId, type ProjectId, type SessionId, type TrashId } from "@/lib/events/id";
import { withStoreErrors } from "../core/store-error";
import type { trash } from "../schema";

export interface TrashItem {
  readonly id: TrashId;
  /** The session that deleted it; null = the user did. */
  readonly sessionId: SessionId | null;
  readonly projectId: ProjectId;
  /** Path relative to the project. */
  readonly path: string;
  /** Absolute path of the copy in home/trash. */
  readonly keptIn: string;
  /** true = a folder with its contents. */
  readonly folder: boolean;
  readonly files: number;
  readonly bytes: number;
  /** ms epoch */
  readonly at: number;
  /** ms epoch; absent = not restored. */
  readonly restoredAt?: number;
}

interface TrashQuery {
  readonly projectId?: ProjectId;
  /** Only items deleted before this time, ms epoch. */
  readonly before?: number;
  readonly limit: number;
}

/** Throws StoreError. */
export interface TrashStore {
  /** Adds a record; on disk when it returns. Call it before the file is moved. */
  add(item: TrashItem): void;
  /** Stores the size counted while moving; false = no such item. */
  setSize(id: TrashId, size: { readonly files: number; readonly bytes: number }): boolean;
  get(id: TrashId): TrashItem | undefined;
  /** Restorable items, newest first. */
  list(query: TrashQuery): TrashItem[];
  /** false = not in the trash, or already restored. */
  markRestored(id: TrashId, at: number): boolean;
  /** Deletes the record of an item whose copy no longer exists. */
  remove(id: TrashId): boolean;
}

/** Stored for what the user deleted: the column is not nullable. */
const noSession = asId<SessionId>("");

type TrashRow = Omit<typeof trash.$inferSelect, "folder"> & { readonly folder: number };

const trashColumns = `id, session_id AS sessionId, project_id AS projectId, path, kept_in AS keptIn, folder, files, bytes,
  at, restored_at AS restoredAt`;

export const createTrash = (database: Database.Database): TrashStore => {
  const insert = database.prepare<Omit<TrashRow, "restoredAt">>(
    `INSERT INTO trash (id, session_id, project_id, path, kept_in, folder, files, bytes, at)
     VALUES (@id, @sessionId, @projectId, @path, @keptIn, @folder, @files, @bytes, @at)`,
  );
  const size = database.prepare<[number, number, TrashId]>("UPDATE trash SET files = ?, bytes = ? WHERE id = ?");
  const byId = database.prepare<[TrashId], TrashRow>(`SELECT ${trashColumns} FROM trash WHERE id = ?`);
  const page = database.prepare<{ projectId: ProjectId | null; before: number | null; limit: number }, TrashRow>(
    `SELECT ${trashColumns} FROM trash WHERE restored_at IS NULL
       AND (@projectId IS NULL OR project_id = @projectId) AND (@before IS NULL OR at < @before)
     ORDER BY at DESC, id DESC LIMIT @limit`,
  );
  const restored = database.prepare<[number, TrashId]>(
    "UPDATE trash SET restored_at = ? WHERE id = ? AND restored_at IS NULL",
  );
  const drop = database.prepare<[TrashId]>("DELETE FROM trash WHERE id = ?");
  const safely = <T>(work: () => T): T => withStoreErrors(database.name, work);
  return {
    add: (item) =>
      safely(() => void insert.run({ ...item, sessionId: item.sessionId ?? noSession, folder: item.folder ? 1 : 0 })),
    setSize: (id, { files, bytes }) => safely(() => size.run(files, bytes, id).changes === 1),
    get: (id) =>
      safely(() => {
        const row = byId.get(id);
        return row === undefined ? undefined : toTrashItem(row);
      }),
    list: ({ projectId = null, before = null, limit }) =>
      safely(() => page.all({ projectId, before, limit }).map(toTrashItem)),
    markRestored: (id, at) => safely(() => restored.run(at, id).changes === 1),
    remove: (id) => safely(() => drop.run(id).changes === 1),
  };
};

const toTrashItem = ({ sessionId, folder, restoredAt, ...item }: TrashRow): TrashItem => ({
  ...item,
  sessionId: sessionId === noSession ? null : sessionId,
  folder: folder === 1,
  restoredAt: restoredAt ?? undefined,
});
