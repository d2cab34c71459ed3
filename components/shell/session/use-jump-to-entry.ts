"use client";
/**
 * Jumps to the entry in the URL, `/s/<id>#<seq>`: loads pages back to it, scrolls it into view and highlights it
 * briefly.
 */
import { type RefObject, useEffect } from "react";
import { isOnCurrentPath } from "@/lib/view/view";
import type { ConversationScrollHandle } from "../../chat/conversation/conversation";
import { useClient } from "../../state/client";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import { useMessages } from "../../messages/messages";
import { useSeqHash } from "../navigation/router";
import { loadOlderUntil } from "./use-find";

/** left = on a branch the session was rewound from; missing = the log has no such entry. */
type JumpResult = "there" | "left" | "missing";

export function useJumpToEntry(store: OpenSessionStore, chat: RefObject<ConversationScrollHandle | null>): void {
  const { toasts, workbench } = useClient();
  const messages = useMessages();
  const seq = useSeqHash();
  const { left, missing, showTree } = messages.sessions.hit;
  useEffect(() => {
    if (seq === null) return;
    const ended = new AbortController();
    void jumpToEntry(store, seq, chat, ended.signal).then((landing) => {
      if (landing === "there" || ended.signal.aborted) return;
      if (landing === "missing") return toasts.show({ text: missing });
      toasts.show({ text: left, action: { label: showTree, onSelect: () => workbench.showOverlay("tree") } });
    });
    return () => ended.abort();
  }, [store, seq, chat, toasts, workbench, left, missing, showTree]);
}

/** Virtual rows change their height when first measured: scroll again each frame until the row's position is stable. */
const maxFrames = 180;

async function jumpToEntry(
  store: OpenSessionStore,
  seq: number,
  chat: RefObject<ConversationScrollHandle | null>,
  signal: AbortSignal,
): Promise<JumpResult> {
  const { view } = store.get();
  if (view === null || seq > view.seq) return "missing";
  if (!isOnCurrentPath(view, seq)) return "left";
  await loadOlderUntil(store, seq);
  let row: number | null = null;
  let top: number | null = null;
  for (let frame = 0; frame < maxFrames; frame += 1) {
    if (signal.aborted) return "there";
    const rows = row === null ? [] : entryRows(store.id, row);
    const now = visibleTopPx(rows[0]);
    if (now !== null && now === top) {
      for (const one of rows) highlightRow(one);
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
const entryRows = (sessionId: string, seq: number): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[data-session="${sessionId}"] [role=log] [data-seq="${seq}"]`),
];

/** px from the top of the viewport; null = not visible. */
function visibleTopPx(row: HTMLElement | undefined): number | null {
  const frame = row?.closest("[role=log]")?.getBoundingClientRect();
  if (row === undefined || frame === undefined) return null;
  const box = row.getBoundingClientRect();
  return box.bottom > frame.top + minVisiblePx && box.top < frame.bottom - minVisiblePx ? box.top : null;
}

/** px of a row that have to be visible. */
const minVisiblePx = 8;
const flashMs = 1_800;

function highlightRow(row: HTMLElement): void {
  row.dataset.flash = "";
  const lit = { backgroundColor: "var(--accent-soft)" };
  const fade = row.animate([lit, { ...lit, offset: 0.6 }, { backgroundColor: "transparent" }], flashMs);
  fade.onfinish = () => delete row.dataset.flash;
}
