/** Reads the metadata of a GGUF file of which only the first bytes are there, as before a download. */
import { DamagedGguf, type GgufBytes, type GgufFile, type GgufValue, readGgufEntries } from "./read-gguf";

/** The entries that are whole; the shape of the model comes before its vocabulary. null = the bytes are not those of a GGUF file. */
export async function readGgufHead(bytes: Uint8Array): Promise<GgufFile["metadata"] | null> {
  const metadata: Record<string, GgufValue> = {};
  try {
    for await (const [name, value] of readGgufEntries(makeHeadReader(Buffer.from(bytes)))) metadata[name] = value;
  } catch (error) {
    if (error instanceof DamagedGguf) return null;
    if (!(error instanceof EndOfHead)) throw error;
  }
  return Object.keys(metadata).length === 0 ? null : metadata;
}

/** The rest of the file is not there. */
class EndOfHead extends Error {}

function makeHeadReader(head: Buffer): GgufBytes {
  let next = 0;
  const advance = (bytes: number): void => {
    if (next + bytes > head.length) throw new EndOfHead();
    next += bytes;
  };
  const takeNow = (bytes: number): Buffer => {
    const start = next;
    advance(bytes);
    return head.subarray(start, next);
  };
  return {
    take: async (bytes) => takeNow(bytes),
    skip: async (bytes) => advance(bytes),
    textSize: () => Number(takeNow(8).readBigUInt64LE()),
    skipBuffered(bytes) {
      advance(bytes);
      return true;
    },
  };
}
