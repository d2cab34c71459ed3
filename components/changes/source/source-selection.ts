/** The file that is chosen in the source control pane, for the view of its diff. */
import type { SourceGroup } from "@/lib/workspace/source-control";
import type { AppClient } from "../../state/client";
import { createStore, type WritableStore } from "../../state/store";

export interface SourceSelection {
  readonly group: SourceGroup;
  readonly path: string;
}

const selections = new WeakMap<AppClient, WritableStore<SourceSelection | null>>();

export function getSourceSelection(client: AppClient): WritableStore<SourceSelection | null> {
  const existing = selections.get(client);
  if (existing !== undefined) return existing;
  const created = createStore<SourceSelection | null>(null);
  selections.set(client, created);
  return created;
}
