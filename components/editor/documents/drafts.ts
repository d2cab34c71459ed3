/**
 * Drafts of unsaved files in the storage of the tab, so that a reload does not lose them, and in that of the browser, for
 * a tab that ended without being asked: a crash, or a phone that discards it.
 */
import type { Hash, ProjectId } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import { type TextEncoding, textEncodings } from "@/lib/workspace/project-files";

export interface Draft {
  /** Hash of the version on which the draft is based; null = the file was deleted. */
  readonly hash: Hash | null;
  readonly text: string;
  /** The encoding in which the user opened or saved the file; null = the detected one. */
  readonly encoding: TextEncoding | null;
}

type DraftStorage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

interface DraftStorages {
  readonly tab: DraftStorage;
  /** Shared by the tabs; the last tab that writes a draft of a file replaces that of another. */
  readonly browser: DraftStorage;
}

/** A part of the browser's lock manager: a tab holds its lock for as long as it lives. */
export type TabLocks = Pick<LockManager, "request" | "query">;

export interface Drafts {
  /** Whether this tab, or one that may have ended, has a draft. */
  readonly has: (path: string) => boolean;
  /** Returns the draft of this tab, else that of a tab that has ended. */
  readonly read: (path: string) => Promise<Draft | null>;
  /** Fails silently if storage is full. */
  readonly write: (path: string, draft: Draft) => void;
  readonly drop: (path: string) => void;
}

const lockPrefix = "gopi-web.tab.";
const keyPrefix = "gopi-web.file-draft.";
/** Time until a draft in the browser's storage that no tab has opened is removed, ms. */
const keptMs = 30 * 86_400_000;

/**
 * `now`: ms epoch; `tabId`: unique to this load of the page; `locks`: undefined where the browser has none, as over plain
 * HTTP: the draft of a tab that is still open cannot be distinguished there.
 */
export function createDrafts(
  { tab, browser }: DraftStorages,
  projectId: ProjectId,
  now: () => number,
  tabId: string,
  locks: TabLocks | undefined,
): Drafts {
  const keyOf = (path: string): string => `${keyPrefix}${projectId}.${path}`;
  /** Paths whose draft in the browser's storage is of this tab: another tab may have unsaved text of the same file. */
  const owned = new Set<string>();
  attempt(() => removeOldDrafts(browser, now() - keptMs), undefined);
  void locks?.request(lockPrefix + tabId, () => new Promise(() => {})).catch(() => {});
  const isOfLivingTab = async (owner: string | null): Promise<boolean> => {
    const { held = [] } = (await locks?.query()) ?? {};
    return owner !== null && held.some(({ name }) => name === lockPrefix + owner);
  };
  return {
    has: (path) => [tab, browser].some((storage) => attempt(() => storage.getItem(keyOf(path)), null) !== null),
    async read(path) {
      const readFrom = (storage: DraftStorage) => attempt(() => parseDraft(storage.getItem(keyOf(path))), null);
      const own = readFrom(tab);
      const other = own === null ? readFrom(browser) : null;
      const stored = other === null || (await isOfLivingTab(other.tabId)) ? own : other;
      if (stored !== null) owned.add(path);
      return stored?.draft ?? null;
    },
    write(path, draft) {
      owned.add(path);
      const text = JSON.stringify({ ...draft, writtenAt: now(), tabId });
      for (const storage of [tab, browser]) attempt(() => storage.setItem(keyOf(path), text), undefined);
    },
    drop(path) {
      attempt(() => tab.removeItem(keyOf(path)), undefined);
      if (owned.delete(path)) attempt(() => browser.removeItem(keyOf(path)), undefined);
    },
  };
}

function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

function removeOldDrafts(storage: DraftStorage, before: number): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) {
    if (key?.startsWith(keyPrefix) !== true) continue;
    const stored = attempt<unknown>(() => JSON.parse(storage.getItem(key) ?? ""), null);
    if (typeof stored !== "object" || stored === null || !("writtenAt" in stored)) continue;
    if (Number(stored.writtenAt) < before) storage.removeItem(key);
  }
}

function parseDraft(text: string | null): { readonly draft: Draft; readonly tabId: string | null } | null {
  const stored: unknown = text === null ? null : JSON.parse(text);
  if (typeof stored !== "object" || stored === null || !("text" in stored) || typeof stored.text !== "string")
    return null;
  const hash = "hash" in stored && typeof stored.hash === "string" ? asId<Hash>(stored.hash) : null;
  const encoding = textEncodings.find((one) => "encoding" in stored && stored.encoding === one) ?? null;
  const tabId = "tabId" in stored && typeof stored.tabId === "string" ? stored.tabId : null;
  return { draft: { hash, text: stored.text, encoding }, tabId };
}
