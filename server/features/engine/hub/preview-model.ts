/** Describes a model before its download: its size, and its fit to the memory of this machine. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { EngineMemory, ModelPreview } from "@/lib/models/engine";
import { findFileFit, headBytes } from "./file-fit";
import { hubFileAddress, readHubFileStart } from "./hub";
import type { ModelReference } from "./model-reference";
import { resolveDownload } from "./resolve-download";
import { namedFiles, totalBytes } from "./stored-downloads";

interface PreviewOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Address of Hugging Face or a mirror, without a slash at its end. */
  readonly hub: string;
  readonly memory: EngineMemory;
  isListed(file: string): boolean;
}

/** Requests the list of the repository's files, and the start of the model's. Fails as `resolveDownload`, and with exists. */
export async function previewModel(
  wanted: ModelReference,
  { folder, hub, memory, isListed }: PreviewOptions,
  signal: AbortSignal,
): Promise<Result<ModelPreview>> {
  const resolved = await resolveDownload(hub, wanted, signal);
  if (!resolved.ok) return resolved;
  const stored = resolved.value;
  const { reference, name } = stored;
  if (isListed(namedFiles(folder, stored).first)) return fail("exists", undefined, { path: name });
  const [{ path = "" } = {}] = stored.model;
  const address = hubFileAddress(hub, stored.repository, stored.commit, path);
  const head = await readHubFileStart(address, headBytes, signal);
  if (signal.aborted) return fail("aborted");
  const bytes = totalBytes(stored);
  const modelBytes = bytes - (stored.projector?.bytes ?? 0);
  const suits = await findFileFit(head.ok ? head.value : null, { bytes, modelBytes }, memory);
  return ok({ reference, name, bytes, ...suits });
}
