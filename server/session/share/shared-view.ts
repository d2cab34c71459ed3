/**
 * The view of one share's viewers: the redacted events of its session, folded once for all of them. Loaded in steps, so
 * that a long log does not block; then live, or frozen at one event.
 */
import { at, indexOfSeq, iterate } from "@/lib/view/chunks";
import { type DurableEnvelope, type Envelope, isDurable, type LiveEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { emptyView, type SessionView } from "@/lib/view/view";
import type { StoredShare } from "@/server/store/access/shares";
import type { EventStore } from "@/server/store/sessions/events";
import { recover } from "../recovery/recover";
import type { SessionService } from "../service/session-service";
import { makeShareRedactor, type ShareRedactor } from "./share-redactor";
import type { RedactorSource } from "./share-redactor";
import type { ActiveShares, ShareServer } from "./shares";

interface SharedViewServices {
  readonly store: { readonly events: Pick<EventStore, "read"> };
  readonly sessions: Pick<SessionService, "get" | "watch" | "release" | "subscribe">;
  readonly redactor: RedactorSource;
}

export interface SharedView {
  view(): SessionView;
  /** Called when the last viewer has left. */
  close(): void;
}

/** null = the session does not exist. `publish` gets the redacted envelopes, in order and already folded. */
export async function openSharedView(
  services: SharedViewServices,
  share: Pick<StoredShare, "sessionId" | "kind" | "atSeq" | "outputs">,
  publish: (envelopes: readonly Envelope[]) => void,
): Promise<SharedView | null> {
  const { sessions } = services;
  const session = sessions.get(share.sessionId);
  if (!session.ok) return null;
  const redactor = makeShareRedactor(services.redactor, share.outputs);
  const feed = { view: emptyView(share.sessionId) };
  const take = (envelope: Envelope): readonly Envelope[] => {
    const redacted = redactor.redact(envelope).map((one) => addWait(one, session.value.view));
    feed.view = redacted.reduce(fold, feed.view);
    return redacted;
  };
  if (share.kind === "frozen") {
    await readLog(services, share.sessionId, share.atSeq, () => feed.view.seq, take);
    feed.view = closeFrozenView(feed.view);
    return { view: () => feed.view, close: () => {} };
  }
  sessions.watch(share.sessionId);
  try {
    await readLog(services, share.sessionId, session.value.view.seq, () => feed.view.seq, take);
  } catch (error) {
    sessions.release(share.sessionId);
    throw error;
  }
  // Reads the rest synchronously: no event can come between the last read and the subscription.
  for (const envelope of logAfter(services, share.sessionId, feed.view.seq)) take(envelope);
  replayOpen(session.value.view, redactor, take);
  const stop = sessions.subscribe((envelope) => {
    if (envelope.sessionId === share.sessionId) publish(take(envelope));
  });
  return {
    view: () => feed.view,
    close() {
      stop();
      sessions.release(share.sessionId);
    },
  };
}

/** Adds the time that a run waited for the user, from the owner's view: viewers do not get the approvals. */
function addWait(envelope: Envelope, owner: SessionView): Envelope {
  if (!isDurable(envelope) || envelope.event.type !== "agent_end") return envelope;
  const end = at(owner.entries, indexOfSeq(owner.entries, envelope.seq));
  return end?.kind === "run_end" ? { ...envelope, event: { ...envelope.event, waitedMs: end.waitedMs } } : envelope;
}

async function readLog(
  services: SharedViewServices,
  id: SessionId,
  upTo: number,
  at: () => number,
  take: (envelope: Envelope) => void,
): Promise<void> {
  while (at() < upTo) {
    const before = at();
    const limit = Math.min(serverLimits.loadEvents, upTo - before);
    for (const envelope of logAfter(services, id, before, limit)) take(envelope);
    if (at() === before) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const logAfter = (
  { store }: SharedViewServices,
  sessionId: SessionId,
  afterSeq: number,
  limit?: number,
): readonly DurableEnvelope[] =>
  store.events.read(sessionId, { afterSeq, limit }).map(({ seq, at, event }) => ({ v: 1, sessionId, seq, at, event }));

/** Replays text and output that were streaming when the first viewer came, as live events. */
function replayOpen(view: SessionView, redactor: ShareRedactor, take: (envelope: Envelope) => void): void {
  const live = (event: LiveEvent): void =>
    void take({ v: 1, sessionId: view.sessionId, at: view.updatedAt, after: view.seq, event });
  const open = new Set([...Object.values(view.openMessages), ...Object.values(view.openCalls)]);
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message" || !open.has(entry.seq)) continue;
    if (entry.stop === undefined) {
      entry.blocks.forEach((block, index) => {
        if (block.type !== "text" && block.type !== "thinking" && block.type !== "input") return;
        const { messageId } = entry;
        const name = block.type === "input" ? { name: block.name } : {};
        live({
          type: "message_delta",
          messageId,
          block: index,
          kind: block.type,
          offset: 0,
          text: block.text,
          ...name,
        });
      });
    }
    for (const { callId, live: output } of entry.calls) {
      if (output === undefined) continue;
      // Only the tail of a long output is known: it starts in the middle.
      const offset = output.length - output.tail.length;
      if (offset > 0) redactor.markTruncated(callId);
      live({ type: "tool_call_delta", callId, offset, text: output.tail });
    }
  }
  if (view.phase !== null) live({ type: "phase", ...view.phase });
}

/** Closes what was open at the time of a frozen link, since no further events follow. */
function closeFrozenView(view: SessionView): SessionView {
  const ends = recover(view, []).filter(({ type }) => type !== "session_update");
  return ends.reduce<SessionView>(
    (folded, event) =>
      fold(folded, { v: 1, sessionId: view.sessionId, at: view.updatedAt, seq: folded.seq + 1, event }),
    view,
  );
}

/** Dependencies of the server for viewers. */
export interface ShareServerOptions {
  /** The first port to try. */
  readonly firstPort: () => number;
  readonly shares: ActiveShares;
  readonly sessions: SharedViewServices;
  readonly now: () => number;
  /** Called when the viewers have changed. */
  readonly changed: () => void;
  readonly reportBug: (name: string, error: unknown) => void;
}

/** Opens the server for viewers, which loads with the first active link. */
export type ShareServerOpener = (options: ShareServerOptions) => Promise<ShareServer>;
