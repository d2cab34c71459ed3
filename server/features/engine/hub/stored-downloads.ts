/** The downloads of models that are not finished, as a file of the engine's folder: they are continued after a restart. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFileAsync } from "@/server/store/core/private-file";
import { fileSize, receivedSize } from "../download/received-size";
import { isGgufPath } from "./model-reference";

const fileSchema = z.object({
  path: z.string().check(z.refine(isGgufPath)),
  bytes: z.int().check(z.positive()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
const downloadSchema = z.object({
  /** As `formatModelReference` writes it. */
  reference: z.string(),
  name: z.string(),
  repository: z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/)),
  commit: z.string(),
  /** The parts of the model in their order. */
  model: z.array(fileSchema).check(z.minLength(1)),
  projector: z.optional(fileSchema),
});
const storedSchema = z.object({ downloads: z.array(downloadSchema) });

export type StoredDownload = z.infer<typeof downloadSchema>;

/** `path` = that of the file. A damaged file counts as empty: what was received is found again by a new download. */
export async function readStoredDownloads(path: string): Promise<readonly StoredDownload[]> {
  const stored = storedSchema.safeParse(parseJson(await readFile(path, "utf8").catch(() => "")));
  return stored.success ? stored.data.downloads : [];
}

export const writeStoredDownloads = (path: string, downloads: readonly StoredDownload[]): Promise<void> =>
  writePrivateFileAsync(path, Buffer.from(`${JSON.stringify({ downloads }, null, 2)}\n`));

/** Folder of all models that were downloaded; `engine` = absolute folder of the engine. */
export const modelsFolder = (engine: string): string => join(engine, "models");

/** All files with their absolute paths, the model's first part first. */
export function downloadTargets(engine: string, { repository, model, projector }: StoredDownload) {
  const folder = join(modelsFolder(engine), repository.replace("/", "--"));
  return [...model, ...(projector === undefined ? [] : [projector])].map((file) => ({
    ...file,
    // Files of two subfolders may have the same name; llama.cpp looks for the parts of a model in one folder.
    target: join(folder, file.path.replaceAll("/", "--")),
  }));
}

/** Paths of the model's first part, which names the others, and of its projector. */
export function namedFiles(engine: string, stored: StoredDownload) {
  const targets = downloadTargets(engine, stored).map(({ target }) => target);
  return { first: targets[0] ?? "", projector: stored.projector === undefined ? undefined : targets.at(-1) };
}

/** Adds up the sizes of all files, bytes. */
export const totalBytes = ({ model, projector }: StoredDownload): number =>
  model.reduce((sum, { bytes }) => sum + bytes, projector?.bytes ?? 0);

/** All files have arrived, and their checksums were right. */
export async function isWhole(engine: string, stored: StoredDownload): Promise<boolean> {
  for (const { target, bytes } of downloadTargets(engine, stored)) if ((await fileSize(target)) !== bytes) return false;
  return true;
}

/** Part of `totalBytes` that is on the disk. */
export async function receivedBytes(engine: string, stored: StoredDownload): Promise<number> {
  let sum = 0;
  for (const { target, bytes } of downloadTargets(engine, stored)) sum += Math.min(bytes, await receivedSize(target));
  return sum;
}
