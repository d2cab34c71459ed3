/** The commit or the history of a file that a menu asks for, shown as a dialog beside the pane of the menu. */
import type { AppClient } from "./client";
import { createStore, type WritableStore } from "./store";

export interface HistoryRequest {
  /** The pane whose host shows it. */
  readonly pane: "files" | "editor";
  readonly shown: { readonly file: string } | { readonly commit: string };
}

const requests = new WeakMap<AppClient, WritableStore<HistoryRequest | null>>();

export function getHistoryRequest(client: AppClient): WritableStore<HistoryRequest | null> {
  const existing = requests.get(client);
  if (existing !== undefined) return existing;
  const created = createStore<HistoryRequest | null>(null);
  requests.set(client, created);
  return created;
}
