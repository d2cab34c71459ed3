/** Loads a session from the store: folds its log, and recovers it once after a start. */
import { readFileSync } from "node:fs";
import type { DurableEvent } from "@/lib/events/event";
import { fold, foldLog } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { emptyView, type SessionView } from "@/lib/view/view";
import { contextBudget } from "@/server/agent/context/context-budget";
import { computeHash } from "@/server/base/id";
import { readCachedView } from "./cached-view";
import { makeSessionLog } from "../core/session-log";
import { lastWorkAt, recover, restoreHeldAnswer } from "../recovery/recover";
import type { SessionServices } from "../core/services";
import type { Store } from "@/server/store/open-store";

let cachedProgramHash: string | undefined;

/**
 * Identifies the program that folds: the hash of this file. In the bundle it names every chunk it imports by its own
 * hash, including the fold's.
 */
export const programHash = (): string => (cachedProgramHash ??= computeHash(readFileSync(new URL(import.meta.url))));

/** A log read and folded in steps of a few ms, so that a long one does not block; the last step returns the view. */
export type LoadSteps = Generator<undefined, SessionView | null, undefined>;

/**
 * `from` = view read before. null = no such session. Throws StoreError. Rows appended between two steps are read by a
 * later one.
 */
export function* loadSteps(
  { store }: { readonly store: Store },
  id: SessionId,
  from: SessionView | null = null,
): LoadSteps {
  if (store.sessions.get(id) === undefined) return null;
  const limit = serverLimits.loadEvents;
  let view = from ?? (yield* readCachedView(id, store, programHash())) ?? emptyView(id);
  for (let afterSeq = view.seq; ; ) {
    const rows = store.events.read(id, { afterSeq, limit });
    view = foldLog(
      view,
      rows.map(({ seq, at, event }) => ({ v: 1, sessionId: id, seq, at, event })),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return view;
    afterSeq = last.seq;
    yield;
  }
}

/** Runs all remaining steps. */
export function finishLoad(steps: LoadSteps): SessionView | null {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Commits what `recover` appends, before anyone has subscribed. The events get the time of the session's last work,
 * when it was interrupted, so the session keeps its place in the list. Throws StoreError.
 */
export function commitRecovery(view: SessionView, services: SessionServices): SessionView {
  const checkpoints = view.run === null ? [] : services.store.events.checkpoints(view.sessionId);
  const newestAt = services.store.sessions.get(view.sessionId)?.updatedAt ?? services.now();
  const then = lastWorkAt(view, checkpoints, newestAt);
  const log = makeSessionLog(view, { ...services, now: () => then });
  const window = view.model === null ? undefined : contextBudget(services.modelFacts(view.model)).estimatedWindow;
  log.commit(recover(view, checkpoints, window, then));
  return restoreHeldAnswer(log.view(), checkpoints);
}

/** The view with these events appended, all at one time; nothing is written. */
export const appendToView = (view: SessionView, at: number, events: readonly DurableEvent[]): SessionView =>
  events.reduce<SessionView>(
    (now, event) => fold(now, { v: 1, sessionId: view.sessionId, at, seq: now.seq + 1, event }),
    view,
  );

/** The view of a session that has only these events. */
export const viewOfEvents = (id: SessionId, at: number, events: readonly DurableEvent[]): SessionView =>
  appendToView(emptyView(id), at, events);
