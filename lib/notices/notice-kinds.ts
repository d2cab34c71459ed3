/** Kinds of notices, the places where they appear, and the settings that combine them. */
import { type SettingName, settingsDefaults } from "../settings/settings";
import type { SessionNoticeKind } from "./session-notices";

/** tab = an open tab of the page; push = a device that receives Web Push; channel = a messenger. */
export const noticePlaces = ["tab", "push", "channel"] as const;
export type NoticePlaceName = (typeof noticePlaces)[number];

/** asks = a session waits; done, failed = how its run ended; paused = an automation was paused; message = a tool wrote. */
export const noticeKinds = ["asks", "done", "failed", "paused", "message"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The setting that lists the places of a kind. */
export const noticeSettings = {
  asks: "noticeWaiting",
  done: "noticeDone",
  failed: "noticeFailed",
  paused: "noticePaused",
  message: "noticeMessage",
} as const satisfies Record<NoticeKind, SettingName>;

/** The kind of a session's notice. */
export const sessionNoticeKinds = {
  waiting: "asks",
  done: "done",
  limit: "failed",
  failed: "failed",
  interrupted: "failed",
} as const satisfies Record<SessionNoticeKind, NoticeKind>;

const isNoticeSetting = (name: string): name is (typeof noticeSettings)[NoticeKind] =>
  Object.values<string>(noticeSettings).includes(name);

/** Converts a value that an older version stored, whose kinds, and sandbox, were on or off. Others are returned unchanged. */
export function upgradeSettingValue(name: string, value: unknown): unknown {
  if (typeof value !== "boolean") return value;
  if (name === "sandbox") return value ? "always" : "off";
  return isNoticeSetting(name) ? (value ? settingsDefaults[name] : []) : value;
}
