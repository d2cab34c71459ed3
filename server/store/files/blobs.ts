/**
 * Content-addressed blobs: file snapshots, full outputs, prompts, images. A blob is written before the event that
 * references it.
 */
import type Database from "better-sqlite3";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { computeBlobId, computeBlobIdSteps } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import type { BlobId } from "@/lib/events/id";
import { makePrivateFolder, writePrivateFile, writePrivateFileAsync } from "../core/private-file";
import { withStoreErrors, toStoreError } from "../core/store-error";
import { neverAborted } from "@/server/base/abort";

/** Blobs up to this size are stored in the database, bytes. */
export const blobInlineBytes = 65_536;

/** Every method throws StoreError. */
export interface BlobStore {
  /** Stores the content; on disk when it returns. Existing content is not written again. */
  put(bytes: Uint8Array): BlobId;
  /** Asynchronous `put`: on disk when it resolves. The bytes must not change meanwhile. Rejects with StoreError. */
  putAsync(bytes: Uint8Array): Promise<BlobId>;
  /** undefined = never stored, or its file is missing or damaged. */
  get(id: BlobId): Uint8Array | undefined;
  has(id: BlobId): boolean;
}

const isInline = (bytes: Uint8Array): boolean => bytes.length <= blobInlineBytes;

const rejectAsStoreError =
  (folder: string) =>
  (error: unknown): never => {
    throw toStoreError(error, folder);
  };

/**
 * Creates the store. Blobs up to `blobInlineBytes` are in the database, larger ones are files in subfolders of `folder`
 * named by the first two digits.
 */
export const createBlobs = (database: Database.Database, folder: string): BlobStore => {
  const insert = database.prepare<[BlobId, number, Uint8Array | null]>(
    "INSERT INTO blobs (id, size, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const select = database.prepare<[BlobId], { bytes: Buffer | null }>("SELECT bytes FROM blobs WHERE id = ?");
  const describe = database.prepare<[BlobId], { size: number; inline: number }>(
    "SELECT size, bytes IS NOT NULL AS inline FROM blobs WHERE id = ?",
  );

  const folderOf = (id: BlobId): string => join(folder, id.slice(0, 2));
  const pathOf = (id: BlobId): string => join(folderOf(id), id);

  /** Checks the row first, so that an untrusted id never becomes a path. */
  const isStored = (id: BlobId): boolean => {
    const row = describe.get(id);
    if (row === undefined) return false;
    return row.inline === 1 || statSync(pathOf(id), { throwIfNoEntry: false })?.size === row.size;
  };

  const filePathOf = (id: BlobId): string => {
    makePrivateFolder(folder);
    makePrivateFolder(folderOf(id));
    return pathOf(id);
  };

  const put = (bytes: Uint8Array): BlobId => {
    const id = computeBlobId(bytes);
    if (isStored(id)) return id;
    if (!isInline(bytes)) writePrivateFile(filePathOf(id), bytes);
    insert.run(id, bytes.length, isInline(bytes) ? bytes : null);
    return id;
  };

  const keep = async (bytes: Uint8Array): Promise<BlobId> => {
    if (isInline(bytes)) return put(bytes);
    const id = await runStepsInSlices(computeBlobIdSteps(bytes), neverAborted);
    if (isStored(id)) return id;
    await writePrivateFileAsync(filePathOf(id), bytes);
    insert.run(id, bytes.length, null);
    return id;
  };

  const get = (id: BlobId): Uint8Array | undefined => {
    const row = select.get(id);
    if (row === undefined) return undefined;
    if (row.bytes !== null) return row.bytes;
    if (!isStored(id)) return undefined;
    const bytes = readFileSync(pathOf(id));
    return computeBlobId(bytes) === id ? bytes : undefined;
  };

  return {
    put: (bytes) => withStoreErrors(folder, () => put(bytes)),
    putAsync: (bytes) => keep(bytes).catch(rejectAsStoreError(folder)),
    get: (id) => withStoreErrors(folder, () => get(id)),
    has: (id) => withStoreErrors(folder, () => isStored(id)),
  };
};
