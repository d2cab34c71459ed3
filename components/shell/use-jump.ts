"use client";
/**
 * Jumps to the entry in the URL, `/s/<id>#<seq>`: loads pages back to it, scrolls it into view and highlights it
 * briefly.
 */
import { type RefObject, useEffect } from "react";
import { rangesOf } from "@/lib/view";
import type { ConversationHandle } from "../chat/conversation";
import { useClient } from "../state/client";
import type { SessionStore } from "../state/session-store";
import { useWords } from "../words/words";
import { useSeq } from "./router";
import { loadUntil } from "./use-find";

/** left = on a branch the session was rewound from; missing = the log has no such entry. */
type Landing = "there" | "left" | "missing";

export function useJump(store: SessionStore, chat: RefObject<ConversationHandle | null>): void {
  const { toasts, workbench } = useClient();
  const words = useWords();
  const seq = useSeq();
  const { left, missing, showTree } = words.sessions.search;
  useEffect(() => {
    if (seq === null) return;
    const ended = new AbortController();
    void jump(store, seq, chat, ended.signal).then((landing) => {
      if (landing === "there" || ended.signal.aborted) return;
      if (landing === "missing") return toasts.show({ text: missing });
      toasts.show({ text: left, action: { label: showTree, onSelect: () => workbench.showOverlay("tree") } });
    });
    return () => ended.abort();
  }, [store, seq, chat, toasts, workbench, left, missing, showTree]);
}

/** Virtual rows change their height when first measured: scroll again each frame until the row's position is stable. */
const mostFrames = 180;

async function jump(
  store: SessionStore,
  seq: number,
  chat: RefObject<ConversationHandle | null>,
  signal: AbortSignal,
): Promise<Landing> {
  const { view } = store.get();
  if (view === null || seq > view.seq) return "missing";
  if (!rangesOf(view.segments, view.newest).some(([from, to]) => seq >= from && seq <= to)) return "left";
  await loadUntil(store, seq);
  let row: number | null = null;
  let top: number | null = null;
  for (let frame = 0; frame < mostFrames; frame += 1) {
    if (signal.aborted) return "there";
    const rows = row === null ? [] : rowsOf(store.id, row);
    const now = topInSight(rows[0]);
    if (now !== null && now === top) {
      for (const one of rows) flash(one);
      return "there";
    }
    if (now === null) row = chat.current?.scrollToEntry(seq) ?? null;
    top = now;
    await nextFrame();
  }
  return row === null ? "missing" : "there";
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Returns the rendered rows with this seq. */
const rowsOf = (sessionId: string, seq: number): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[data-session="${sessionId}"] [role=log] [data-seq="${seq}"]`),
];

/** px from the top of the viewport; null = not visible. */
function topInSight(row: HTMLElement | undefined): number | null {
  const frame = row?.closest("[role=log]")?.getBoundingClientRect();
  if (row === undefined || frame === undefined) return null;
  const box = row.getBoundingClientRect();
  return box.bottom > frame.top + leastPx && box.top < frame.bottom - leastPx ? box.top : null;
}

/** px of a row that have to be visible. */
const leastPx = 8;
const flashMs = 1_800;

function flash(row: HTMLElement): void {
  row.dataset.flash = "";
  const lit = { backgroundColor: "var(--accent-soft)" };
  const fade = row.animate([lit, { ...lit, offset: 0.6 }, { backgroundColor: "transparent" }], flashMs);
  fade.onfinish = () => delete row.dataset.flash;
}
