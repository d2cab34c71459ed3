/** Downloads of models from Hugging Face: several at a time, each paused, continued after a restart, or given up. */
import { mkdir, rm, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelDownload } from "@/lib/models/engine";
import { makeMutex } from "@/server/base/concurrency";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { partFile } from "../download/received-size";
import { formatModelReference, type ModelReference } from "./model-reference";
import { type ModelTransfer, openModelTransfer } from "./model-transfer";
import { resolveDownload } from "./resolve-download";
import {
  downloadTargets,
  namedFiles,
  readStoredDownloads,
  receivedBytes,
  type StoredDownload,
  totalBytes,
  writeStoredDownloads,
} from "./stored-downloads";

export interface ModelDownloads {
  /** Reads the downloads that an earlier process has not finished. They are paused; whole ones are finished. */
  load(): Promise<void>;
  list(): readonly ModelDownload[];
  /**
   * Starts a download, or continues it. Fails with not_found (facts: `available` quantizations), no_permission, exists,
   * too_many (models, or files in its repository), disk_full (facts: `missingBytes`), download_failed, model_file_broken (it
   * arrived as it is on the server), and as `hubAddress`.
   */
  start(reference: ModelReference): Promise<Result<null>>;
  /** Resolves when nothing is being received any more. What was received is kept. Fails with not_found. */
  pause(reference: string): Promise<Result<null>>;
  /** Deletes what was received; a model that was added to the list meanwhile stays. Fails with not_found, no_permission. */
  cancel(reference: string): Promise<Result<null>>;
  /** Pauses all. */
  close(): Promise<void>;
}

/** A model that was downloaded. */
export interface DownloadedModel {
  readonly name: string;
  readonly file: string;
  readonly projector?: string;
}

interface DownloadsOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Address of Hugging Face or a mirror. */
  hub(): Result<string>;
  /** The file belongs to a model in the list, also as a part or as its projector. */
  isListed(file: string): boolean;
  /** Models that the list can get. */
  room(): number;
  onChange(): void;
  finished(model: DownloadedModel): Promise<Result<unknown>>;
}

/** The transfers that are not finished, kept equal to their file in the engine's folder. */
interface TransferSet {
  load(): Promise<void>;
  list(): readonly ModelTransfer[];
  find(reference: string): ModelTransfer | undefined;
  /** Adds a paused transfer, unless one receives the same model by another of its names. */
  add(stored: StoredDownload): Promise<ModelTransfer>;
  remove(reference: string): Promise<void>;
}

function makeTransferSet({ folder, hub, isListed, onChange, finished }: DownloadsOptions): TransferSet {
  const path = join(folder, "downloads.json");
  const transfers = new Map<string, ModelTransfer>();
  const files = makeMutex();
  let loaded: Promise<void> | null = null;

  const list = (): readonly ModelTransfer[] => [...transfers.values()];
  const save = (): Promise<void> =>
    writeStoredDownloads(
      path,
      list().map(({ stored }) => stored),
    );
  const remove = async (reference: string): Promise<void> => {
    transfers.delete(reference);
    await save();
  };
  const received = async (stored: StoredDownload): Promise<Result<unknown>> => {
    const { first, projector } = namedFiles(folder, stored);
    const added = await finished({ name: stored.name, file: first, ...(projector && { projector }) });
    if (added.ok) await remove(stored.reference);
    return added;
  };
  const open = async (stored: StoredDownload): Promise<ModelTransfer> => {
    const transfer = await openModelTransfer(stored, { folder, hub, files, onChange, received });
    transfers.set(stored.reference, transfer);
    return transfer;
  };
  return {
    list,
    load: () =>
      (loaded ??= readStoredDownloads(path).then(async (downloads) => {
        // One that was added before a kill is whole.
        for (const stored of downloads)
          if (!isListed(namedFiles(folder, stored).first)) await (await open(stored)).finish();
      })),
    find: (reference) => transfers.get(reference),
    async add(stored) {
      const { first } = namedFiles(folder, stored);
      const same = list().find((one) => namedFiles(folder, one.stored).first === first);
      const transfer = same ?? (await open(stored));
      await save();
      return transfer;
    },
    remove,
  };
}

export function makeModelDownloads(options: DownloadsOptions): ModelDownloads {
  const { folder, hub, isListed, room, onChange } = options;
  const transfers = makeTransferSet(options);
  const starts = makeMutex();
  /** A transfer is not started while it, or another one, is deleted. */
  const deletions = makeMutex();
  const closing = new AbortController();

  const findOrResolve = async (wanted: ModelReference): Promise<Result<StoredDownload>> => {
    const transfer = transfers.find(formatModelReference(wanted));
    if (transfer !== undefined) return ok(transfer.stored);
    if (transfers.list().length >= room()) return fail("too_many");
    const address = hub();
    if (!address.ok) return address;
    const resolved = await resolveDownload(address.value, wanted, closing.signal);
    if (!resolved.ok) return resolved;
    const stored = resolved.value;
    if (isListed(namedFiles(folder, stored).first)) return fail("exists", undefined, { path: stored.name });
    const missingBytes = await missingSpace(folder, stored);
    if (missingBytes > 0) return fail("disk_full", undefined, { missingBytes });
    return resolved;
  };
  const begin = async (wanted: ModelReference): Promise<Result<null>> => {
    const found = await findOrResolve(wanted);
    if (!found.ok) return found;
    // One that was being cancelled begins again.
    return deletions.hold("", async () => (await transfers.add(found.value)).start(), closing.signal);
  };
  const cancel = async (transfer: ModelTransfer): Promise<Result<null>> => {
    const { stored } = transfer;
    await transfer.pause();
    // It was in its last step.
    if (transfers.find(stored.reference) !== transfer) return ok(null);
    await transfers.remove(stored.reference);
    await removeReceived(folder, stored, isUsed);
    onChange();
    return ok(null);
  };
  const isUsed = (file: string): boolean =>
    isListed(file) ||
    transfers.list().some(({ stored }) => downloadTargets(folder, stored).some(({ target }) => target === file));
  return {
    load: transfers.load,
    list: () => transfers.list().map((transfer) => transfer.state()),
    async start(wanted) {
      await transfers.load();
      // Two clicks give one transfer.
      return starts.hold("", () => catchFileErrors(folder, () => begin(wanted)), closing.signal);
    },
    async pause(reference) {
      const transfer = transfers.find(reference);
      if (transfer === undefined) return fail("not_found", reference);
      await transfer.pause();
      return ok(null);
    },
    async cancel(reference) {
      const transfer = transfers.find(reference);
      if (transfer === undefined) return fail("not_found", reference);
      return deletions.hold("", () => catchFileErrors(folder, () => cancel(transfer)), closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all(transfers.list().map((transfer) => transfer.pause()));
    },
  };
}

/** Bytes that the disk lacks; zero or less = it has room. */
async function missingSpace(folder: string, stored: StoredDownload): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  return totalBytes(stored) - (await receivedBytes(folder, stored)) - bavail * bsize;
}

/** A projector may belong to another model of the repository too. */
async function removeReceived(
  folder: string,
  stored: StoredDownload,
  isUsed: (file: string) => boolean,
): Promise<void> {
  for (const { target } of downloadTargets(folder, stored)) {
    if (isUsed(target)) continue;
    await rm(partFile(target), { force: true });
    await rm(target, { force: true });
  }
  // It stays if there are other files.
  await rmdir(dirname(namedFiles(folder, stored).first)).catch(() => undefined);
}
