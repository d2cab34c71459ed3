/** Cache of the images of a session's messages in base64, encoded once for all requests of a run. */
import type { BlobId } from "@/lib/events/id";
import type { BlobStore } from "@/server/store/files/blobs";

export interface EncodedImages {
  /** Base64 of the blob; null = its content is missing. Throws StoreError. */
  get(blob: BlobId): string | null;
  /** Empties the cache at the end of a run. */
  clear(): void;
}

/**
 * `isRunning` = more requests follow; outside a run nothing is cached. `maxChars` limits the whole cache, in characters
 * of base64.
 */
export function makeEncodedImages(options: {
  readonly blobs: Pick<BlobStore, "get">;
  isRunning(): boolean;
  readonly maxChars: number;
}): EncodedImages {
  const { blobs, isRunning, maxChars } = options;
  /** Least recently used first. */
  const held = new Map<BlobId, string>();
  let chars = 0;
  const drop = (blob: BlobId): void => {
    chars -= held.get(blob)?.length ?? 0;
    held.delete(blob);
  };
  const hold = (blob: BlobId, text: string): void => {
    if (text.length > maxChars || !isRunning()) return;
    held.set(blob, text);
    chars += text.length;
    for (const oldest of held.keys()) {
      if (chars <= maxChars) return;
      drop(oldest);
    }
  };
  return {
    get(blob) {
      const encoded = held.get(blob);
      if (encoded !== undefined) {
        held.delete(blob);
        held.set(blob, encoded);
        return encoded;
      }
      const bytes = blobs.get(blob);
      if (bytes === undefined) return null;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
      hold(blob, text);
      return text;
    },
    clear() {
      held.clear();
      chars = 0;
    },
  };
}
