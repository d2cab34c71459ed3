/** What is known of a model before its download: its size, and how it suits the memory of this machine. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { EngineMemory, ModelPreview } from "@/lib/models/engine";
import { computeKvBytesPerToken } from "@/server/providers/ollama/kv-cache-size";
import { estimateActiveParameters } from "../models/gguf-model";
import { readGgufHead } from "../models/read-gguf-head";
import { hubFileAddress, readHubFileStart } from "./hub";
import type { ModelReference } from "./model-reference";
import { resolveDownload } from "./resolve-download";
import { namedFiles, type StoredDownload, totalBytes } from "./stored-downloads";
import { findModelFit } from "./suggest-models";

interface PreviewOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Address of Hugging Face or a mirror, without a slash at its end. */
  readonly hub: string;
  readonly memory: EngineMemory;
  isListed(file: string): boolean;
}

/** Of a file, bytes: the shape of the model is at its start, before the vocabulary. */
const headBytes = 262_144;

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
  const shape = await readShape(hub, stored, signal);
  if (signal.aborted) return fail("aborted");
  const bytes = totalBytes(stored);
  const { fit, memoryBytes } = findModelFit(
    { bytes, ...(shape ?? { kvBytesPerToken: 0, activeParameters: 0 }) },
    memory,
  );
  // Without its shape, only a lower limit of the memory is known.
  const isKnown = shape !== null || fit === "too_large";
  return ok({ reference, name, bytes, memoryBytes, ...(isKnown && { fit }) });
}

/** null = the start of the file cannot be read, or does not have it. */
async function readShape(hub: string, { repository, commit, model }: StoredDownload, signal: AbortSignal) {
  const address = hubFileAddress(hub, repository, commit, model[0]?.path ?? "");
  const head = await readHubFileStart(address, headBytes, signal);
  const metadata = head.ok ? await readGgufHead(head.value) : null;
  const kvBytesPerToken = metadata === null ? undefined : computeKvBytesPerToken(metadata);
  if (metadata === null || kvBytesPerToken === undefined) return null;
  const modelBytes = model.reduce((sum, { bytes }) => sum + bytes, 0);
  return { kvBytesPerToken, activeParameters: estimateActiveParameters(metadata, modelBytes) };
}
