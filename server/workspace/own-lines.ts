/**
 * Verifies that search results are lines of the project's own files (R28): during or after the search, a folder may
 * have been replaced by a link that leads outside.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { ok } from "@/lib/error";
import { limits } from "@/lib/settings";
import { modelPath, ownerPath, type SafePath } from "../security/paths";
import { asResult } from "./file-errors";
import { withFile } from "./file-handle";
import type { ProjectPolicy } from "./ignore-rules";

/** Position and digest of a found line. */
export interface LineSource {
  /** Offset of its first byte, in UTF-8 without a byte order mark. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  readonly digest: string;
}

export interface FoundLine {
  /** Relative to the project root. */
  readonly path: string;
  readonly source: LineSource;
}

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64");

const filesAtOnce = 8;

/** Returns the lines of `found` that exist in the project, in order. Opens each file once, by descriptor. */
export async function ownLines<T extends FoundLine>(
  policy: ProjectPolicy,
  by: SafePath["by"],
  found: readonly T[],
): Promise<readonly T[]> {
  const paths = [...new Set(found.map(({ path }) => path))];
  const own = new Set<T>();
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    await Promise.all(
      paths.slice(from, from + filesAtOnce).map(async (path) => {
        const lines = found.filter((line) => line.path === path);
        for (const line of await linesIn(policy, by, path, lines)) own.add(line);
      }),
    );
  }
  return found.filter((line) => own.has(line));
}

async function linesIn<T extends FoundLine>(
  policy: ProjectPolicy,
  by: SafePath["by"],
  path: string,
  lines: readonly T[],
): Promise<readonly T[]> {
  const absolute = `${policy.root}/${path}`;
  const minted = by === "model" ? modelPath(absolute, "read", policy) : ownerPath(absolute, "read", policy);
  // The path resolves to a different file: a folder on the path was replaced by a link.
  if (!minted.ok || minted.value.relative !== path) return [];
  const checked = await asResult(path, async () =>
    ok(
      await withFile(minted.value, async (handle, { size }) => {
        const read = await readerOf(handle, size);
        const own: T[] = [];
        for (const line of lines) if (digestOf(await read(line.source)) === line.source.digest) own.push(line);
        return own;
      }),
    ),
  );
  return checked.ok ? checked.value : [];
}

type Reader = (source: LineSource) => Promise<Uint8Array>;

const none = new Uint8Array();

/** Returns a reader by ripgrep's offsets, which count UTF-8 bytes without the byte order mark. */
async function readerOf(handle: FileHandle, size: number): Promise<Reader> {
  const head = await readAt(handle, 0, Math.min(size, 3));
  const wide =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : null;
  if (wide === null) {
    const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    return ({ offset, length }) =>
      start + offset + length > size ? Promise.resolve(none) : readAt(handle, start + offset, length);
  }
  if (size > limits.editorMaxBytes) return () => Promise.resolve(none);
  const text = Buffer.from(new TextDecoder(wide).decode(await readAt(handle, 0, size)));
  return ({ offset, length }) => Promise.resolve(text.subarray(offset, offset + length));
}

/** Reads up to `length` bytes; fewer at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
