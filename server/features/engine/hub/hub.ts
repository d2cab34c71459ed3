/**
 * Reads which files a repository of Hugging Face has. Source: huggingface.co/docs/hub/api, `GET /api/models/NAME` with
 * `blobs=true`: the sizes, and the SHA-256 checksums of files in large file storage.
 */
import * as z from "zod/mini";
import { anyFacts, fail, ok, type Result, thrownText } from "@/lib/events/error";
import { timeLimit } from "@/server/base/abort";
import { parseJson } from "@/server/base/parse-json";
import { openAnswer } from "../download/open-answer";
import type { HubFile } from "./choose-files";
import { isGgufPath } from "./model-reference";

interface HubRepository {
  readonly repository: string;
  /** The commit of the listing: files are downloaded from it. */
  readonly commit: string;
  readonly files: readonly HubFile[];
}

const answerMs = 30_000;
/** A server that sends nothing for so long is not waited for. */
const silenceMs = 10_000;
/** It is parsed at once: 10 ms. */
const maxListBytes = 2_097_152;
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
 * Fails with not_found (there is no such public repository), no_permission (an account is needed), too_many (files; fact:
 * `repository`), and download_failed as `openAnswer` does.
 */
export async function readHubRepository(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<Result<HubRepository>> {
  const read = await readAnswer(`${hub}/api/models/${repository}?blobs=true`, {}, maxListBytes, signal);
  if (!read.ok) return signal.aborted ? fail("aborted") : toHubFailure(read);
  const { bytes, host } = read.value;
  if (bytes.length >= maxListBytes) return fail("too_many", undefined, { repository });
  const parsed = repositorySchema.safeParse(parseJson(bytes.toString("utf8")));
  if (!parsed.success) return fail("download_failed", "the list of files is not readable", { host });
  const { sha, gated, siblings } = parsed.data;
  if (gated !== undefined && gated !== false) return fail("no_permission", undefined, { path: repository });
  const files = siblings.flatMap(({ rfilename: path, lfs }) =>
    lfs && lfs.size > 0 && isGgufPath(path) ? [{ path, bytes: lfs.size, sha256: lfs.sha256 }] : [],
  );
  if (files.length > maxFiles) return fail("too_many", undefined, { repository });
  return ok({ repository, commit: sha, files });
}

/** The first bytes of a file, at most `maxBytes`. Fails with download_failed as `openAnswer` does. */
export async function readHubFileStart(
  address: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<Uint8Array>> {
  const read = await readAnswer(address, { last: maxBytes - 1 }, maxBytes, signal);
  return read.ok ? ok(read.value.bytes) : read;
}

/** Reads the bytes of a range, at most `maxBytes` of them. Fails with download_failed as `openAnswer` does. */
async function readAnswer(
  address: string,
  range: Parameters<typeof openAnswer>[1],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<{ readonly bytes: Buffer; readonly host: string }>> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silenceMs);
  try {
    const opened = await openAnswer(address, range, timeLimit(answerMs, signal, silent.signal));
    if (!opened.ok) return opened;
    const { response, host } = opened.value;
    const chunks: Uint8Array[] = [];
    let missing = maxBytes;
    try {
      for await (const chunk of response.body) {
        timer.refresh();
        chunks.push(chunk.subarray(0, missing));
        missing -= chunk.length;
        if (missing <= 0) break;
      }
    } catch (error) {
      return fail("download_failed", thrownText(error), { host });
    } finally {
      response.destroy();
    }
    return ok({ bytes: Buffer.concat(chunks), host });
  } finally {
    clearTimeout(timer);
  }
}

/** Hugging Face answers 401 for what does not exist, and for what is private. */
function toHubFailure(failed: Result<never> & { readonly ok: false }): Result<never> {
  const { status } = anyFacts(failed.error);
  if (status === 401 || status === 404) return fail("not_found");
  return status === 403 ? fail("no_permission") : failed;
}
