"use client";
/** What calls from another tab: the title, a dot on the icon; and what a screen reader is told. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { pendingApprovals } from "@/lib/view";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { rowsOf } from "../state/session-lists";
import { useWords } from "../words/words";
import type { Place } from "./use-place";

const allSessions = {};
const program = "gopi-web";

type Call = "waiting" | "done" | null;

export function Attention({ place }: { readonly place: Place }) {
  const words = useWords();
  const { call } = useClient();
  const rows = rowsOf(useInfiniteQuery(queries.sessions(call, allSessions)).data?.pages);
  const { view } = place.session;
  const isRunning = view !== null && view.run !== null;
  const waitingRow = rows.find((row) => row.status === "waiting");
  const isWaiting = waitingRow !== undefined || (view !== null && pendingApprovals(view).length > 0);
  const isDone = useDoneUnseen(isRunning, place.sessionId);
  const current: Call = isWaiting ? "waiting" : isDone ? "done" : null;
  const ownTitle =
    view?.title === undefined || view.title === "" ? (place.project?.project.name ?? program) : view.title;
  const title =
    current === "waiting"
      ? words.shell.waitingTitle(waitingRow === undefined || waitingRow.title === "" ? ownTitle : waitingRow.title)
      : current === "done"
        ? words.shell.doneTitle(ownTitle)
        : ownTitle;
  useEffect(() => {
    document.title = ownTitle === program ? program : `${title} · ${program}`;
  }, [title, ownTitle]);
  useEffect(() => showBadge(current), [current]);
  const news = useNews(isRunning, view === null ? 0 : pendingApprovals(view).length, place.sessionId);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {news === "waiting" ? words.shell.announceWaiting : news === "done" ? words.shell.announceDone : ""}
    </p>
  );
}

/** The run in sight ended while nobody looked; until somebody does. */
function useDoneUnseen(isRunning: boolean, sessionId: string | null): boolean {
  const [isDone, setDone] = useState(false);
  const before = useRef({ isRunning, sessionId });
  useEffect(() => {
    const ended = before.current.isRunning && !isRunning && before.current.sessionId === sessionId;
    before.current = { isRunning, sessionId };
    if (ended && document.visibilityState === "hidden") setDone(true);
  }, [isRunning, sessionId]);
  useEffect(() => {
    const onSeen = (): void => {
      if (document.visibilityState === "visible") setDone(false);
    };
    document.addEventListener("visibilitychange", onSeen);
    return () => document.removeEventListener("visibilitychange", onSeen);
  }, []);
  return isDone;
}

/** The last change worth telling aloud. */
function useNews(isRunning: boolean, waiting: number, sessionId: string | null): Call {
  const [news, setNews] = useState<Call>(null);
  const before = useRef({ isRunning, waiting, sessionId });
  useEffect(() => {
    const last = before.current;
    before.current = { isRunning, waiting, sessionId };
    if (last.sessionId !== sessionId) setNews(null);
    else if (waiting > last.waiting) setNews("waiting");
    else if (last.isRunning && !isRunning) setNews("done");
    else if (isRunning && !last.isRunning) setNews(null);
  }, [isRunning, waiting, sessionId]);
  return news;
}

const badgeColours = { waiting: "#c8871c", done: "#12805c" } as const;

/** The icon with a dot; the plain one again when the answer is called. */
function showBadge(call: Call): (() => void) | undefined {
  const link = document.querySelector<HTMLLinkElement>("link[rel~=icon]");
  if (link === null || call === null) return undefined;
  const plain = link.href;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#1c1f24"/><path d="M21 11.5v11.2c0 3-2 4.8-5 4.8-2.3 0-4-.9-4.8-2.6M21 15.8c0 2.9-2.1 5-4.9 5s-4.9-2.1-4.9-5 2.1-5 4.9-5 4.9 2.1 4.9 5z" fill="none" stroke="#fafaf8" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" transform="translate(0 -2.6)"/><circle cx="25" cy="7" r="7" fill="${badgeColours[call]}"/></svg>`;
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return () => {
    link.href = plain;
  };
}
