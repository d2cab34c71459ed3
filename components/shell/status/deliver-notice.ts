/** Delivers a notice about a session as a notification and a sound, once for all tabs of this browser. */
import type { SessionId } from "@/lib/events/id";
import { isQuietTime } from "@/lib/settings/quiet-hours";
import type { Settings } from "@/lib/settings/settings";
import type { Locale } from "../../messages/figures";
import { loadLateMessages } from "../../messages/full-messages";
import { playNoticeSound } from "../../state/notices/play-notice-sound";
import { closeSystemNotification, showSystemNotification } from "../../state/notices/system-notification";
import { noticeSettings, sessionNoticeKinds } from "@/lib/notices/notice-kinds";
import type { SessionNotice } from "@/lib/notices/session-notices";

interface NoticeDelivery {
  readonly settings: Settings;
  /** Title of the notification. */
  readonly title: string;
  /** Language of its text. */
  readonly locale: Locale;
  /** Whether the user looks at this session in this tab. */
  readonly isInView: boolean;
  /** Whether the session still has the status that the notice reports. */
  readonly isCurrent: () => boolean;
  readonly onOpen: () => void;
}

/** The tab that the user looks at claims a notice first. */
const otherTabsDelayMs = 300;
/** The same notice reaches every tab within this time. */
const claimMs = 3_000;

const noticeTag = (id: SessionId): string => `gopi-web ${id}`;

export async function deliverNotice(notice: SessionNotice, delivery: NoticeDelivery): Promise<void> {
  const { settings, title, locale, isInView, isCurrent, onOpen } = delivery;
  const { kind, row } = notice;
  if (!isInView) await wait(otherTabsDelayMs);
  const isFirst = await claim(`gopi-web notice ${row.id} ${kind} ${row.lastSeq}`);
  if (
    !isFirst ||
    isInView ||
    !isCurrent() ||
    row.muted === true ||
    !settings[noticeSettings[sessionNoticeKinds[kind]]].includes("tab") ||
    isQuietTime(settings.quietHours, new Date())
  )
    return;
  const { notices } = await loadLateMessages(locale);
  showSystemNotification({ title, body: notices.sessions[kind], tag: noticeTag(row.id), onClick: onOpen });
  if (settings.noticeSound) await playNoticeSound();
}

interface OwnNotice {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly hasSound: boolean;
  readonly onOpen: () => void;
}

/** Shows a notice that the server sent to all tabs, in one of them. */
export async function deliverOwnNotice({ id, title, body, hasSound, onOpen }: OwnNotice): Promise<void> {
  await wait(otherTabsDelayMs);
  if (!(await claim(`gopi-web notice ${id}`))) return;
  showSystemNotification({ title, body, tag: id, onClick: onOpen });
  if (hasSound) await playNoticeSound();
}

/** Closes the notification about a session that no longer waits. */
export const closeNotice = (id: SessionId): void => closeSystemNotification(noticeTag(id));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with true in the first tab that claims the name; in every tab where the browser has no locks (plain http). */
function claim(name: string): Promise<boolean> {
  const { locks } = navigator;
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : wait(claimMs);
    });
  });
}
