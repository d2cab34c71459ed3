"use client";
/**
 * Session commands shared by all lists: rename, pin, archive, delete. Updates are optimistic and reverted if the server
 * refuses.
 */
import { useMemo } from "react";
import type { AgentError } from "@/lib/error";
import type { SessionRow } from "@/lib/session-row";
import { type Client, useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import { dropRow, patchRow } from "../state/queries";
import { useWords, type Words } from "../words/words";

/** Changes one of the two states; the other is unchanged. */
export type Mark = { readonly pinned: boolean } | { readonly archived: boolean };

export interface SessionCommands {
  /** An empty title changes nothing. */
  readonly rename: (row: SessionRow, title: string) => void;
  /** Archiving shows a toast with undo. */
  readonly mark: (rows: readonly SessionRow[], mark: Mark) => void;
  /** Deletes the sessions; they can be restored. Shows a toast with undo. */
  readonly remove: (rows: readonly SessionRow[]) => void;
}

const titleMaxChars = 120;

/** Returns the commands of one list. `onRemoved` runs immediately for each session, so that the screen can leave it. */
export function useSessionCommands(onRemoved?: (row: SessionRow) => void): SessionCommands {
  const client = useClient();
  const words = useWords();
  return useMemo(
    () => ({
      rename: (row, title) => rename(client, words, row, title),
      mark: (rows, change) => mark(client, words, rows, change),
      remove: (rows) => void remove(client, words, rows, onRemoved),
    }),
    [client, words, onRemoved],
  );
}

export const showError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: words.errors.sentences[error.code], look: "danger" });

export const titleOf = (words: Words, row: Pick<SessionRow, "title">): string =>
  row.title === "" ? words.sessions.untitled : row.title;

/** Formats a message about one session with its title, or about several with their number. */
export const tellOf = (
  words: Words,
  rows: readonly SessionRow[],
  one: (title: string) => string,
  many: (count: number) => string,
): string => {
  const [first] = rows;
  return rows.length === 1 && first !== undefined ? one(titleOf(words, first)) : many(rows.length);
};

function rename(client: Client, words: Words, row: SessionRow, text: string): void {
  const title = text.trim().slice(0, titleMaxChars);
  if (title === "" || title === row.title) return;
  patchRow(client.cache, { ...row, title });
  void client.call("session.update", { sessionId: row.id, commandId: newCommandId(), title }).then((answer) => {
    if (answer.ok) return;
    patchRow(client.cache, row);
    showError(client, words, answer.error);
  });
}

/** Returns the row with the change applied; `now` in ms since the epoch. */
function marked(row: SessionRow, change: Mark, now: number): SessionRow {
  if ("pinned" in change) {
    const { pinnedAt: _pinnedAt, ...rest } = row;
    return change.pinned ? { ...rest, pinnedAt: now } : rest;
  }
  const { archivedAt: _archivedAt, ...rest } = row;
  return change.archived ? { ...rest, archivedAt: now } : rest;
}

function mark(client: Client, words: Words, rows: readonly SessionRow[], change: Mark): void {
  for (const row of rows) patchRow(client.cache, marked(row, change, Date.now()));
  void client.call("session.mark", { sessionIds: rows.map((row) => row.id), ...change }).then((answer) => {
    for (const row of answer.ok ? answer.value.rows : rows) patchRow(client.cache, row);
    if (!answer.ok) return showError(client, words, answer.error);
    if (!("archived" in change) || !change.archived) return;
    client.toasts.show({
      text: tellOf(words, rows, words.sessions.archived, words.sessions.archivedMany),
      action: { label: words.sessions.undo, onSelect: () => mark(client, words, rows, { archived: false }) },
    });
  });
}

async function remove(
  client: Client,
  words: Words,
  rows: readonly SessionRow[],
  onRemoved?: (row: SessionRow) => void,
): Promise<void> {
  for (const row of rows) {
    dropRow(client.cache, row.id);
    onRemoved?.(row);
  }
  const gone: SessionRow[] = [];
  const answers = await Promise.all(rows.map((row) => client.call("session.remove", { sessionId: row.id })));
  for (const [index, row] of rows.entries()) {
    const answer = answers[index];
    if (answer?.ok === true) gone.push(row);
    else patchRow(client.cache, row);
  }
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, words, refused.error);
  if (gone.length === 0) return;
  client.toasts.show({
    text: tellOf(words, gone, words.sessions.deleted, words.sessions.deletedMany),
    action: { label: words.sessions.undo, onSelect: () => void bringBack(client, words, gone) },
  });
}

/** Restores deleted sessions. Resolves with the restored rows. */
export async function bringBack(
  client: Client,
  words: Words,
  rows: readonly SessionRow[],
): Promise<readonly SessionRow[]> {
  const answers = await Promise.all(rows.map((row) => client.call("session.restore", { sessionId: row.id })));
  const back = answers.flatMap((answer) => (answer.ok ? [answer.value.row] : []));
  for (const row of back) patchRow(client.cache, row);
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, words, refused.error);
  return back;
}
