/** Files of the Changes view that the user marked as seen, until their change is another one. Stored in the browser. */
import type { ChangedFile } from "@/lib/workspace/changes";
import type { ProjectId } from "@/lib/events/id";

const storageKey = "gopi-web.seen-changes";
/** Marks that are kept, the newest ones. */
const maxMarks = 500;

const digests = new WeakMap<ChangedFile, string>();

/** Returns a text that differs, nearly always, for another change of the file (FNV-1a, 32 bits). */
export function changeDigest(file: ChangedFile): string {
  const cached = digests.get(file);
  if (cached !== undefined) return cached;
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify([file.kind, file.why, file.hunks]))
    hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193) >>> 0;
  const digest = hash.toString(36);
  digests.set(file, digest);
  return digest;
}

const markOf = (projectId: ProjectId, file: ChangedFile): string => `${projectId} ${changeDigest(file)} ${file.path}`;

/** Returns the stored marks. */
export function readSeenMarks(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}

/** Returns the paths of the files that are marked as they are now. A digest takes 20 ms per megabyte: only of files with a mark. */
export function findSeenFiles(
  marks: readonly string[],
  projectId: ProjectId,
  files: readonly ChangedFile[],
): ReadonlySet<string> {
  const isSeen = (file: ChangedFile): boolean =>
    marks.some((mark) => mark.endsWith(` ${file.path}`) && mark === markOf(projectId, file));
  return new Set(files.filter(isSeen).map(({ path }) => path));
}

/** Returns the marks with that of the file or without it, and stores them with those of other tabs. */
export function markSeenFile(
  marks: readonly string[],
  projectId: ProjectId,
  file: ChangedFile,
  isSeen: boolean,
): readonly string[] {
  const mark = markOf(projectId, file);
  const others = [...new Set([...readSeenMarks(), ...marks])].filter((other) => other !== mark);
  const next = (isSeen ? [...others, mark] : others).slice(-maxMarks);
  try {
    localStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // Without storage the mark lasts as long as the view.
  }
  return next;
}
