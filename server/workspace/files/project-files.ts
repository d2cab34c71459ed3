/** File operations of restore on a project, with the owner's rights: state of a path, write back, move to the trash. */
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { type ErrorCode, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId, SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { computeHash } from "@/server/base/id";
import { ownerPath, type PathUse, type SafePath } from "@/server/security/paths/safe-path";

import type { FileTrash } from "./file-trash";
import { catchFileErrors } from "./file-errors";
import { withEntryPath } from "./file-handle";
import type { OpenProject, Projects } from "../projects/projects";
import { decodeText } from "../encoding/text-encoding";
import type { Files } from "../workspace";
import { hashFileAt } from "./write-file";

/** Entry at a path of a project. */
export type DiskState =
  | { readonly kind: "nothing" }
  /** `bytes` null = larger than what is stored. */
  | { readonly kind: "file"; readonly hash: Hash; readonly mode: number; readonly bytes: Uint8Array | null }
  /** A folder, a link, or something unreadable. */
  | { readonly kind: "other"; readonly code: ErrorCode };

/**
 * The owner's access to the files of a project, to read and restore them. Paths are relative to it; nothing rejects.
 */
export interface ProjectFiles {
  probe(path: string): Promise<DiskState>;
  /**
   * Returns a value that a change of the file's content or mode changes; null if there is no file, or if it changed so recently that
   * another change could have the same value.
   */
  stamp(path: string): Promise<string | null>;
  /** Decoded text; null = not text. */
  text(bytes: Uint8Array): string | null;
  /**
   * Writes atomically; `expect` = hash of the current file, null = no file: otherwise fails with changed_meanwhile or
   * exists.
   */
  write(path: string, bytes: Uint8Array, expect: Hash | null, mode: number): Promise<Result<void>>;
  /** Moves the file to the trash and removes folders left empty. Fails with changed_meanwhile when its hash differs. */
  remove(path: string, expect: Hash): Promise<Result<void>>;
}

interface ProjectFilesOptions {
  readonly projects: Pick<Projects, "get">;
  readonly trash: Pick<FileTrash, "put">;
}

/** Fails with not_found when there is no such project. */
export async function openProjectFiles(
  { projects, trash }: ProjectFilesOptions,
  projectId: ProjectId,
  sessionId: SessionId,
): Promise<Result<ProjectFiles>> {
  const found = await projects.get(projectId);
  return found.ok ? ok(makeProjectFiles(found.value, trash, sessionId)) : found;
}

function makeProjectFiles(project: OpenProject, trash: Pick<FileTrash, "put">, sessionId: SessionId): ProjectFiles {
  const { files } = project;
  /** Rejects a path that resolves elsewhere now: logged paths are resolved, so a link has since been put in the way. */
  const resolve = (path: string, use: PathUse): Result<SafePath<"owner">> => {
    const safe = ownerPath(path, use, project.policy());
    if (!safe.ok || safe.value.relative === path) return safe;
    return { ok: false, error: { code: "broken_link", facts: { path } } };
  };
  return {
    async probe(path) {
      const safe = resolve(path, "read");
      return safe.ok ? readFileState(files, safe.value) : { kind: "other", code: safe.error.code };
    },
    async stamp(path) {
      const safe = resolve(path, "read");
      return safe.ok ? readStamp(safe.value) : null;
    },
    text(bytes) {
      const decoded = decodeText(Buffer.from(bytes));
      return decoded.ok ? decoded.value.text : null;
    },
    async write(path, bytes, expect, mode) {
      const safe = resolve(path, "write");
      return safe.ok ? files.writeBytes(safe.value, bytes, expect, mode) : safe;
    },
    async remove(path, expect) {
      const safe = resolve(path, "write");
      if (!safe.ok) return safe;
      const put = await catchFileErrors(path, () => trash.put(project, sessionId, safe.value, expect));
      if (!put.ok) return put;
      const folder = resolve(dirname(path), "write");
      if (folder.ok && folder.value.relative !== ".") await files.removeEmpty(folder.value);
      return ok(undefined);
    },
  };
}

async function readFileState(files: Files, path: SafePath): Promise<DiskState> {
  const info = await files.info(path);
  if (!info.ok) {
    const { code } = info.error;
    return code === "not_found" || code === "not_folder" ? { kind: "nothing" } : { kind: "other", code };
  }
  const { kind, mode, size } = info.value;
  if (kind !== "file") return { kind: "other", code: kind === "folder" ? "is_folder" : "not_a_file" };
  if (size > serverLimits.imageFileBytes) return hashLargeFile(path, mode);
  const read = await files.readBytes(path, serverLimits.imageFileBytes);
  if (read.ok) return { kind: "file", hash: computeHash(read.value), mode, bytes: read.value };
  return { kind: "other", code: read.error.code };
}

/** Time in which some file systems give two changes the same time, ms. */
const coarseTimeMs = 2_000;

async function readStamp(path: SafePath): Promise<string | null> {
  const read = await catchFileErrors(path.relative, async () =>
    ok(await withEntryPath(path, (place) => lstat(place, { bigint: true }))),
  );
  if (!read.ok || !read.value.isFile() || Date.now() - Number(read.value.ctimeMs) < coarseTimeMs) return null;
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = read.value;
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join();
}

async function hashLargeFile(path: SafePath, mode: number): Promise<DiskState> {
  const hash = await catchFileErrors(path.relative, async () => ok(await withEntryPath(path, hashFileAt)));
  if (!hash.ok) return { kind: "other", code: hash.error.code };
  if (hash.value === null) return { kind: "other", code: "changed_meanwhile" };
  return { kind: "file", hash: hash.value, mode, bytes: null };
}
