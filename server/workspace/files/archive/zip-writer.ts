/**
 * Writes a ZIP archive while its entries arrive: sizes follow the data, names are UTF-8, and ZIP64 is used where the
 * classic format ends.
 */
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";

interface ZipEntry {
  /** Path in the archive, with forward slashes. */
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
  /** ms epoch. */
  readonly modifiedAt: number;
  /** Permission bits. */
  readonly mode: number;
  /** Bytes that `content` has at most. */
  readonly maxBytes: number;
  /** Content of a file, or the target of a link. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ZipWriter {
  /** Writes an entry completely; one at a time. Rejects as `write` and `content` do. */
  add(entry: ZipEntry): Promise<void>;
  /** Writes the directory of the archive. */
  end(): Promise<void>;
}

/** Widths of the fields of a record in bytes, with their values. */
type ZipFields = readonly (readonly [width: 2 | 4 | 8, value: number])[];

interface ZipSum {
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
}

const max16 = 0xffff;
const max32 = 0xffffffff;
/** A file of this size may need more than 32 bits after a compression that enlarges it. */
const defaultLargeBytes = 0xf0000000;
/** Fast: most downloads cross a local network. */
const compressionLevel = 3;
const bufferBytes = 65_536;
const versionNeeded = 45;
const madeOnUnix = (3 << 8) | versionNeeded;
const hasDescriptorFlag = 0x0008;
const isUtf8Flag = 0x0800;
const deflated = 8;
const typeBits = { file: 0o100000, folder: 0o040000, link: 0o120000 } as const;
const folderAttribute = 0x10;

/**
 * Creates the writer of an archive. `write` resolves when more may be written. From `largeBytes` on, an entry or a
 * position is written in 64 bits.
 */
export function makeZipWriter(
  write: (bytes: Uint8Array) => Promise<void>,
  largeBytes: number = defaultLargeBytes,
): ZipWriter {
  const directory: Buffer[] = [];
  const buffer = bufferWrites(write);
  return {
    async add(entry) {
      const offset = buffer.position();
      const name = Buffer.from(entry.kind === "folder" ? `${entry.name}/` : entry.name);
      const isEmpty = entry.kind === "folder" || entry.maxBytes === 0;
      const isLarge = entry.maxBytes >= largeBytes;
      const flags = isUtf8Flag | (isEmpty ? 0 : hasDescriptorFlag);
      const common = [[2, flags], [2, isEmpty ? 0 : deflated], ...formatTime(entry.modifiedAt)] as const;
      const time = packFields(
        [
          [2, 0x5455],
          [2, 5],
        ],
        Buffer.from([1]),
        packFields([[4, secondsOf(entry.modifiedAt)]]),
      );
      const localExtra = Buffer.concat([isLarge ? largeExtra([0, 0]) : Buffer.alloc(0), time]);
      const unknownSize = isLarge ? max32 : 0;
      await buffer.write(
        packFields(
          [[4, 0x04034b50], [2, versionNeeded], ...common, [4, 0], [4, unknownSize], [4, unknownSize]],
          packFields([
            [2, name.length],
            [2, localExtra.length],
          ]),
          name,
          localExtra,
        ),
      );
      const sum = isEmpty
        ? { crc: 0, size: 0, packed: 0 }
        : await (entry.maxBytes > bufferBytes ? writeDeflated : writeSmall)(entry.content, buffer.write);
      const width = isLarge ? 8 : 4;
      if (!isEmpty)
        await buffer.write(
          packFields([
            [4, 0x08074b50],
            [4, sum.crc],
            [width, sum.packed],
            [width, sum.size],
          ]),
        );
      directory.push(directoryRecord(entry, { name, common, time, offset, isLarge, isFar: offset >= largeBytes }, sum));
    },
    async end() {
      const offset = buffer.position();
      for (const record of directory) await buffer.write(record);
      const bytes = buffer.position() - offset;
      const isLarge = directory.length >= max16 || offset >= largeBytes || offset + bytes >= largeBytes;
      if (isLarge) await buffer.write(largeEnd(directory.length, bytes, offset));
      const count = isLarge ? max16 : directory.length;
      await buffer.write(
        packFields([
          [4, 0x06054b50],
          [4, 0],
          [2, count],
          [2, count],
          [4, isLarge ? max32 : bytes],
          [4, isLarge ? max32 : offset],
          [2, 0],
        ]),
      );
      await buffer.flush();
    },
  };
}

/** Joins small writes. */
function bufferWrites(write: (bytes: Uint8Array) => Promise<void>) {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let position = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    if (bytes.length > 0) await write(bytes);
  };
  return {
    position: () => position,
    async write(bytes: Uint8Array): Promise<void> {
      position += bytes.length;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= bufferBytes) await flush();
    },
    flush,
  };
}

/** Compresses at once: a stream for each of thousands of small files takes longer than their content. */
async function writeSmall(
  content: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ZipSum> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const packed = deflateRawSync(bytes, { level: compressionLevel });
  await write(packed);
  return { crc: crc32(bytes), size: bytes.length, packed: packed.length };
}

async function writeDeflated(
  content: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ZipSum> {
  let crc = 0;
  let size = 0;
  let packed = 0;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  }
  const deflate = createDeflateRaw({ level: compressionLevel, chunkSize: bufferBytes });
  await pipeline(count(), deflate, async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      packed += piece.length;
      await write(piece);
    }
  });
  return { crc, size, packed };
}

interface WrittenHeader {
  readonly name: Buffer;
  readonly common: ZipFields;
  readonly time: Buffer;
  readonly offset: number;
  /** The sizes are written in 64 bits. */
  readonly isLarge: boolean;
  /** The offset is written in 64 bits. */
  readonly isFar: boolean;
}

function directoryRecord({ kind, mode }: ZipEntry, header: WrittenHeader, { crc, size, packed }: ZipSum): Buffer {
  const { name, common, time, offset, isLarge, isFar } = header;
  const large = [...(isLarge ? [size, packed] : []), ...(isFar ? [offset] : [])];
  const extra = Buffer.concat([large.length === 0 ? Buffer.alloc(0) : largeExtra(large), time]);
  const attributes = (typeBits[kind] | (mode & 0o777)) * 0x10000 + (kind === "folder" ? folderAttribute : 0);
  return packFields(
    [[4, 0x02014b50], [2, madeOnUnix], [2, versionNeeded], ...common, [4, crc]],
    packFields([
      [4, isLarge ? max32 : packed],
      [4, isLarge ? max32 : size],
      [2, name.length],
      [2, extra.length],
    ]),
    packFields([
      [4, 0],
      [2, 0],
      [4, attributes],
      [4, isFar ? max32 : offset],
    ]),
    name,
    extra,
  );
}

/** Returns the extra field with sizes and position in 64 bits. */
const largeExtra = (values: readonly number[]): Buffer =>
  packFields([[2, 1], [2, 8 * values.length], ...values.map((value) => [8, value] as const)]);

/** Returns the end record of ZIP64 and the record that has its position. */
function largeEnd(count: number, bytes: number, offset: number): Buffer {
  const end: ZipFields = [
    [4, 0x06064b50],
    [8, 44],
    [2, madeOnUnix],
    [2, versionNeeded],
    [8, 0],
    [8, count],
    [8, count],
    [8, bytes],
    [8, offset],
  ];
  return packFields(
    end,
    packFields([
      [4, 0x07064b50],
      [4, 0],
      [8, offset + bytes],
      [4, 1],
    ]),
  );
}

/** Returns the local time in the fields of MS-DOS, which begins in 1980. */
function formatTime(modifiedAt: number): ZipFields {
  const date = new Date(modifiedAt);
  const year = date.getFullYear();
  if (!(year >= 1980 && year <= 2107))
    return [
      [2, 0],
      [2, 0x21],
    ];
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  return [
    [2, time],
    [2, ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()],
  ];
}

const secondsOf = (modifiedAt: number): number => Math.min(0x7fffffff, Math.max(0, Math.floor(modifiedAt / 1_000)));

/** Writes unsigned little-endian fields, followed by other parts. */
function packFields(fields: ZipFields, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return Buffer.concat([bytes, ...parts]);
}
