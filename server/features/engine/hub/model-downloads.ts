/** Downloads of models from Hugging Face: several at a time, each paused, continued after a restart, or given up. */
import { mkdir, rm, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelDownload } from "@/lib/models/engine";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { modelNameOfFile } from "../models/model-list";
import { chooseModelFiles } from "./choose-files";
import { readHubRepository } from "./hub";
import { formatModelReference, type ModelReference } from "./model-reference";
import { type ModelTransfer, openModelTransfer } from "./model-transfer";
import {
  downloadTargets,
  readStoredDownloads,
  receivedBytes,
  type StoredDownload,
  totalBytes,
  writeStoredDownloads,
} from "./stored-downloads";

export interface ModelDownloads {
  /** Reads the downloads that an earlier process has not finished; they are paused. */
  load(): Promise<void>;
  list(): readonly ModelDownload[];
  /**
   * Starts a download, or continues it. Fails with not_found (facts: `available` quantizations), no_permission, exists,
   * disk_full (facts: `missingBytes`), download_failed.
   */
  start(reference: ModelReference): Promise<Result<null>>;
  /** Resolves when nothing is being received any more. What was received is kept. Fails with not_found. */
  pause(reference: string): Promise<Result<null>>;
  /** Deletes what was received. Fails with not_found, no_permission. */
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
  hub(): string;
  isListed(file: string): boolean;
  onChange(): void;
  finished(model: DownloadedModel): Promise<Result<unknown>>;
}

export function makeModelDownloads(options: DownloadsOptions): ModelDownloads {
  const { folder, hub, isListed, onChange, finished } = options;
  const path = join(folder, "downloads.json");
  const transfers = new Map<string, ModelTransfer>();
  const closing = new AbortController();
  let loaded: Promise<void> | null = null;

  const save = (): Promise<void> =>
    writeStoredDownloads(
      path,
      [...transfers.values()].map(({ stored }) => stored),
    );
  const received = async (stored: StoredDownload): Promise<Result<unknown>> => {
    const { first, projector } = namedFiles(folder, stored);
    const added = await finished({ name: stored.name, file: first, ...(projector && { projector }) });
    if (!added.ok) return added;
    transfers.delete(stored.reference);
    await save();
    return ok(null);
  };
  const open = async (stored: StoredDownload): Promise<ModelTransfer> => {
    const transfer = await openModelTransfer(stored, { folder, hub, onChange, received });
    transfers.set(stored.reference, transfer);
    return transfer;
  };
  const load = (): Promise<void> =>
    (loaded ??= readStoredDownloads(path).then(async (downloads) => {
      for (const stored of downloads) await open(stored);
    }));
  const begin = async (wanted: ModelReference): Promise<Result<ModelTransfer>> => {
    const resolved = await resolveDownload(hub(), wanted, closing.signal);
    if (!resolved.ok) return resolved;
    const stored = resolved.value;
    if (isListed(namedFiles(folder, stored).first)) return fail("exists", undefined, { path: stored.name });
    const missingBytes = await missingSpace(folder, stored);
    if (missingBytes > 0) return fail("disk_full", undefined, { missingBytes });
    // Another call may have been faster.
    const transfer = transfers.get(stored.reference) ?? (await open(stored));
    await save();
    return ok(transfer);
  };
  return {
    load,
    list: () => [...transfers.values()].map((transfer) => transfer.state()),
    async start(wanted) {
      await load();
      const transfer = transfers.get(formatModelReference(wanted));
      const begun = transfer === undefined ? await begin(wanted) : ok(transfer);
      if (!begun.ok) return begun;
      begun.value.start();
      return ok(null);
    },
    async pause(reference) {
      const transfer = transfers.get(reference);
      if (transfer === undefined) return fail("not_found", reference);
      await transfer.pause();
      return ok(null);
    },
    async cancel(reference) {
      const transfer = transfers.get(reference);
      if (transfer === undefined) return fail("not_found", reference);
      await transfer.pause();
      transfers.delete(reference);
      return catchFileErrors(folder, async () => {
        await save();
        await removeReceived(folder, transfer.stored, isListed);
        onChange();
        return ok(null);
      });
    },
    async close() {
      closing.abort();
      await Promise.all([...transfers.values()].map((transfer) => transfer.pause()));
    },
  };
}

/** Paths of the model's first part, which names the others, and of its projector. */
function namedFiles(folder: string, stored: StoredDownload) {
  const targets = downloadTargets(folder, stored).map(({ target }) => target);
  return { first: targets[0] ?? "", projector: stored.projector === undefined ? undefined : targets.at(-1) };
}

async function resolveDownload(
  hub: string,
  reference: ModelReference,
  signal: AbortSignal,
): Promise<Result<StoredDownload>> {
  const listed = await readHubRepository(hub, reference.repository, signal);
  if (!listed.ok) return listed;
  const { repository, commit, files } = listed.value;
  const chosen = chooseModelFiles(files, reference);
  if (!chosen.ok) return chosen;
  const { model, projector } = chosen.value;
  const name = modelNameOfFile(model[0]?.path ?? "").replace(/-\d{5}-of-\d{5}$/, "");
  return ok({
    reference: formatModelReference(reference),
    name,
    repository,
    commit,
    model: [...model],
    ...(projector && { projector }),
  });
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
  isListed: (file: string) => boolean,
): Promise<void> {
  for (const { target } of downloadTargets(folder, stored)) {
    await rm(`${target}.part`, { force: true });
    if (!isListed(target)) await rm(target, { force: true });
  }
  // It stays if there are other files.
  await rmdir(dirname(namedFiles(folder, stored).first)).catch(() => undefined);
}
