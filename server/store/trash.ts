/** The book of what was deleted: where it stood, where it is kept. The files themselves are the workspace's business. */
import type { ProjectId, SessionId, TrashId } from "@/lib/id";
import type { AskCatalogue } from "./ask-catalogue";

export interface TrashItem {
  readonly id: TrashId;
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  /** Path in the project. */
  readonly path: string;
  /** Absolute path of the copy in home/trash. */
  readonly keptIn: string;
  /** true = a folder with all that was in it. */
  readonly folder: boolean;
  readonly files: number;
  readonly bytes: number;
  /** ms epoch */
  readonly at: number;
  /** ms epoch; only what was put back has it. */
  readonly restoredAt?: number;
}

export interface TrashQuery {
  readonly projectId?: ProjectId;
  /** Only what was deleted before this, ms epoch. */
  readonly before?: number;
  readonly limit: number;
}

/** Rejects with StoreError. */
export interface TrashStore {
  /** On disk when it resolves: write it before the file is moved. */
  add(item: TrashItem): Promise<void>;
  /** What went in, counted when it was moved. */
  measured(id: TrashId, size: { readonly files: number; readonly bytes: number }): Promise<boolean>;
  get(id: TrashId): Promise<TrashItem | undefined>;
  /** What can be put back, newest first. */
  list(query: TrashQuery): Promise<TrashItem[]>;
  /** false = not in the trash, or put back already. */
  markRestored(id: TrashId, at: number): Promise<boolean>;
  /** Forgets an item whose copy is gone. */
  remove(id: TrashId): Promise<boolean>;
}

export const createTrash = (ask: AskCatalogue): TrashStore => ({
  add: (item) => ask((catalogue) => catalogue.addTrash(item)),
  measured: (id, size) => ask((catalogue) => catalogue.measureTrash(id, size)),
  get: (id) => ask((catalogue) => catalogue.trashItem(id)),
  list: (query) => ask((catalogue) => catalogue.listTrash(query)),
  markRestored: (id, at) => ask((catalogue) => catalogue.markRestored(id, at)),
  remove: (id) => ask((catalogue) => catalogue.dropTrash(id)),
});
