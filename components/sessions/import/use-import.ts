"use client";
/** Imports sessions from files one after another, with progress and failures. */
import { useCallback, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { limits } from "@/lib/settings/settings";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { newCommandId } from "../../state/new-id";
import { upsertSessionRow } from "../../state/session/cached-session-lists";
import { useFullMessages } from "../../messages/full-messages";
import { sessionTitle } from "../list/session-commands";

export interface ImportFailure {
  readonly key: string;
  readonly name: string;
  readonly error: AgentError;
}

export interface SessionImports {
  /** Name of the file being imported; null = none. */
  readonly busy: string | null;
  readonly failures: readonly ImportFailure[];
  readonly add: (files: readonly File[]) => void;
  readonly clearFailures: () => void;
}

const fileNameMaxChars = 300;

/**
 * Returns the import state and functions. `projectId` = target project; null = no project exists. `onOpen` navigates to
 * a URL of this application.
 */
export function useImport(projectId: ProjectId | null, onOpen: (address: string) => void): SessionImports {
  const client = useClient();
  const messages = useFullMessages();
  const [busy, setBusy] = useState<string | null>(null);
  const [failures, setFailures] = useState<readonly ImportFailure[]>([]);
  const running = useRef(Promise.resolve());
  const importAll = async (files: readonly File[], into: ProjectId): Promise<void> => {
    const rows: SessionRow[] = [];
    let droppedPins = 0;
    for (const file of files) {
      setBusy(file.name);
      const name = file.name.slice(-fileNameMaxChars);
      const text = file.size > limits.importMaxChars * 3 ? null : await file.text();
      const error =
        text === null || text.length > limits.importMaxChars ? tooLargeError : text === "" ? emptyFileError : null;
      if (text === null || error !== null) {
        setFailures((now) => [...now, { key: newCommandId(), name, error: error ?? tooLargeError }]);
        continue;
      }
      const answer = await client.call("session.import", { projectId: into, commandId: newCommandId(), name, text });
      if (answer.ok) {
        rows.push(...answer.value.rows);
        droppedPins += answer.value.droppedPins;
      } else setFailures((now) => [...now, { key: newCommandId(), name, error: answer.error }]);
    }
    setBusy(null);
    for (const row of rows) upsertSessionRow(client.cache, row);
    void invalidateCommands(client.cache, ["history.models"]);
    const [first] = rows;
    if (first === undefined) return;
    const { done, doneMany } = messages.sessionHistory.import;
    const text = rows.length === 1 ? done(sessionTitle(messages, first)) : doneMany(rows.length);
    client.toasts.show({
      text: droppedPins === 0 ? text : messages.pins.notImported(text, droppedPins, limits.pinnedFiles),
      action: { label: messages.sessionHistory.import.open, onSelect: () => onOpen(`/s/${first.id}`) },
    });
  };
  const latest = useRef(importAll);
  latest.current = importAll;
  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return;
      if (projectId === null) {
        client.toasts.show({ text: messages.sessionHistory.import.noProject, look: "danger" });
        return;
      }
      setFailures([]);
      running.current = running.current.then(() => latest.current(files, projectId));
    },
    [client, messages, projectId],
  );
  return { busy, failures, add, clearFailures: useCallback(() => setFailures([]), []) };
}

const tooLargeError: AgentError = { code: "too_large" };
const emptyFileError: AgentError = { code: "bad_import" };
