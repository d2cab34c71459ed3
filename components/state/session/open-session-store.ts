/**
 * One open session of this tab: its view, maintained by the fold, and the user's messages that the server has not
 * confirmed yet. Subscribers are notified at most once per frame.
 */
import { type ImageRef, optionalAttachments } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { Envelope, Intent } from "@/lib/events/event";
import type { CommandId, SessionId } from "@/lib/events/id";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { SessionPage } from "@/lib/view/snapshot";
import { addOlderPage } from "@/lib/view/view-from-snapshot";
import { type SessionView, pathEntriesBackward } from "@/lib/view/view";
import type { ServerConnection } from "../connection/server-connection";
import { createFrameScheduler } from "../frame-scheduler";
import { newCommandId } from "../new-id";
import {
  beginOpening,
  emptyIntake,
  failOpening,
  type SessionIntake,
  receiveEnvelopes,
  takeSnapshot,
} from "./session-intake";
import { createStore, type ReadableStore, type WritableStore } from "../store";

/** Content of an unsent message besides its text. */
export interface UnsentAttachments {
  readonly images?: readonly ImageRef[];
  readonly references?: readonly NewReference[];
}

/** The user's message, displayed before it is in the log. */
export interface Echo extends UnsentAttachments {
  readonly commandId: CommandId;
  readonly text: string;
  readonly intent: Intent;
  /** ms epoch, this machine's clock */
  readonly at: number;
}

export interface OpenSession {
  /** null until the first snapshot */
  readonly view: SessionView | null;
  /** Opening failed; not_found = deleted. */
  readonly error: AgentError | null;
  /** The row of a deleted session, which can only be restored. */
  readonly binned?: SessionRow;
  readonly echoes: readonly Echo[];
  readonly older: "idle" | "loading" | "failed";
}

export interface OpenSessionStore extends ReadableStore<OpenSession> {
  readonly id: SessionId;
  /** Requests a snapshot: initially, after every reconnect, and when envelopes were missed. */
  readonly open: () => void;
  readonly receive: (envelopes: readonly Envelope[]) => void;
  readonly loadOlder: () => Promise<void>;
  /**
   * Resolves with the refusal, or null once the message is in the log. A refused message is no longer displayed: the
   * composer keeps its text.
   */
  readonly send: (text: string, intent: Intent, attachments?: UnsentAttachments) => Promise<AgentError | null>;
  readonly close: () => void;
}

interface OpenSessionStoreOptions {
  readonly id: SessionId;
  readonly call: ServerConnection["call"];
  readonly onRow: (row: SessionRow) => void;
  /** ms epoch */
  readonly now: () => number;
}

/** Delay before a stale session is opened again. */
const reopenMs = 250;
/** Number of log entries searched for a message displayed early. */
const echoSearchDepth = 60;

export function createOpenSessionStore(input: OpenSessionStoreOptions): OpenSessionStore {
  const shown = createStore<OpenSession>({ view: null, error: null, echoes: [], older: "idle" });
  let intake: SessionIntake = emptyIntake;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const frame = createFrameScheduler(() =>
    shown.update((now) => ({ ...now, view: intake.view, echoes: removeArrived(now.echoes, intake.view) })),
  );

  const take = (next: SessionIntake): void => {
    if (next === intake) return;
    intake = next;
    frame.request();
    if (intake.view?.stale === true && !intake.opening) reopenSoon();
  };
  const reopenSoon = (): void => {
    intake = beginOpening(intake);
    reopenTimer ??= setTimeout(() => {
      reopenTimer = undefined;
      open();
    }, reopenMs);
  };
  const open = (): void => {
    clearTimeout(reopenTimer);
    reopenTimer = undefined;
    take(beginOpening(intake));
    void input.call("session.open", { sessionId: input.id }).then((answer) => {
      if (isClosed) return;
      if (!answer.ok) {
        take(failOpening(intake));
        shown.update((now) => ({ ...now, error: answer.error }));
        return;
      }
      input.onRow(answer.value.row);
      take(takeSnapshot(intake, answer.value.snapshot));
      shown.update((now) => markOpened(now, answer.value.row));
    });
  };

  return {
    id: input.id,
    get: shown.get,
    subscribe: shown.subscribe,
    open,
    receive: (envelopes) => take(receiveEnvelopes(intake, envelopes)),
    loadOlder: () =>
      loadOlderPage(input, shown, intake.view?.heldFrom ?? 0, (page, before) => {
        const { view } = intake;
        // The session was reopened in the meantime: the page may no longer fit.
        if (!isClosed && view?.heldFrom === before) take({ ...intake, view: addOlderPage(view, page) });
      }),
    send: (text, intent, attachments = {}) =>
      sendMessage(input, shown, { text, intent, ...optionalAttachments(attachments) }),
    close: () => {
      isClosed = true;
      clearTimeout(reopenTimer);
      frame.cancel();
      void input.call("session.close", { sessionId: input.id });
    },
  };
}

function markOpened({ binned: _binned, ...now }: OpenSession, row: SessionRow): OpenSession {
  return { ...now, error: null, ...(row.deletedAt === undefined ? {} : { binned: row }) };
}

async function loadOlderPage(
  input: OpenSessionStoreOptions,
  shown: WritableStore<OpenSession>,
  before: number,
  add: (page: SessionPage, before: number) => void,
): Promise<void> {
  if (before === 0 || shown.get().older === "loading") return;
  shown.update((now) => ({ ...now, older: "loading" }));
  const answer = await input.call("session.page", { sessionId: input.id, before });
  if (answer.ok) add(answer.value, before);
  shown.update((now) => ({ ...now, older: answer.ok ? "idle" : "failed" }));
}

/** Sends a message: displayed at once, removed when it is in the log or the queue, or refused. */
async function sendMessage(
  input: OpenSessionStoreOptions,
  shown: WritableStore<OpenSession>,
  message: Omit<Echo, "commandId" | "at">,
): Promise<AgentError | null> {
  const commandId = newCommandId();
  const echo: Echo = { ...message, commandId, at: input.now() };
  shown.update((now) => ({ ...now, echoes: [...now.echoes, echo] }));
  const answer = await input.call("session.send", { sessionId: input.id, commandId, ...message });
  if (answer.ok) return null;
  shown.update((now) => ({ ...now, echoes: now.echoes.filter((other) => other !== echo) }));
  return answer.error;
}

/** Returns the echoes that are neither in the log nor in the queue; the same array if nothing changed. */
function removeArrived(echoes: readonly Echo[], view: SessionView | null): readonly Echo[] {
  if (echoes.length === 0 || view === null) return echoes;
  const arrived = new Set<string>(view.queue.map((queued) => queued.commandId));
  let depth = 0;
  for (const entry of pathEntriesBackward(view)) {
    depth += 1;
    if (depth > echoSearchDepth) break;
    if (entry.kind === "message" && entry.commandId !== undefined) arrived.add(entry.commandId);
  }
  const left = echoes.filter((echo) => !arrived.has(echo.commandId));
  return left.length === echoes.length ? echoes : left;
}
