/** Judges the fit of a model to the memory of this machine, from the start of its file or its shape. */
import { open } from "node:fs/promises";
import type { EngineMemory, ModelPreview } from "@/lib/models/engine";
import { type ModelShape, toModelShape } from "../models/gguf-model";
import { readGgufHead } from "../models/read-gguf-head";
import { findModelFit } from "./suggest-models";

/** Start of a file that has the shape of the model, which precedes the vocabulary, bytes. */
export const headBytes = 262_144;

interface FileSizes {
  /** With the file that reads images, bytes. */
  readonly bytes: number;
  /** Size without the file that reads images, bytes. */
  readonly modelBytes: number;
}

/** `head` = the first bytes of the file, as many as there are; null = they cannot be read. */
export async function findFileFit(
  head: Uint8Array | null,
  { bytes, modelBytes }: FileSizes,
  memory: EngineMemory,
): Promise<Pick<ModelPreview, "memoryBytes" | "fit">> {
  const metadata = head === null ? null : await readGgufHead(head);
  return findShapeFit(bytes, metadata === null ? null : toModelShape(metadata, modelBytes), memory);
}

/** `bytes` = with the file that reads images; `shape` null = unknown. */
export function findShapeFit(
  bytes: number,
  shape: ModelShape | null,
  memory: EngineMemory,
): Pick<ModelPreview, "memoryBytes" | "fit"> {
  const { fit, memoryBytes } = findModelFit(
    { bytes, ...(shape ?? { kvBytesPerToken: 0, activeParameters: 0 }) },
    memory,
  );
  // Without its shape, only a lower limit of the memory is known.
  return { memoryBytes, ...((shape !== null || fit === "too_large") && { fit }) };
}

/** null = the file cannot be read. */
export async function readGgufStart(path: string): Promise<Uint8Array | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
