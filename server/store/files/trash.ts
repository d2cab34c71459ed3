/**
 * Records of deleted files and folders: original path and location of the copy. The files are managed by the workspace
 * layer.
 */
import type { ProjectId, SessionId, TrashId } from "@/lib/events/id";
import type { RunDrizzleQuery } from "../core/drizzle-query-runner";

export interface TrashItem {
  readonly id: TrashId;
  readonly sessionId: SessionId;
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

export interface TrashQuery {
  readonly projectId?: ProjectId;
  /** Only items deleted before this time, ms epoch. */
  readonly before?: number;
  readonly limit: number;
}

/** Rejects with StoreError. */
export interface TrashStore {
  /** Adds a record; on disk when it resolves. Call it before the file is moved. */
  add(item: TrashItem): Promise<void>;
  /** Stores the size counted while moving; false = no such item. */
  setSize(id: TrashId, size: { readonly files: number; readonly bytes: number }): Promise<boolean>;
  get(id: TrashId): Promise<TrashItem | undefined>;
  /** Restorable items, newest first. */
  list(query: TrashQuery): Promise<TrashItem[]>;
  /** false = not in the trash, or already restored. */
  markRestored(id: TrashId, at: number): Promise<boolean>;
  /** Deletes the record of an item whose copy no longer exists. */
  remove(id: TrashId): Promise<boolean>;
}

export const createTrash = (ask: RunDrizzleQuery): TrashStore => ({
  add: (item) => ask((catalogue) => catalogue.addTrash(item)),
  setSize: (id, size) => ask((catalogue) => catalogue.measureTrash(id, size)),
  get: (id) => ask((catalogue) => catalogue.trashItem(id)),
  list: (query) => ask((catalogue) => catalogue.listTrash(query)),
  markRestored: (id, at) => ask((catalogue) => catalogue.markRestored(id, at)),
  remove: (id) => ask((catalogue) => catalogue.dropTrash(id)),
});
