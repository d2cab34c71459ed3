/**
 * Replaces what a code search found, and undoes it. Ripgrep finds the matches again, in the named files only: it reports
 * each by the bytes of its line, with the text of its groups. JavaScript never matches, because its expressions differ
 * from ripgrep's; `listReplacementParts` only composes the new text from those groups, as the preview does. The bytes are
 * looked up in the file as it is read for the write, and the write is refused if the file changes in between. The bytes
 * before a replacement are stored for its undo.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId, ReplacementId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { ReplacedFile, ReplacementReport } from "@/lib/workspace/code-search";
import type { FailedPath } from "@/lib/workspace/project-files";
import { listReplacementParts, type MatchText } from "@/lib/workspace/replacement";
import { computeHash } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import { ownerEntryPath, type SafePath } from "@/server/security/paths/safe-path";
import { prepareDecoding } from "@/server/workspace/encoding/prepare-decoding";
import { decodeText, encodeText } from "@/server/workspace/encoding/text-encoding";
import type { OpenProject } from "@/server/workspace/projects/projects";
import { type CodePattern, groupsOf, lineDigest } from "@/server/workspace/search/code-pattern";
import type { LineEvent } from "@/server/workspace/search/ripgrep-events";
import { type MatchedLine, replaceMatchesInSteps } from "./replace-text";

type ReplacingProject = Pick<OpenProject, "files" | "search" | "policy">;

/** A line that a search found, by its number and the digest of its bytes. */
interface ChosenLine {
  readonly line: number;
  readonly digest: string;
}

interface ReplaceRequest extends CodePattern {
  readonly replacementId: ReplacementId;
  readonly replacement: string;
  readonly files: readonly { readonly path: string; readonly lines: readonly ChosenLine[] }[];
}

/** A replaced file, with what its undo needs. */
interface UndoableFile extends ReplacedFile {
  /** The bytes before the replacement. */
  readonly bytes: Uint8Array;
  /** Hash of the file after the replacement. */
  readonly hash: Hash;
}

interface DoneReplacement {
  readonly projectId: ProjectId;
  readonly answer: Promise<Result<ReplacementReport>>;
  isRunning: boolean;
  /** Files that can be restored. */
  undoable: readonly UndoableFile[];
  restored: readonly ReplacedFile[];
  /** The undo that runs. */
  undo: Promise<Result<ReplacementReport>> | null;
}

/** Replacements that can be undone. */
const maxUndone = 20;

interface ReplacementLimits {
  /** Matches of one replacement. */
  readonly maxMatches: number;
  /** Bytes that are stored for undo, in all replacements. */
  readonly maxUndoBytes: number;
}

const defaultLimits: ReplacementLimits = { maxMatches: 100_000, maxUndoBytes: 50_000_000 };

interface Replacements {
  /**
   * Replaces the matches of the chosen lines; a call with the same id joins the first. Fails like `Search.matches`, and
   * with too_large if the files are too large to keep for the undo.
   */
  replace(
    projectId: ProjectId,
    project: ReplacingProject,
    request: ReplaceRequest,
    signal: AbortSignal,
  ): Promise<Result<ReplacementReport>>;
  /**
   * Restores the files that are unchanged since, also those that an earlier undo could not restore, and reports all that
   * are restored. Fails with not_kept.
   */
  undo(projectId: ProjectId, project: ReplacingProject, id: ReplacementId): Promise<Result<ReplacementReport>>;
}

/** `reportBug` receives exceptions; the file that caused one fails with internal. */
export function makeReplacements(reportBug: (error: unknown) => void, bounds = defaultLimits): Replacements {
  const byId = new Map<ReplacementId, DoneReplacement>();
  const find = (projectId: ProjectId, id: ReplacementId): DoneReplacement | undefined => {
    const found = byId.get(id);
    return found?.projectId === projectId ? found : undefined;
  };
  const attempt: Attempt = async (work, signal) => {
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return fail("aborted");
    try {
      return await work();
    } catch (error) {
      if (isAborted()) return fail("aborted");
      reportBug(error);
      return fail("internal");
    }
  };
  /** Drops the oldest replacements, except the one that has just ended, until the rest is within the limit. */
  const dropOldest = (ended: DoneReplacement): void => {
    let bytes = [...byId.values()].reduce((sum, { undoable }) => sum + countBytes(undoable), 0);
    for (const [id, one] of byId) {
      if (bytes <= bounds.maxUndoBytes) return;
      if (one === ended || one.isRunning) continue;
      byId.delete(id);
      bytes -= countBytes(one.undoable);
    }
  };
  return {
    replace(projectId, project, request, signal) {
      const existing = find(projectId, request.replacementId);
      if (existing !== undefined) return existing.answer;
      const undoable: UndoableFile[] = [];
      const answer = attempt(() => replaceInFiles({ project, request, undoable, attempt, bounds }, signal), signal);
      const started: DoneReplacement = { projectId, answer, isRunning: true, undoable, restored: [], undo: null };
      byId.set(request.replacementId, started);
      for (const id of [...byId.keys()].slice(0, -maxUndone)) byId.delete(id);
      return answer.then((ended) => {
        started.isRunning = false;
        // Nothing is written: the same request may be made again.
        if (!ended.ok) byId.delete(request.replacementId);
        dropOldest(started);
        return ended;
      });
    },
    async undo(projectId, project, id) {
      const found = find(projectId, id);
      if (found === undefined) return fail("not_kept");
      found.undo ??= found.answer
        .then(() => undoInFiles(project, found, attempt))
        .finally(() => {
          found.undo = null;
        });
      return found.undo;
    },
  };
}

const countBytes = (undoable: readonly UndoableFile[]): number =>
  undoable.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Runs work; an exception becomes a failure. */
type Attempt = <T>(work: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>;

interface ReplacementRun {
  readonly project: ReplacingProject;
  readonly request: ReplaceRequest;
  /** Receives each file when it is written. */
  readonly undoable: UndoableFile[];
  readonly attempt: Attempt;
  readonly bounds: ReplacementLimits;
}

async function replaceInFiles(
  { project, request, undoable, attempt, bounds }: ReplacementRun,
  signal: AbortSignal,
): Promise<Result<ReplacementReport>> {
  const groups = groupsOf(request);
  const expand = (match: MatchText) => listReplacementParts(request.replacement, groups, match);
  const failed: FailedPath[] = [];
  const safePaths = new Map<string, SafePath<"owner">>();
  for (const { path } of request.files) {
    const safe = replaceablePath(project, path);
    if (safe.ok) safePaths.set(path, safe.value);
    else failed.push({ path, code: safe.error.code });
    // The check reads the disk synchronously.
    await nextTurn();
  }
  const collector = makeMatchCollector(request, bounds.maxMatches);
  const matched = await project.search.matches({ ...request, paths: [...safePaths.keys()] }, collector.add, signal);
  if (!matched.ok) return matched;
  const found = [...safePaths].map(([path, safe]) => ({ path, safe, lines: collector.linesOf(path) }));
  let bytes = 0;
  for (const { safe, lines } of found) {
    const info = lines.ok ? await project.files.info(safe) : lines;
    if (info.ok) bytes += info.value.size;
  }
  if (bytes > bounds.maxUndoBytes) return fail("too_large");
  for (const { path, safe, lines } of found) {
    const replaced = lines.ok
      ? await attempt(() => replaceInFile(project, safe, lines.value, expand, signal), signal)
      : lines;
    if (replaced.ok) undoable.push({ path, ...replaced.value });
    else failed.push({ path, code: replaced.error.code });
  }
  return ok({ files: undoable.map(toReplacedFile), failed });
}

const toReplacedFile = ({ path, matches }: ReplacedFile): ReplacedFile => ({ path, matches });

/** Collects the matches of the chosen lines. A file with more matches than are left of `maxMatches` has none. */
function makeMatchCollector({ files }: Pick<ReplaceRequest, "files">, maxMatches: number) {
  const chosen = new Map(files.map(({ path, lines }) => [path, new Map(lines.map((one) => [one.line, one.digest]))]));
  const found = new Map<string, { readonly lines: MatchedLine[]; matches: number }>();
  const tooMany = new Set<string>();
  let total = 0;
  return {
    add({ path, line, position, submatches }: LineEvent): void {
      if (tooMany.has(path) || chosen.get(path)?.get(line) !== lineDigest(position)) return;
      const file = found.get(path) ?? { lines: [], matches: 0 };
      found.set(path, file);
      file.lines.push({ position, submatches });
      file.matches += submatches.length;
      total += submatches.length;
      if (total <= maxMatches) return;
      total -= file.matches;
      found.delete(path);
      tooMany.add(path);
    },
    linesOf(path: string): Result<readonly MatchedLine[]> {
      if (tooMany.has(path)) return fail("too_many");
      const lines = found.get(path)?.lines ?? [];
      return lines.length === chosen.get(path)?.size ? ok(lines) : fail("changed_meanwhile");
    },
  };
}

async function undoInFiles(
  project: ReplacingProject,
  done: DoneReplacement,
  attempt: Attempt,
): Promise<Result<ReplacementReport>> {
  const failed: FailedPath[] = [];
  for (const file of done.undoable) {
    const restored = await attempt(() => restoreFile(project, file));
    if (restored.ok) done.restored = [...done.restored, toReplacedFile(file)];
    else failed.push({ path: file.path, code: restored.error.code });
  }
  const left = new Set(failed.map(({ path }) => path));
  done.undoable = done.undoable.filter(({ path }) => left.has(path));
  return ok({ files: done.restored, failed });
}

/** Writes the bytes before the replacement, unless the file has changed since. */
async function restoreFile(project: ReplacingProject, { path, bytes, hash }: UndoableFile): Promise<Result<void>> {
  const safe = replaceablePath(project, path);
  if (!safe.ok) return safe;
  return project.files.writeBytes(safe.value, bytes, hash, undefined);
}

/** Checks a path that a search found: no link leads elsewhere since. */
function replaceablePath(project: ReplacingProject, path: string): Result<SafePath<"owner">> {
  const safe = ownerEntryPath(path, project.policy());
  return !safe.ok || safe.value.relative === path ? safe : fail("changed_meanwhile");
}

/**
 * Writes the changed text of a file in its encoding. Fails with too_large, and with binary or bad_encoding where the
 * file could not be read as the same text again.
 */
async function replaceInFile(
  { files }: ReplacingProject,
  path: SafePath<"owner">,
  lines: readonly MatchedLine[],
  expand: (match: MatchText) => readonly string[],
  signal: AbortSignal,
): Promise<Result<Omit<UndoableFile, "path">>> {
  const read = await files.readBytes(path, limits.editorMaxBytes);
  if (!read.ok) return read;
  const before = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.length);
  await prepareDecoding(before);
  const decoded = decodeText(before);
  if (!decoded.ok) return decoded;
  const steps = replaceMatchesInSteps(decoded.value, lines, expand, limits.editorMaxBytes);
  const replaced = await runStepsInSlices(steps, signal);
  if (!replaced.ok) return replaced;
  const { text, matches } = replaced.value;
  await nextTurn();
  const after = encodeText(text, decoded.value.encoding);
  if (!after.ok) return after;
  if (after.value.length > limits.editorMaxBytes) return fail("too_large");
  await nextTurn();
  const again = decodeText(after.value);
  if (!again.ok) return again;
  if (again.value.text !== text) return fail("bad_encoding");
  await nextTurn();
  const written = await files.writeBytes(path, after.value, computeHash(before), undefined);
  return written.ok ? ok({ matches, bytes: before, hash: computeHash(after.value) }) : written;
}
