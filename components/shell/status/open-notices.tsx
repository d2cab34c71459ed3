"use client";
/** Answers the server's open notices: reports those that the user sees in this tab, and shows those that only it has. */
import { useEffect, useRef } from "react";
import type { Notice } from "@/lib/notices/notice";
import { noticeSettings } from "@/lib/notices/notice-kinds";
import { isQuietTime } from "@/lib/settings/quiet-hours";
import type { Settings } from "@/lib/settings/settings";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { navigate } from "../navigation/router";
import { deliverOwnNotice } from "./deliver-notice";
import { currentPath } from "../../state/base-path";

interface OpenNoticesProps {
  readonly notices: readonly Notice[];
  /** The session in view. */
  readonly sessionId: string | null;
}

export function OpenNotices({ notices, sessionId }: OpenNoticesProps) {
  const { call } = useClient();
  const settings = useServerState("settings");
  useShownNotices(notices, settings);
  useEffect(() => {
    const look = (): void => {
      if (settings === undefined || !isLooking()) return;
      const seen = notices.filter((notice) => isSeen(notice, settings, sessionId));
      if (seen.length === 0) return;
      void call("notices.seen", { ids: seen.map(({ id }) => id) });
      void closePushNotifications(seen);
    };
    look();
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [call, notices, settings, sessionId]);
  return null;
}

/** Closes what Web Push shows about these notices on this device. */
async function closePushNotifications(seen: readonly Notice[]): Promise<void> {
  // Absent in plain http.
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  const tags = new Set(seen.map(({ sessionId = "" }) => `gopi-web ${sessionId}`));
  for (const notification of shown) if (tags.has(notification.tag)) notification.close();
}

const isLooking = (): boolean => document.visibilityState === "visible" && document.hasFocus();

/** Its session is in view, the overview is, or this tab shows it as a notification. */
const isSeen = (notice: Notice, settings: Settings, sessionId: string | null): boolean =>
  notice.sessionId === sessionId ||
  currentPath() === "/overview" ||
  settings[noticeSettings[notice.kind]].includes("tab");

/** Shows each notice of a kind that the list of sessions does not have, once. */
function useShownNotices(notices: readonly Notice[], settings: Settings | undefined): void {
  const { notices: text } = useFullMessages();
  const { toasts } = useClient();
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (settings === undefined) return;
    for (const notice of notices) {
      const { id, kind, title, sessionId } = notice;
      const isOwn = kind === "paused" || kind === "message";
      if (!isOwn || shown.current.has(id) || !settings[noticeSettings[kind]].includes("tab")) continue;
      shown.current.add(id);
      if (isQuietTime(settings.quietHours, new Date())) continue;
      const body = kind === "paused" ? text.paused(title) : (notice.text ?? title);
      const address = sessionId === undefined ? "/settings/automations" : `/s/${sessionId}`;
      const onSelect = (): void => navigate(address);
      if (isLooking()) toasts.show({ text: body, action: { label: text.open, onSelect } });
      else void deliverOwnNotice({ id, title, body, hasSound: settings.noticeSound, onOpen: onSelect });
    }
  }, [notices, settings, text, toasts]);
}
