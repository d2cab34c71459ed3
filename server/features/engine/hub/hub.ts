/**
 * Reads which files a repository of Hugging Face has. Source: huggingface.co/docs/hub/api, `GET /api/models/NAME` with
 * `blobs=true`: the sizes, and the SHA-256 checksums of files in large file storage.
 */
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/events/error";
import { timeLimit } from "@/server/base/abort";
import { parseJson } from "@/server/base/parse-json";
import { openAnswer } from "../download/open-answer";
import type { HubFile } from "./choose-files";
import { isGgufPath } from "./model-reference";

export interface HubRepository {
  readonly repository: string;
  /** The commit of the listing: files are downloaded from it. */
  readonly commit: string;
  readonly files: readonly HubFile[];
}

const listMs = 30_000;
const maxListBytes = 16_777_216;
const maxFiles = 2_000;

const repositorySchema = z.object({
  sha: z.string().check(z.regex(/^[0-9a-f]{40}$/)),
  /** false, "auto" or "manual": its files need an account that has agreed to its terms. */
  gated: z.optional(z.union([z.boolean(), z.string()])),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      lfs: z.nullish(z.object({ size: z.int(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })),
    }),
  ),
});

/** The address of a file at the listing's commit. */
export const hubFileAddress = (hub: string, repository: string, commit: string, path: string): string =>
  `${hub}/${repository}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;

/**
 * Fails with not_found (there is no such public repository), no_permission (an account is needed), too_many (files), and
 * download_failed as `openAnswer` does.
 */
export async function readHubRepository(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<Result<HubRepository>> {
  const limited = timeLimit(listMs, signal);
  const opened = await openAnswer(`${hub}/api/models/${repository}?blobs=true`, 0, limited);
  if (!opened.ok) return signal.aborted ? fail("aborted") : toHubFailure(opened);
  const { response, host } = opened.value;
  let bytes = 0;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxListBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) return fail("aborted");
    return fail("download_failed", error instanceof Error ? error.message : String(error), { host });
  } finally {
    response.destroy();
  }
  const parsed = repositorySchema.safeParse(parseJson(Buffer.concat(chunks).toString("utf8")));
  if (!parsed.success) return fail("download_failed", "the list of files is not readable", { host });
  const { sha, gated, siblings } = parsed.data;
  if (gated !== undefined && gated !== false) return fail("no_permission", undefined, { path: repository });
  const files = siblings.flatMap(({ rfilename: path, lfs }) =>
    lfs && lfs.size > 0 && isGgufPath(path) ? [{ path, bytes: lfs.size, sha256: lfs.sha256 }] : [],
  );
  if (files.length > maxFiles) return fail("too_many", repository);
  return ok({ repository, commit: sha, files });
}

/** Hugging Face answers 401 for what does not exist, and for what is private. */
function toHubFailure(failed: Result<never> & { readonly ok: false }): Result<never> {
  const { status } = failed.error.facts ?? {};
  if (status === 401 || status === 404) return fail("not_found");
  return status === 403 ? fail("no_permission") : failed;
}
