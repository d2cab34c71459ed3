/** Texts that a page sends in parts, because a message is smaller than a document. In memory, for a short time. */
import { fail, ok, type Result } from "@/lib/events/error";
import { maxApiDocumentBytes } from "@/lib/tools/openapi";

/** Texts that are held at once; the oldest one is dropped. */
const maxUploads = 2;

interface Upload {
  readonly parts: string[];
  chars: number;
}

export function makeUploads() {
  const uploads = new Map<string, Upload>();
  return {
    /** Adds the part with this index. Fails with bad_input if one before is missing, with too_large. */
    add(id: string, part: number, text: string): Result<null> {
      if (part === 0) {
        uploads.delete(id);
        uploads.set(id, { parts: [], chars: 0 });
        for (const oldest of uploads.keys()) if (uploads.size > maxUploads) uploads.delete(oldest);
      }
      const upload = uploads.get(id);
      if (upload === undefined || upload.parts.length !== part)
        return fail("bad_input", undefined, { reason: "upload" });
      upload.parts.push(text);
      upload.chars += text.length;
      if (upload.chars <= maxApiDocumentBytes) return ok(null);
      uploads.delete(id);
      return fail("too_large", undefined, { limit: maxApiDocumentBytes });
    },
    /** Returns the whole text and forgets it. */
    take(id: string): Result<Uint8Array> {
      const upload = uploads.get(id);
      uploads.delete(id);
      if (upload === undefined) return fail("bad_input", undefined, { reason: "upload" });
      const bytes = Buffer.from(upload.parts.join(""));
      return bytes.length <= maxApiDocumentBytes
        ? ok(bytes)
        : fail("too_large", undefined, { limit: maxApiDocumentBytes });
    },
  };
}
