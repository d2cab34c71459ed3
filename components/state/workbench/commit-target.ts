/** The run whose changes the overlay "commit_run" commits. */
import type { SessionId } from "@/lib/events/id";
import type { AppClient } from "../client";
import { createStore, type WritableStore } from "../store";
import type { RunRange } from "./workbench-store";

interface CommitTarget extends RunRange {
  readonly sessionId: SessionId;
}

const targets = new WeakMap<AppClient, WritableStore<CommitTarget | null>>();

export function getCommitTarget(client: AppClient): WritableStore<CommitTarget | null> {
  const existing = targets.get(client);
  if (existing !== undefined) return existing;
  const created = createStore<CommitTarget | null>(null);
  targets.set(client, created);
  return created;
}
