"use client";
/** Renaming and deleting a session, wherever it is listed: shown at once, undone when the server refuses. */
import { useMemo } from "react";
import type { AgentError } from "@/lib/error";
import type { SessionRow } from "@/lib/session-row";
import { type Client, useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import { dropRow, patchRow } from "../state/queries";
import { useWords, type Words } from "../words/words";

export interface SessionCommands {
  /** An empty title changes nothing. */
  readonly rename: (row: SessionRow, title: string) => void;
  /** Offers to undo it. */
  readonly remove: (row: SessionRow) => void;
}

const titleMaxChars = 120;

/** For one list. `onRemoved` runs at once, so that the screen can leave the session. */
export function useSessionCommands(onRemoved?: (row: SessionRow) => void): SessionCommands {
  const client = useClient();
  const words = useWords();
  return useMemo(
    () => ({
      rename: (row, title) => rename(client, words, row, title),
      remove: (row) => remove(client, words, row, onRemoved),
    }),
    [client, words, onRemoved],
  );
}

const showError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: words.errors.sentences[error.code], look: "danger" });

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

function remove(client: Client, words: Words, row: SessionRow, onRemoved?: (row: SessionRow) => void): void {
  dropRow(client.cache, row.id);
  onRemoved?.(row);
  void client.call("session.remove", { sessionId: row.id }).then((answer) => {
    if (!answer.ok) {
      patchRow(client.cache, row);
      return showError(client, words, answer.error);
    }
    client.toasts.show({
      text: words.sessions.deleted(row.title === "" ? words.sessions.untitled : row.title),
      action: { label: words.sessions.undo, onSelect: () => restore(client, words, row) },
    });
  });
}

function restore(client: Client, words: Words, row: SessionRow): void {
  void client.call("session.restore", { sessionId: row.id }).then((answer) => {
    if (answer.ok) patchRow(client.cache, answer.value.row);
    else showError(client, words, answer.error);
  });
}
