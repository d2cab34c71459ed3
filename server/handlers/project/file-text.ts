/** Reads and writes the text of a file for the editor. */
import { ok, type Result } from "@/lib/events/error";
import type { Hash } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { OpenFile, TextEncoding } from "@/lib/workspace/project-files";
import type { SafePath } from "@/server/security/paths/safe-path";
import { isMisread } from "@/server/workspace/encoding/text-encoding";
import { isReadOnlyMode } from "@/server/workspace/files/write-file";
import type { OpenProject } from "@/server/workspace/projects/projects";

interface EncodedText {
  readonly text: string;
  readonly expect: Hash | null;
  readonly encoding: TextEncoding;
}

export async function writeInEncoding(
  { files }: OpenProject,
  safe: SafePath<"owner">,
  { text, expect, encoding }: EncodedText,
): Promise<Result<{ readonly hash: Hash; readonly isMisread: boolean }>> {
  const written = await files.write(safe, text, expect, { encoding });
  return written.ok ? ok({ ...written.value, isMisread: isMisread(text, encoding) }) : written;
}

export async function readProjectFile(
  project: OpenProject,
  safe: SafePath<"owner">,
  chosen: TextEncoding | undefined,
): Promise<Result<OpenFile>> {
  const read = await project.files.readText(safe, limits.editorMaxBytes, chosen);
  if (!read.ok) return read;
  const { text, hash, size, eol, encoding, mode } = read.value;
  const readOnly = isReadOnlyMode(mode) ? "no_permission" : null;
  return ok({ path: safe.relative, text, hash, size, eol, encoding, readOnly });
}
