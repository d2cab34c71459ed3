/** Versions of a file that the sessions of its project left in their logs. */
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { FileVersion } from "@/lib/workspace/changes";
import { beginTimeSlice } from "@/server/base/steps";
import type { Store } from "@/server/store/open-store";
import { firstCharacters } from "../branches/session-tree";
import type { PathChangeRow } from "@/server/store/sessions/file-log";

/** Longer timelines begin later. */
const versionsMax = 200;

/** Returns the newest versions first, of sessions that are not deleted. Throws StoreError. */
export async function listFileVersions(
  { sessions, fileLog }: Pick<Store, "sessions" | "fileLog">,
  projectId: ProjectId,
  path: string,
): Promise<FileVersion[]> {
  const slice = beginTimeSlice();
  const found: (PathChangeRow & Pick<FileVersion, "sessionId" | "title">)[] = [];
  for (const sessionId of sessions.listOf(projectId)) {
    if (slice.isOver()) await slice.next();
    const row = sessions.get(sessionId);
    if (row === undefined || row.deletedAt !== undefined) continue;
    for (const change of fileLog.changesOf(sessionId, path)) found.push({ ...change, sessionId, title: row.title });
  }
  found.sort((left, right) => left.at - right.at || left.seq - right.seq);
  return found
    .map(({ sessionId, title, seq, at, type, before, mode, added, removed, prompt }, index): FileVersion => {
      const previous = found[index - 1];
      return {
        sessionId,
        title: firstCharacters(prompt ?? "", limits.titleMaxChars) || title,
        seq,
        at,
        by: type === "restore" ? "restore" : "run",
        before: before !== null ? "file" : mode === 0 ? "nothing" : "lost",
        hasOtherChanges: previous !== undefined && previous.after !== before,
        ...(added === null || removed === null ? {} : { lines: { added, removed } }),
      };
    })
    .reverse()
    .slice(0, versionsMax);
}
