/** Reads what the logs of a session and of its subagents have for reviews; rows that were read are not read again. */
import type { SessionId } from "@/lib/events/id";
import type { ReviewLogRecord } from "@/server/store/sessions/file-log";
import type { Store } from "@/server/store/open-store";
import type { SessionFileLog } from "./review-history";

interface CachedRecords {
  readonly records: readonly ReviewLogRecord[];
  /** The rows up to this seq were read. */
  readonly seq: number;
}

/**
 * Returns a function that reads the logs. The call that started a subagent has its changes as well, and is left out.
 * `lastSeq` = of the session's log.
 */
export function makeLogReader(
  sessionId: SessionId,
  { sessions, fileLog }: Pick<Store, "sessions" | "fileLog">,
  lastSeq: () => number,
): () => readonly SessionFileLog[] {
  const cached = new Map<SessionId, CachedRecords>();
  const read = (id: SessionId): readonly ReviewLogRecord[] => {
    const { records: old, seq } = cached.get(id) ?? { records: [], seq: 0 };
    const added = fileLog.readReview(id, seq);
    const records = added.length === 0 ? old : [...old, ...added];
    cached.set(id, { records, seq: id === sessionId ? lastSeq() : (records.at(-1)?.seq ?? 0) });
    return records;
  };
  const readBelow = (id: SessionId): readonly SessionFileLog[] => {
    const subagents = sessions.subagents(id);
    const started = new Set(subagents.map(({ callId }) => callId));
    const all = read(id);
    const records = started.size === 0 ? all : all.filter((one) => !("callId" in one && started.has(one.callId)));
    return [{ isOwn: id === sessionId, records }, ...subagents.flatMap((child) => readBelow(child.id))];
  };
  return () => readBelow(sessionId);
}
