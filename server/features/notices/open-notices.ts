/**
 * The notices that are not seen yet. Each is passed to its places after a delay, in which an open tab may report that
 * it was seen, and withdrawn from them when it is seen or has lost its reason.
 */
import type { SessionId } from "@/lib/events/id";
import { type NewNotice, type Notice, noticeId } from "@/lib/notices/notice";
import { type NoticeKind, noticeSettings } from "@/lib/notices/notice-kinds";
import { isQuietTime } from "@/lib/settings/quiet-hours";
import type { Settings } from "@/lib/settings/settings";
import type { NoticePlace } from "../feature";

/** Notices that are kept open; the oldest are dropped. */
const openMax = 100;
/** Kinds that a tab shows only because the server says so; the others it finds in the list of sessions. */
const tabKinds: ReadonlySet<NoticeKind> = new Set(["paused", "message"]);

interface OpenNotices {
  list(): readonly Notice[];
  /** Opens a notice if a place wants it; one that is open already changes nothing. */
  add(notice: NewNotice): void;
  /** Ends notices that were seen at a place. */
  seen(ids: readonly string[]): void;
  /** Ends the notices of a session, which is deleted, answered or running again. */
  endOf(sessionId: SessionId): void;
  /** Nothing is delivered any more. */
  close(): void;
}

interface OpenNoticesOptions {
  places(): readonly NoticePlace[];
  settings(): Settings;
  /** ms epoch */
  now(): number;
  /** Called when the list has changed. */
  changed(): void;
  reportBug(error: unknown): void;
  /** Time in which a tab can report that a notice was seen, ms. */
  readonly delayMs: number;
}

interface OpenNotice {
  readonly notice: Notice;
  /** Passes it to its places; hundreds may be open and end at once, for which a signal each takes too long. */
  readonly timer: NodeJS.Timeout;
  readonly delivered: NoticePlace[];
}

export function makeOpenNotices(options: OpenNoticesOptions): OpenNotices {
  const { now, changed, reportBug, delayMs } = options;
  const open = new Map<string, OpenNotice>();
  const isWanted = (kind: NoticeKind, place: "tab" | NoticePlace["place"]): boolean =>
    options.settings()[noticeSettings[kind]].includes(place);
  const wanting = (kind: NoticeKind): readonly NoticePlace[] =>
    options.places().filter(({ place }) => isWanted(kind, place));
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      reportBug(error);
    }
  };
  const deliver = (id: string): void => {
    const entry = open.get(id);
    if (entry === undefined || isQuietTime(options.settings().quietHours, new Date(now()))) return;
    const { notice, delivered } = entry;
    for (const place of wanting(notice.kind)) {
      delivered.push(place);
      guarded(() => place.deliver(notice));
    }
  };
  const end = (ids: readonly string[]): void => {
    const ended = ids.flatMap((id) => open.get(id) ?? []);
    for (const { notice, timer, delivered } of ended) {
      open.delete(notice.id);
      clearTimeout(timer);
      for (const place of delivered) guarded(() => place.withdraw(notice.id));
    }
    if (ended.length > 0) changed();
  };
  return {
    list: () => [...open.values()].map(({ notice }) => notice),
    add(fresh) {
      const id = noticeId(fresh);
      const isForTab = tabKinds.has(fresh.kind) && isWanted(fresh.kind, "tab");
      if (open.has(id) || (!isForTab && wanting(fresh.kind).length === 0)) return;
      const waitMs = fresh.isUrgent === true ? 0 : delayMs;
      const timer = setTimeout(() => guarded(() => deliver(id)), waitMs).unref();
      open.set(id, { notice: { ...fresh, id, at: now() }, timer, delivered: [] });
      for (const [oldest, { timer: dropped }] of open) {
        if (open.size <= openMax) break;
        clearTimeout(dropped);
        open.delete(oldest);
      }
      changed();
    },
    seen: end,
    endOf: (sessionId) =>
      end([...open.values()].flatMap(({ notice }) => (notice.sessionId === sessionId ? [notice.id] : []))),
    close() {
      for (const { timer } of open.values()) clearTimeout(timer);
    },
  };
}
