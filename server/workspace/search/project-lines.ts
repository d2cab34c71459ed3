/**
 * Verifies that search results are lines of the project's own files: during or after the search, a folder may
 * have been replaced by a link that leads outside.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { ok } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { modelPath, ownerPath, type SafePath } from "@/server/security/paths/safe-path";
import { catchFileErrors } from "../files/file-errors";
import { withOpenFile } from "../files/file-handle";
import type { ProjectPolicy } from "./ignore-rules";
import { readChunk } from "../files/read-lines";

/** Position and digest of a found line. */
interface LinePosition {
  /** Offset of its first byte, in UTF-8 without a byte order mark. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  readonly digest: string;
}

export interface FoundLine {
  /** Relative to the project root. */
  readonly path: string;
  readonly position: LinePosition;
}

export const digestBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64");

const filesAtOnce = 8;

/** Returns the lines of `found` that exist in the project, in order. Opens each file once, by descriptor. */
export async function filterProjectLines<T extends FoundLine>(
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
        for (const line of await verifyLinesInFile(policy, by, path, lines)) own.add(line);
      }),
    );
  }
  return found.filter((line) => own.has(line));
}

async function verifyLinesInFile<T extends FoundLine>(
  policy: ProjectPolicy,
  by: SafePath["by"],
  path: string,
  lines: readonly T[],
): Promise<readonly T[]> {
  const absolute = `${policy.root}/${path}`;
  const minted = by === "model" ? modelPath(absolute, "read", policy) : ownerPath(absolute, "read", policy);
  // The path resolves to a different file: a folder on the path was replaced by a link.
  if (!minted.ok || minted.value.relative !== path) return [];
  const checked = await catchFileErrors(path, async () =>
    ok(
      await withOpenFile(minted.value, async (handle, { size }) => {
        const read = await makeLineReader(handle, size);
        const own: T[] = [];
        for (const line of lines) if (digestBytes(await read(line.position)) === line.position.digest) own.push(line);
        return own;
      }),
    ),
  );
  return checked.ok ? checked.value : [];
}

type ProjectLineReader = (source: LinePosition) => Promise<Uint8Array>;

const noBytes = new Uint8Array();

/** Returns a reader by ripgrep's offsets, which count UTF-8 bytes without the byte order mark. */
async function makeLineReader(handle: FileHandle, size: number): Promise<ProjectLineReader> {
  const head = await readChunk(handle, 0, Math.min(size, 3));
  const wide =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : null;
  if (wide === null) {
    const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    return ({ offset, length }) =>
      start + offset + length > size ? Promise.resolve(noBytes) : readChunk(handle, start + offset, length);
  }
  if (size > limits.editorMaxBytes) return () => Promise.resolve(noBytes);
  const text = Buffer.from(new TextDecoder(wide).decode(await readChunk(handle, 0, size)));
  return ({ offset, length }) => Promise.resolve(text.subarray(offset, offset + length));
}
