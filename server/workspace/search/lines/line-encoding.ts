/**
 * Finds the encoding of files with lines that are not UTF-8. Ripgrep searches the bytes of such files; the editor shows
 * their text in the encoding that is detected here.
 */
import { ok } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import type { LegacyEncoding } from "@/lib/workspace/project-files";
import { runStepsInSlices } from "@/server/base/steps";
import { ownerPath } from "@/server/security/paths/safe-path";
import { guessLegacyInSteps } from "@/server/workspace/encoding/text-encoding";
import { catchFileErrors } from "../../files/file-errors";
import { withOpenFile } from "../../files/file-handle";
import { readChunk } from "../../files/read-lines";
import type { ProjectPolicy } from "../ignore-rules";

/** Returns the encoding of a file of the project; null = it is not detected. Rejects after an abort. */
type LegacyEncodingOf = (path: string, signal: AbortSignal) => Promise<LegacyEncoding | null>;

/** Creates a lookup that retains the last answer: the lines of a file are delivered after each other. */
export function makeEncodingLookup(policy: ProjectPolicy): LegacyEncodingOf {
  let last: { readonly path: string; readonly encoding: LegacyEncoding | null } | null = null;
  return async (path, signal) => {
    if (last?.path === path) return last.encoding;
    const encoding = await detectEncoding(policy, path, signal);
    last = { path, encoding };
    return encoding;
  };
}

/** A file that is larger than what the editor decodes at once has no detected encoding. */
async function detectEncoding(
  policy: ProjectPolicy,
  path: string,
  signal: AbortSignal,
): Promise<LegacyEncoding | null> {
  const safe = ownerPath(`${policy.root}/${path}`, "read", policy);
  if (!safe.ok || safe.value.relative !== path) return null;
  const read = await catchFileErrors(path, async () =>
    ok(
      await withOpenFile(safe.value, async (handle, { size }) =>
        size > limits.editorMaxBytes ? null : readChunk(handle, 0, size),
      ),
    ),
  );
  if (!read.ok || read.value === null) return null;
  return runStepsInSlices(guessLegacyInSteps(read.value), signal);
}
