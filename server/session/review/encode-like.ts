/** Encodes a text that is put back into a file: as it was stored at first or last, otherwise in the file's own encoding. */
import { fail, ok, type Result } from "@/lib/events/error";
import { asId, type BlobId } from "@/lib/events/id";
import { isOpaque, type ReviewContent } from "@/lib/review/baseline";
import type { BlobStore } from "@/server/store/files/blobs";
import { decodeText, encodeText } from "@/server/workspace/encoding/text-encoding";
import type { DiskState } from "@/server/workspace/files/project-files";
import type { StoredStep } from "./review-history";

/** Fails with not_kept, and with the codes of `encodeText`. */
export function encodeLike(
  content: Exclude<ReviewContent, null>,
  disk: DiskState,
  steps: readonly StoredStep[],
  blobs: Pick<BlobStore, "get">,
): Result<Uint8Array> {
  if (isOpaque(content)) {
    const bytes = blobs.get(asId<BlobId>(content.id));
    return bytes === undefined ? fail("not_kept") : ok(bytes);
  }
  const [first, last] = [steps[0]?.before.blob ?? null, steps.at(-1)?.before.blob ?? null];
  const sources = [...new Set([first, last])].flatMap((blob) => (blob === null ? [] : [blobs.get(blob)]));
  const all = [...(disk.kind === "file" && disk.bytes !== null ? [disk.bytes] : []), ...sources];
  const decoded = all.flatMap((bytes) => {
    const text = bytes === undefined ? null : decodeText(Buffer.from(bytes));
    return bytes !== undefined && text?.ok === true ? [{ bytes, ...text.value }] : [];
  });
  const same = decoded.find(({ text }) => text === content);
  return same === undefined ? encodeText(content, decoded[0]?.encoding ?? "utf8") : ok(same.bytes);
}
