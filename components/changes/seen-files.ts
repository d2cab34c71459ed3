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

function readMarks(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}

/** Returns the paths of the files that are marked as they are now. */
export function readSeenFiles(projectId: ProjectId, files: readonly ChangedFile[]): ReadonlySet<string> {
  const marks = new Set(readMarks());
  return new Set(files.filter((file) => marks.has(markOf(projectId, file))).map(({ path }) => path));
}

export function markSeenFile(projectId: ProjectId, file: ChangedFile, isSeen: boolean): void {
  const mark = markOf(projectId, file);
  const others = readMarks().filter((other) => other !== mark);
  try {
    localStorage.setItem(storageKey, JSON.stringify((isSeen ? [...others, mark] : others).slice(-maxMarks)));
  } catch {
    // Without storage the mark lasts as long as the view.
  }
}
