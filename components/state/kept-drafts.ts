"use client";
/** Unsaved input of editors: it stays while another page or layout is shown, until this page is loaded again. */
import { useState } from "react";
import { type AppClient, useClient } from "./client";

interface KeptDraft<T> {
  /** The draft that was left when the editor was last shown; null = none. */
  readonly initial: T | null;
  /** Null = there is nothing unsaved. */
  keep(draft: T | null): void;
}

/** Returns a hook for the drafts of one kind of editor, by the name of the edited text. */
export function createKeptDrafts<T>(): (name: string) => KeptDraft<T> {
  const draftsOfClients = new WeakMap<AppClient, Map<string, T>>();
  return function useKeptDraft(name) {
    const client = useClient();
    const [initial] = useState(() => draftsOfClients.get(client)?.get(name) ?? null);
    return {
      initial,
      keep(draft) {
        const drafts = draftsOfClients.get(client) ?? new Map<string, T>();
        draftsOfClients.set(client, drafts);
        if (draft === null) drafts.delete(name);
        else drafts.set(name, draft);
      },
    };
  };
}
