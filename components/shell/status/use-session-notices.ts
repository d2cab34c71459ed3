"use client";
/** Notices about all sessions of the list, delivered as notifications, and the one for the title of a hidden tab. */
import { useEffect, useRef, useState } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useMessages } from "../../messages/messages";
import { useServerState } from "../../state/use-server-state";
import { navigate } from "../navigation/router";
import {
  findNotices,
  type SessionNotice,
  type SessionStatuses,
  sessionStatusesOf,
} from "@/lib/notices/session-notices";

/**
 * `rows`: undefined until the list is loaded; the same array until a row changes. Returns the newest notice that arrived
 * while the tab was hidden; null = none, or the tab has been visible since.
 */
export function useSessionNotices(
  rows: readonly SessionRow[] | undefined,
  visibleSessionId: string | null,
): SessionNotice | null {
  const { figures, sessions } = useMessages();
  const settings = useServerState("settings");
  const [unseen, setUnseen] = useState<SessionNotice | null>(null);
  const before = useRef<SessionStatuses | null>(null);
  const deliver = (notice: SessionNotice): void => {
    const { kind, row } = notice;
    const isVisible = document.visibilityState === "visible";
    if (!isVisible && kind !== "waiting") setUnseen(notice);
    if (settings === undefined) return;
    void import("./deliver-notice").then(({ deliverNotice }) =>
      deliverNotice(notice, {
        settings,
        title: row.title === "" ? sessions.untitled : row.title,
        locale: figures.locale,
        isCurrent: () => before.current?.get(row.id) === row.status,
        isInView: isVisible && document.hasFocus() && row.id === visibleSessionId,
        onOpen: () => navigate(`/s/${row.id}`),
      }),
    );
  };
  const latest = useRef(deliver);
  useEffect(() => {
    latest.current = deliver;
  });
  useEffect(() => {
    if (rows === undefined) return;
    const statuses = before.current;
    before.current = sessionStatusesOf(rows);
    if (statuses === null) return;
    for (const notice of findNotices(statuses, rows)) latest.current(notice);
    const now = before.current;
    const answered = [...statuses].filter(([id, status]) => status === "waiting" && now.get(id) !== "waiting");
    if (answered.length === 0) return;
    void import("./deliver-notice").then(({ closeNotice }) => answered.forEach(([id]) => closeNotice(id)));
  }, [rows]);
  useResetWhenVisible(setUnseen);
  return unseen;
}

/** Sets a state to null when the tab becomes visible. */
export function useResetWhenVisible(set: (value: null) => void): void {
  useEffect(() => {
    const onSeen = (): void => {
      if (document.visibilityState === "visible") set(null);
    };
    document.addEventListener("visibilitychange", onSeen);
    return () => document.removeEventListener("visibilitychange", onSeen);
  }, [set]);
}
