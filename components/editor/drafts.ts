/** Drafts of unsaved files in sessionStorage, so that a reload does not lose them. */
import type { Hash, ProjectId } from "@/lib/events/id";
import { asId } from "@/lib/events/id";

export interface Draft {
  /** Hash of the version on which the draft is based; null = the file was deleted. */
  readonly hash: Hash | null;
  readonly text: string;
}

type DraftStorage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

export interface Drafts {
  readonly read: (path: string) => Draft | null;
  /** Fails silently if storage is full. */
  readonly write: (path: string, draft: Draft) => void;
  readonly drop: (path: string) => void;
}

export function createDrafts(storage: DraftStorage, projectId: ProjectId): Drafts {
  const keyOf = (path: string): string => `gopi-web.draft.${projectId}.${path}`;
  const attempt = <T>(run: () => T, otherwise: T): T => {
    try {
      return run();
    } catch {
      return otherwise;
    }
  };
  return {
    read: (path) => attempt(() => parseDraft(storage.getItem(keyOf(path))), null),
    write: (path, draft) => attempt(() => storage.setItem(keyOf(path), JSON.stringify(draft)), undefined),
    drop: (path) => attempt(() => storage.removeItem(keyOf(path)), undefined),
  };
}

function parseDraft(text: string | null): Draft | null {
  const stored: unknown = text === null ? null : JSON.parse(text);
  if (typeof stored !== "object" || stored === null || !("text" in stored) || typeof stored.text !== "string")
    return null;
  const hash = "hash" in stored && typeof stored.hash === "string" ? asId<Hash>(stored.hash) : null;
  return { hash, text: stored.text };
}
