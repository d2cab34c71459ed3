/** Reads the body of an answer up to a number of unpacked bytes. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { NodeResponse } from "@/server/providers/wire/node-fetch";

interface UnpackedBody {
  readonly bytes: Buffer;
  /** There was more. */
  readonly isCut: boolean;
}

type Unpack = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/**
 * Reads at most `maxBytes` and leaves the rest unread, so that a small answer cannot become a large one. Rejects if the
 * packing is unknown or broken, or with the signal's reason.
 */
export async function readUnpacked(
  response: Pick<NodeResponse, "header" | "body">,
  maxBytes: number,
  signal: AbortSignal,
): Promise<UnpackedBody> {
  const unpack = findUnpacker(response.header("content-encoding") ?? "", signal);
  // Packed bytes that become nothing count as well.
  const packed = countChunks(response.body, maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of unpack(packed.chunks)) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes || packed.isCut() };
}

/** Passes chunks on until they are more than `maxBytes`. */
function countChunks(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  let size = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      size += chunk.length;
      yield chunk;
      if (size > maxBytes) return;
    }
  }
  return { chunks: chunks(), isCut: () => size > maxBytes };
}

/** Two packings in one another are not supported: no server needs them. */
function findUnpacker(encoding: string, signal: AbortSignal): Unpack {
  switch (encoding.trim().toLowerCase()) {
    case "":
    case "identity":
      return (chunks) => chunks;
    case "gzip":
    case "x-gzip":
      return (chunks) => runDecoder(chunks, createGunzip(), signal);
    case "br":
      return (chunks) => runDecoder(chunks, createBrotliDecompress(), signal);
    case "deflate":
      return (chunks) => inflate(chunks, signal);
    default:
      throw new Error(`the encoding ${encoding.slice(0, 40)} is not supported`);
  }
}

/** Some servers send the data of deflate without its header. */
async function* inflate(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const hasHeader = ((first.value[0] ?? 0) & 0x0f) === 8;
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
  yield* runDecoder(all(), hasHeader ? createInflate() : createInflateRaw(), signal);
}

async function* runDecoder(
  chunks: AsyncIterable<Uint8Array>,
  decoder: ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const ended = new AbortController();
  const piping = pipeline(Readable.from(chunks), decoder, {
    signal: AbortSignal.any([signal, ended.signal]),
    end: true,
  });
  // The decoder's reader below gets the error.
  piping.catch(() => {});
  try {
    yield* decoder;
  } finally {
    ended.abort();
    decoder.destroy();
  }
}
