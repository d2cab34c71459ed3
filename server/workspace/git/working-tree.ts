/**
 * Compares the project to its last commit: git's list of changed files, with the diff between the commit's blob and
 * the disk.
 */
import type { ChangedFile, WorkingTree } from "@/lib/workspace/changes";
import { ok, type Result } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { type FileContent, createFileDiffer } from "@/lib/text/file-difference";
import { runStepsInSlices } from "@/server/base/steps";
import { ownerPath } from "@/server/security/paths/safe-path";
import { type Git, maxGitListBytes } from "./git";
import { readGitBranch } from "./git-head";
import { openProjectGit, readFolderStatus, statusWords } from "./project-git";
import { type StatusEntry, statusEntries } from "./status-entries";
import type { OpenProject } from "../projects/projects";
import { decodeTextOrNull } from "../encoding/text-encoding";

/** A changed path. `object` = its blob in the last commit; null = not in the commit. */
interface TreeStatus {
  readonly path: string;
  readonly object: string | null;
}

const maxBlobsBytes = 64_000_000;

type WorkingTreeProject = Pick<OpenProject, "root" | "files" | "policy" | "trusted"> &
  Partial<Pick<OpenProject, "gitTop">>;

/**
 * Lists the changes of the work tree. Runs nothing in an untrusted folder. Fails with timeout, too_large, tool_failed
 * (git's error output), aborted.
 */
export async function readWorkingTree(
  project: WorkingTreeProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<WorkingTree>> {
  const opened = await openProjectGit(project, environment, signal);
  if (!opened.ok) return opened;
  const git = opened.value;
  if (git === "untrusted") return ok({ kind: "untrusted" });
  if (typeof git === "string") return ok({ kind: "none", why: git });
  const status = await readFolderStatus(git, statusWords("all"));
  if (!status.ok) return status;
  const changed = toTreeStatuses(status.value.entries());
  const shown = changed.slice(0, serverLimits.changedFiles);
  const files = await diffChangedFiles(project, git, shown, signal);
  if (!files.ok) return files;
  return ok({
    kind: "changes",
    branch: await readGitBranch(git.top),
    files: files.value,
    more: changed.length - shown.length,
  });
}

/** Parses the output of `git status --porcelain=v2 -z`, sorted by path. */
export const parseGitStatus = (text: string): readonly TreeStatus[] => toTreeStatuses(statusEntries(text));

const toTreeStatuses = (entries: Iterable<StatusEntry>): readonly TreeStatus[] =>
  [...entries]
    .filter(({ kind, path }) => kind !== "untracked" || !path.endsWith("/"))
    .map(({ path, object }) => ({ path, object }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));

async function diffChangedFiles(
  project: WorkingTreeProject,
  git: Git,
  changed: readonly TreeStatus[],
  signal: AbortSignal,
): Promise<Result<readonly ChangedFile[]>> {
  const blobs = await readGitBlobs(
    git,
    changed.flatMap(({ object }) => (object === null ? [] : [object])),
  );
  if (!blobs.ok) return blobs;
  const difference = createFileDiffer({ text: decodeTextOrNull });
  const files: ChangedFile[] = [];
  for (const { path, object } of changed) {
    const before: FileContent = object === null ? null : (blobs.value.get(object) ?? "lost");
    const after = await readDiskContent(project, path);
    if (before === null && after === null) continue;
    const kind = before === null ? "created" : after === null ? "deleted" : "changed";
    const { why, ...shown } = await runStepsInSlices(difference(before, after), signal);
    // Nothing was lost here: the file is too large, or not a regular file.
    files.push({ path, kind, ...shown, ...(why === undefined ? {} : { why: why === "not_kept" ? "too_large" : why }) });
  }
  return ok(files);
}

async function readDiskContent({ files, policy }: WorkingTreeProject, path: string): Promise<FileContent> {
  const safe = ownerPath(path, "read", policy());
  if (!safe.ok || safe.value.relative !== path) return "lost";
  const read = await files.readBytes(safe.value, limits.writeMaxBytes);
  if (read.ok) return read.value;
  return read.error.code === "not_found" || read.error.code === "not_folder" ? null : "lost";
}

/** Reads blobs by object name, with their ids; leaves out objects that are too large or not blobs. */
export async function readGitBlobs(git: Git, objects: readonly string[]): Promise<Result<ReadonlyMap<string, Buffer>>> {
  const found = new Map<string, Buffer>();
  if (objects.length === 0) return ok(found);
  const input = `${[...new Set(objects)].join("\n")}\n`;
  const sizes = await git.run(["cat-file", "--batch-check"], { maxBytes: maxGitListBytes, input });
  if (!sizes.ok) return sizes;
  let total = 0;
  const wanted = sizes.value
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
      if (id === undefined || Number(size) > limits.writeMaxBytes || total + Number(size) > maxBlobsBytes) return [];
      total += Number(size);
      return [id];
    });
  if (wanted.length === 0) return ok(found);
  const maxBytes = total + wanted.length * maxBlobHeaderBytes;
  const read = await git.run(["cat-file", "--batch"], { maxBytes, input: `${wanted.join("\n")}\n` });
  if (!read.ok) return read;
  for (let at = 0; at < read.value.length; ) {
    const lineEnd = read.value.indexOf("\n", at);
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(read.value.toString("latin1", at, lineEnd)) ?? [];
    if (id === undefined) break;
    found.set(id, read.value.subarray(lineEnd + 1, lineEnd + 1 + Number(size)));
    at = lineEnd + 1 + Number(size) + 1;
  }
  return ok(found);
}

/** Maximum bytes of the header before each blob and the line end after it. */
const maxBlobHeaderBytes = 128;
