"use client";
/** Tab title and favicon badge for a tab in the background, and live-region announcements for screen readers. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { RunEnd } from "@/lib/events/event";
import type { SessionRow } from "@/lib/protocol/session-row";
import { pendingApprovals } from "@/lib/view/view";
import { pauseReason } from "../../chat/run/pause-reason";
import { useServerState } from "../../state/use-server-state";
import { queries } from "../../state/queries";
import { mergeRows } from "../../state/session/session-lists";
import { useMessages } from "../../messages/messages";
import { lastRunEnd, lastRunLimit, runNotification, type RunNotification, type RunState } from "./run-notification";
import type { SessionNoticeKind } from "@/lib/notices/session-notices";
import { useResetWhenVisible, useSessionNotices } from "./use-session-notices";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const OpenNotices = lazy(async () => ({ default: (await import("./open-notices")).OpenNotices }));

const allSessions = {};
const productName = "gopi-web";
/** Run end that a notice of each kind about another session shows; null = none. */
const noticeEnds = {
  waiting: null,
  done: "done",
  limit: "limit",
  failed: "error",
  interrupted: "interrupted",
} as const satisfies Record<SessionNoticeKind, RunEnd | null>;

/** All loaded sessions that are not below another one, newest first; undefined = not loaded yet. */
export function useSessionRows(): readonly SessionRow[] | undefined {
  const { data } = useInfiniteQuery(queries.sessions(allSessions));
  return useMemo(() => (data === undefined ? undefined : mergeRows(data.pages)), [data]);
}

export function Attention({ place }: { readonly place: WorkbenchLocation }) {
  const messages = useMessages();
  const rows = useSessionRows();
  const elsewhere = useSessionNotices(rows, place.sessionId);
  const { view } = place.session;
  const state: RunState = {
    sessionId: place.sessionId,
    isRunning: view !== null && view.run !== null,
    waiting: view === null ? 0 : pendingApprovals(view).length,
    end: view === null ? null : lastRunEnd(view),
  };
  const limit = view === null || state.end !== "limit" ? null : lastRunLimit(view);
  const waitingRow = rows?.find((row) => row.status === "waiting");
  const isWaiting = waitingRow !== undefined || state.waiting > 0;
  const { notification, unseen } = useRunNotification(state);
  const unseenEnd = unseen ?? (elsewhere === null ? null : noticeEnds[elsewhere.kind]);
  const current = isWaiting ? "waiting" : unseenEnd;
  const project = place.project?.project.name ?? productName;
  const ownTitle = view?.title === undefined || view.title === "" ? project : view.title;
  const noticed = (current === "waiting" ? waitingRow : unseen === null ? elsewhere?.row : undefined)?.title ?? "";
  const subject = noticed === "" ? ownTitle : noticed;
  const title =
    current === "waiting"
      ? messages.shell.waitingTitle(subject)
      : current === null
        ? ownTitle
        : messages.shell.endTitle[current](subject);
  // Sessions with the same title differ by their project.
  useTabTitle([...new Set([title, project, productName])].join(" · "));
  useFaviconBadge(current);
  const open = useServerState("notices") ?? [];
  return (
    <>
      {open.length > 0 && (
        <Suspense>
          <OpenNotices notices={open} sessionId={place.sessionId} />
        </Suspense>
      )}
      <p role="status" aria-live="polite" className="sr-only">
        {notification === "waiting"
          ? messages.shell.announceWaiting
          : notification === null
            ? ""
            : notification === "limit"
              ? (pauseReason(limit, messages) ?? messages.shell.announceEnd.limit)
              : messages.shell.announceEnd[notification]}
      </p>
    </>
  );
}

/** Next sets the title of the document when it hydrates the head, which may be after this. */
function useTabTitle(title: string): void {
  useEffect(() => {
    const set = (): void => {
      if (document.title !== title) document.title = title;
    };
    set();
    const observer = new MutationObserver(set);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}

/** Shows the badge while the state lasts. Its code is loaded with the first badge. */
function useFaviconBadge(news: RunNotification | null): void {
  useEffect(() => {
    if (news === null) return;
    let hide: (() => void) | undefined;
    let isOver = false;
    void import("./favicon-badge").then(({ showFaviconBadge }) => {
      if (!isOver) hide = showFaviconBadge(news);
    });
    return () => {
      isOver = true;
      hide?.();
    };
  }, [news]);
}

interface AttentionState {
  /** The last announcement that is still true; null = none. */
  readonly notification: RunNotification | null;
  /**
   * End state of the displayed run if it ended while the tab was hidden; reset to null when the tab becomes visible.
   */
  readonly unseen: RunEnd | null;
}

function useRunNotification({ sessionId, isRunning, waiting, end }: RunState): AttentionState {
  const [news, setNews] = useState<RunNotification | null>(null);
  const [unseen, setUnseen] = useState<RunEnd | null>(null);
  const before = useRef<RunState>({ sessionId, isRunning, waiting, end });
  useEffect(() => {
    const now = { sessionId, isRunning, waiting, end };
    const next = runNotification(before.current, now);
    before.current = now;
    if (next === undefined) return;
    setNews(next);
    if (next !== null && next !== "waiting" && document.visibilityState === "hidden") setUnseen(next);
  }, [sessionId, isRunning, waiting, end]);
  useResetWhenVisible(setUnseen);
  return { notification: news, unseen };
}
