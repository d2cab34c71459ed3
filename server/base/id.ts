/** Random ids and content hashes. */
import { createHash, hash as hashOnce, randomBytes } from "node:crypto";
import { asId, type BlobId, type Hash } from "@/lib/events/id";
import type { Steps } from "@/lib/async/steps";

/** Returns an id of 96 random bits, letters and digits only, so that it needs no escaping in paths. */
export const randomId = <T extends Parameters<typeof asId>[0] & ReturnType<typeof asId>>(prefix: string): T =>
  asId<T>(`${prefix}${randomBytes(12).toString("hex")}`);

/** Returns a URL-safe secret of 192 random bits. */
export const randomSecret = (): string => randomBytes(24).toString("base64url");

const sha256 = (content: string | Uint8Array): string => hashOnce("sha256", content, "hex");
export const computeHash = (content: string | Uint8Array): Hash => asId<Hash>(sha256(content));
export const computeBlobId = (content: string | Uint8Array): BlobId => asId<BlobId>(sha256(content));

const sliceBytes = 1_048_576;

/** `computeBlobId` in steps. */
export function* computeBlobIdSteps(content: Uint8Array): Steps<BlobId> {
  const hash = createHash("sha256");
  for (let from = 0; from < content.length; from += sliceBytes) {
    hash.update(content.subarray(from, from + sliceBytes));
    yield;
  }
  return asId<BlobId>(hash.digest("hex"));
}
