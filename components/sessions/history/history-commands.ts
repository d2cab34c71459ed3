"use client";
/** Session commands of the history page: restore, purge and export, in addition to the shared ones. */
import { useMemo } from "react";
import type { ExportFormat } from "@/lib/protocol/history";
import type { SessionRow } from "@/lib/protocol/session-row";
import { type AppClient, useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { removeSessionRow } from "../../state/session/cached-session-lists";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { saveSession } from "../list/save-session";
import {
  restoreSessions,
  type SessionListCommands,
  showError,
  countedMessage,
  useSessionCommands,
} from "../list/session-commands";

export interface HistoryCommands extends SessionListCommands {
  readonly restore: (rows: readonly SessionRow[]) => void;
  /** Deletes irreversibly; null = all deleted sessions. Resolves when done. */
  readonly purge: (rows: readonly SessionRow[] | null) => Promise<void>;
  /** Resolves when the browser has the file, or after a failure was shown. */
  readonly save: (row: SessionRow, format: ExportFormat) => Promise<void>;
}

/** `onRemoved` as in session-commands.ts. */
export function useHistoryCommands(onRemoved: (row: SessionRow) => void): HistoryCommands {
  const client = useClient();
  const messages = useFullMessages();
  const common = useSessionCommands(onRemoved);
  return useMemo(
    () => ({
      ...common,
      restore: (rows) => void restore(client, messages, rows),
      purge: (rows) => purge(client, messages, rows),
      save: (row, format) => saveSession(client, messages, row.id, format),
    }),
    [client, messages, common],
  );
}

async function restore(client: AppClient, messages: FullMessages, rows: readonly SessionRow[]): Promise<void> {
  const back = await restoreSessions(client, messages, rows);
  if (back.length === 0) return;
  client.toasts.show({
    text: countedMessage(messages, back, messages.sessions.bin.restored, messages.sessionHistory.restoredMany),
  });
}

async function purge(client: AppClient, messages: FullMessages, rows: readonly SessionRow[] | null): Promise<void> {
  const answers =
    rows === null
      ? [await client.call("session.purge", {})]
      : await Promise.all(rows.map((row) => client.call("session.purge", { sessionId: row.id })));
  for (const [index, row] of (rows ?? []).entries())
    if (answers[index]?.ok === true) removeSessionRow(client.cache, row.id);
  void invalidateCommands(client.cache, ["session.list"]);
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, messages, refused.error);
  const count = answers.reduce((sum, answer) => sum + (answer.ok ? answer.value.sessions : 0), 0);
  if (count > 0) client.toasts.show({ text: messages.sessionHistory.purged(count) });
}
