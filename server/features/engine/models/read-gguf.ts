/**
 * Reads the metadata at the start of a GGUF file (versions 2 and 3, little-endian; ggml, docs/gguf.md): "GGUF", version
 * u32, tensors u64, entries u64, then each entry as a name, a type u32 and a value. A text is a length u64 and its bytes;
 * an array is a type u32, a length u64 and its values. The tensors follow, each as a name, a number of dimensions u32, their
 * lengths u64, a type u32 and its place u64; then, from a multiple of the alignment on, their values.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { fail, ok, type Result } from "@/lib/events/error";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { tensorBytes } from "./tensor-size";

export type GgufValue = number | boolean | string | readonly number[] | readonly boolean[];

export interface GgufFile {
  /** bytes */
  readonly size: number;
  /** Without arrays of texts and long arrays, which belong to the tokenizer. */
  readonly metadata: Readonly<Record<string, GgufValue>>;
  /** SHA-256 of the size, of the bytes before the values of the tensors, and of samples of these; not a checksum. */
  readonly digest: string;
}

const magic = "GGUF";
const versions: readonly number[] = [2, 3];
const chunkBytes = 1_048_576;
/** No real file has more; a larger number is damage. */
const maxEntries = 100_000;
const maxTextBytes = 8_388_608;
const maxTensors = 1_000_000;
const maxDimensions = 8;
/** Alignment of the values of the tensors, unless the metadata states another one, bytes. */
const defaultAlignment = 32;
const maxArrayItems = 100_000_000;
/** Longest array that is returned: one number for each layer. */
const layersMax = 4_096;
/** Metadata is tens of megabytes at most, from the vocabulary. */
const maxMetadataBytes = 536_870_912;
/** A model that was trained further often differs from the first one in the values of its tensors only. */
const samples = { count: 32, bytes: 4_096 } as const;

const textType = 8;
const arrayType = 9;
type NumberReader = (view: DataView) => number | boolean;
/** By type number: bytes, and how they are read. */
const scalars: Readonly<Record<number, { readonly bytes: number; readonly read: NumberReader }>> = {
  0: { bytes: 1, read: (view) => view.getUint8(0) },
  1: { bytes: 1, read: (view) => view.getInt8(0) },
  2: { bytes: 2, read: (view) => view.getUint16(0, true) },
  3: { bytes: 2, read: (view) => view.getInt16(0, true) },
  4: { bytes: 4, read: (view) => view.getUint32(0, true) },
  5: { bytes: 4, read: (view) => view.getInt32(0, true) },
  6: { bytes: 4, read: (view) => view.getFloat32(0, true) },
  7: { bytes: 1, read: (view) => view.getUint8(0) !== 0 },
  10: { bytes: 8, read: (view) => Number(view.getBigUint64(0, true)) },
  11: { bytes: 8, read: (view) => Number(view.getBigInt64(0, true)) },
  12: { bytes: 8, read: (view) => view.getFloat64(0, true) },
};

/** The bytes are not those of a GGUF file. */
export class DamagedGguf extends Error {}

/** Fails with model_file_broken, also if the file ends before its last tensor, not_found, no_permission, is_folder. */
export function readGguf(path: string): Promise<Result<GgufFile>> {
  return catchFileErrors(path, async () => {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const reader = makeByteReader(file, size);
      const { metadata, tensors } = await readMetadata(reader);
      const end = await findTensorsEnd(makeByteReader(file, size, reader.position()), tensors, metadata);
      if (end > size) throw new DamagedGguf(`it has ${size} of ${end} bytes`);
      return ok({ size, metadata, digest: await reader.digest() });
    } catch (error) {
      if (error instanceof DamagedGguf) return fail("model_file_broken", error.message);
      throw error;
    } finally {
      await file.close();
    }
  });
}

/** Yields the entries in the file's order; returns the number of tensors. Throws DamagedGguf. */
export async function* readGgufEntries(
  reader: GgufBytes,
): AsyncGenerator<readonly [name: string, value: GgufValue], number> {
  if ((await reader.take(4)).toString("latin1") !== magic) throw new DamagedGguf("it does not begin with GGUF");
  const version = await readInteger(reader, 4);
  if (!versions.includes(version)) throw new DamagedGguf(`version ${version}`);
  const tensors = await readInteger(reader, 8);
  const count = await readInteger(reader, 8);
  if (count > maxEntries) throw new DamagedGguf(`${count} entries`);
  for (let entry = 0; entry < count; entry += 1) {
    const name = await readText(reader);
    const value = await readValue(reader, await readInteger(reader, 4));
    if (value !== null) yield [name, value];
  }
  return tensors;
}

async function readMetadata(
  reader: GgufBytes,
): Promise<{ readonly metadata: GgufFile["metadata"]; readonly tensors: number }> {
  const metadata: Record<string, GgufValue> = {};
  const entries = readGgufEntries(reader);
  for (;;) {
    const next = await entries.next();
    if (next.done === true) return { metadata, tensors: next.value };
    const [name, value] = next.value;
    metadata[name] = value;
  }
}

/** Position behind the values of the last tensor; 0 = there are none. The reader is behind the metadata. */
async function findTensorsEnd(reader: ByteReader, count: number, metadata: GgufFile["metadata"]): Promise<number> {
  if (count > maxTensors) throw new DamagedGguf(`${count} tensors`);
  let end = 0;
  for (let tensor = 0; tensor < count; tensor += 1) {
    await readText(reader);
    const dimensions = await readInteger(reader, 4);
    if (dimensions > maxDimensions) throw new DamagedGguf(`a tensor of ${dimensions} dimensions`);
    const fields = await reader.take(8 * dimensions + 12);
    let values = 1;
    for (let at = 0; at < dimensions; at += 1) values *= Number(fields.readBigUInt64LE(8 * at));
    const type = fields.readUInt32LE(8 * dimensions);
    end = Math.max(end, Number(fields.readBigUInt64LE(8 * dimensions + 4)) + tensorBytes(type, values));
  }
  if (count === 0) return 0;
  const { "general.alignment": stated } = metadata;
  const alignment = typeof stated === "number" && stated > 0 ? stated : defaultAlignment;
  return Math.ceil(reader.position() / alignment) * alignment + end;
}

/** null = it was passed over. */
async function readValue(reader: GgufBytes, type: number): Promise<GgufValue | null> {
  if (type === textType) return readText(reader);
  if (type === arrayType) return readArray(reader, await readInteger(reader, 4), await readInteger(reader, 8));
  return readScalar(reader, type);
}

async function readScalar(reader: GgufBytes, type: number): Promise<number | boolean> {
  const scalar = scalars[type];
  if (scalar === undefined) throw new DamagedGguf(`value of type ${type}`);
  const bytes = await reader.take(scalar.bytes);
  return scalar.read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

async function readArray(reader: GgufBytes, type: number, length: number): Promise<GgufValue | null> {
  if (length > maxArrayItems) throw new DamagedGguf(`an array of ${length} values`);
  if (type === textType) {
    for (let item = 0; item < length; item += 1) {
      // Awaited only at the end of a buffer: a vocabulary has hundreds of thousands of texts.
      const size = reader.textSize() ?? (await readInteger(reader, 8));
      if (!reader.skipBuffered(size)) await reader.skip(size);
    }
    return null;
  }
  const scalar = scalars[type];
  if (scalar === undefined) throw new DamagedGguf(`an array of type ${type}`);
  if (length > layersMax) {
    await reader.skip(length * scalar.bytes);
    return null;
  }
  const numbers: number[] = [];
  for (let item = 0; item < length; item += 1) numbers.push(Number(await readScalar(reader, type)));
  return type === 7 ? numbers.map((number) => number !== 0) : numbers;
}

async function readInteger(reader: GgufBytes, bytes: 4 | 8): Promise<number> {
  const taken = await reader.take(bytes);
  return bytes === 4 ? taken.readUInt32LE() : Number(taken.readBigUInt64LE());
}

async function readText(reader: GgufBytes): Promise<string> {
  const size = await readInteger(reader, 8);
  if (size > maxTextBytes) throw new DamagedGguf(`a text of ${size} bytes`);
  return (await reader.take(size)).toString("utf8");
}

/** The bytes of a file from its start on. */
export interface GgufBytes {
  take(bytes: number): Promise<Buffer>;
  skip(bytes: number): Promise<void>;
  /** Length of a text, if it is in the buffer. */
  textSize(): number | null;
  /** Skips bytes that are in the buffer; false = they are not. */
  skipBuffered(bytes: number): boolean;
}

interface ByteReader extends GgufBytes {
  /** Returns the offset of the next byte in the file. */
  position(): number;
  /** Returns the hash of everything that was read, and of `samples`. */
  digest(): Promise<string>;
}

/** Reads fewer bytes at the end of the file. */
async function readBytes(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const wanted = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(wanted, filled, bytes - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return wanted.subarray(0, filled);
}

/** Begins at the position `start`. */
function makeByteReader(file: FileHandle, size: number, start = 0): ByteReader {
  /** Bytes of the file from `bufferAt` on. */
  let buffer: Buffer = Buffer.alloc(0);
  let bufferAt = start;
  /** Position of the next byte in the buffer. */
  let next = 0;
  const left = (): number => buffer.length - next;
  const hash = createHash("sha256").update(`${size}\n`);

  async function fill(bytes: number): Promise<void> {
    if (left() >= bytes) return;
    const at = bufferAt + next;
    if (at + bytes > Math.min(size, maxMetadataBytes)) throw new DamagedGguf(`it ends in its metadata, at ${at}`);
    const read = await readBytes(file, at, Math.max(bytes, Math.min(chunkBytes, size - at)));
    if (read.length < bytes) throw new DamagedGguf(`it ends in its metadata, at ${at + read.length}`);
    hash.update(read);
    buffer = read;
    bufferAt = at;
    next = 0;
  }

  return {
    position: () => bufferAt + next,
    async take(bytes) {
      await fill(bytes);
      const taken = buffer.subarray(next, next + bytes);
      next += bytes;
      return taken;
    },
    async skip(bytes) {
      next += bytes;
      await fill(0);
    },
    textSize() {
      if (left() < 8) return null;
      const bytes = Number(buffer.readBigUInt64LE(next));
      next += 8;
      return bytes;
    },
    skipBuffered(bytes) {
      if (left() < bytes) return false;
      next += bytes;
      return true;
    },
    async digest() {
      // The list of the tensors is in the next chunk; most of it was read with the metadata.
      await fill(Math.min(chunkBytes, size - bufferAt - next));
      for (let sample = 1; sample <= samples.count; sample += 1) {
        const at = Math.floor((size - samples.bytes) * (sample / samples.count));
        hash.update(await readBytes(file, Math.max(0, at), samples.bytes));
      }
      return hash.digest("hex");
    },
  };
}
