"use client";
/**
 * Session commands shared by all lists: rename, pin, archive, delete. Updates are optimistic and reverted if the server
 * refuses.
 */
import { useMemo } from "react";
import type { AgentError } from "@/lib/events/error";
import type { SessionRow } from "@/lib/protocol/session-row";
import { limits } from "@/lib/settings/settings";
import { type AppClient, useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { removeSessionRow, upsertSessionRow } from "../../state/session/cached-session-lists";
import { useMessages, type Messages } from "../../messages/messages";

/** Changes one of the states; the others are unchanged. */
type SessionMarkChange = { readonly pinned: boolean } | { readonly archived: boolean } | { readonly muted: boolean };

export interface SessionListCommands {
  /** An empty title changes nothing. */
  readonly rename: (row: SessionRow, title: string) => void;
  /** Archiving shows a toast with undo. */
  readonly mark: (rows: readonly SessionRow[], mark: SessionMarkChange) => void;
  /** Deletes the sessions; they can be restored. Shows a toast with undo. */
  readonly remove: (rows: readonly SessionRow[]) => void;
}

/** Returns the commands of one list. `onRemoved` runs immediately for each session, so that the screen can leave it. */
export function useSessionCommands(onRemoved?: (row: SessionRow) => void): SessionListCommands {
  const client = useClient();
  const messages = useMessages();
  return useMemo(
    () => ({
      rename: (row, title) => renameSession(client, messages, row, title),
      mark: (rows, change) => markSessions(client, messages, rows, change),
      remove: (rows) => void removeSessions(client, messages, rows, onRemoved),
    }),
    [client, messages, onRemoved],
  );
}

export const showError = (client: AppClient, messages: Messages, error: AgentError): void =>
  client.toasts.show({ text: messages.errors.sentences[error.code], look: "danger" });

export const sessionTitle = (messages: Messages, row: Pick<SessionRow, "title">): string =>
  row.title === "" ? messages.sessions.untitled : row.title;

/** Formats a message about one session with its title, or about several with their number. */
export const countedMessage = (
  messages: Messages,
  rows: readonly SessionRow[],
  one: (title: string) => string,
  many: (count: number) => string,
): string => {
  const [first] = rows;
  return rows.length === 1 && first !== undefined ? one(sessionTitle(messages, first)) : many(rows.length);
};

function renameSession(client: AppClient, messages: Messages, row: SessionRow, text: string): void {
  const title = text.trim().slice(0, limits.titleMaxChars);
  if (title === "" || title === row.title) return;
  upsertSessionRow(client.cache, { ...row, title });
  void client.call("session.update", { sessionId: row.id, commandId: newCommandId(), title }).then((answer) => {
    if (answer.ok) return;
    upsertSessionRow(client.cache, row);
    showError(client, messages, answer.error);
  });
}

/** Returns the row with the change applied; `now` in ms since the epoch. */
function withMark(row: SessionRow, change: SessionMarkChange, now: number): SessionRow {
  if ("pinned" in change) {
    const { pinnedAt: _pinnedAt, ...rest } = row;
    return change.pinned ? { ...rest, pinnedAt: now } : rest;
  }
  if ("muted" in change) return { ...row, muted: change.muted || undefined };
  const { archivedAt: _archivedAt, ...rest } = row;
  return change.archived ? { ...rest, archivedAt: now } : rest;
}

function markSessions(
  client: AppClient,
  messages: Messages,
  rows: readonly SessionRow[],
  change: SessionMarkChange,
): void {
  for (const row of rows) upsertSessionRow(client.cache, withMark(row, change, Date.now()));
  void client.call("session.mark", { sessionIds: rows.map((row) => row.id), ...change }).then((answer) => {
    for (const row of answer.ok ? answer.value.rows : rows) upsertSessionRow(client.cache, row);
    if (!answer.ok) return showError(client, messages, answer.error);
    if (!("archived" in change) || !change.archived) return;
    client.toasts.show({
      text: countedMessage(messages, rows, messages.sessions.archived, messages.sessions.archivedMany),
      action: {
        label: messages.sessions.undo,
        onSelect: () => markSessions(client, messages, rows, { archived: false }),
      },
    });
  });
}

async function removeSessions(
  client: AppClient,
  messages: Messages,
  rows: readonly SessionRow[],
  onRemoved?: (row: SessionRow) => void,
): Promise<void> {
  for (const row of rows) {
    removeSessionRow(client.cache, row.id);
    onRemoved?.(row);
  }
  const removed: SessionRow[] = [];
  const answers = await Promise.all(rows.map((row) => client.call("session.remove", { sessionId: row.id })));
  for (const [index, row] of rows.entries()) {
    const answer = answers[index];
    if (answer?.ok === true) removed.push(row);
    else upsertSessionRow(client.cache, row);
  }
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, messages, refused.error);
  if (removed.length === 0) return;
  client.toasts.show({
    text: countedMessage(messages, removed, messages.sessions.deleted, messages.sessions.deletedMany),
    action: { label: messages.sessions.undo, onSelect: () => void restoreSessions(client, messages, removed) },
  });
}

/** Restores deleted sessions. Resolves with the restored rows. */
export async function restoreSessions(
  client: AppClient,
  messages: Messages,
  rows: readonly SessionRow[],
): Promise<readonly SessionRow[]> {
  const answers = await Promise.all(rows.map((row) => client.call("session.restore", { sessionId: row.id })));
  const back = answers.flatMap((answer) => (answer.ok ? [answer.value.row] : []));
  for (const row of back) upsertSessionRow(client.cache, row);
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, messages, refused.error);
  return back;
}
