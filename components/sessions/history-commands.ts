"use client";
/** Session commands of the history page: restore, purge and export, in addition to the shared ones. */
import { useMemo } from "react";
import type { ExportFormat } from "@/lib/history";
import type { SessionRow } from "@/lib/session-row";
import { type Client, useClient } from "../state/client";
import { dropRow } from "../state/queries";
import { useWords, type Words } from "../words/words";
import { saveSession } from "./save-session";
import { bringBack, type SessionCommands, showError, tellOf, useSessionCommands } from "./session-commands";

export interface HistoryCommands extends SessionCommands {
  readonly restore: (rows: readonly SessionRow[]) => void;
  /** Deletes irreversibly; null = all deleted sessions. Resolves when done. */
  readonly purge: (rows: readonly SessionRow[] | null) => Promise<void>;
  /** Resolves when the browser has the file, or after a failure was shown. */
  readonly save: (row: SessionRow, format: ExportFormat) => Promise<void>;
}

/** `onRemoved` as in session-commands.ts. */
export function useHistoryCommands(onRemoved: (row: SessionRow) => void): HistoryCommands {
  const client = useClient();
  const words = useWords();
  const common = useSessionCommands(onRemoved);
  return useMemo(
    () => ({
      ...common,
      restore: (rows) => void restore(client, words, rows),
      purge: (rows) => purge(client, words, rows),
      save: (row, format) => saveSession(client, words, row.id, format),
    }),
    [client, words, common],
  );
}

async function restore(client: Client, words: Words, rows: readonly SessionRow[]): Promise<void> {
  const back = await bringBack(client, words, rows);
  if (back.length === 0) return;
  client.toasts.show({ text: tellOf(words, back, words.sessions.bin.restored, words.sessions.bin.restoredMany) });
}

async function purge(client: Client, words: Words, rows: readonly SessionRow[] | null): Promise<void> {
  const answers =
    rows === null
      ? [await client.call("session.purge", {})]
      : await Promise.all(rows.map((row) => client.call("session.purge", { sessionId: row.id })));
  for (const [index, row] of (rows ?? []).entries()) if (answers[index]?.ok === true) dropRow(client.cache, row.id);
  void client.cache.invalidateQueries({ queryKey: ["sessions"] });
  const refused = answers.find((answer) => !answer.ok);
  if (refused !== undefined && !refused.ok) showError(client, words, refused.error);
  const count = answers.reduce((sum, answer) => sum + (answer.ok ? answer.value.sessions : 0), 0);
  if (count > 0) client.toasts.show({ text: words.sessions.bin.purged(count) });
}
