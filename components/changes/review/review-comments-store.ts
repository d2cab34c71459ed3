/** The comments on the changes of a session that are not sent yet, stored in the browser until they are. */
import { isRecord } from "@/lib/events/content";
import type { SessionId } from "@/lib/events/id";
import type { ReviewComment } from "@/lib/review/review-comments";
import { type AppClient, useClient } from "../../state/client";
import { createStore, useStore, type WritableStore } from "../../state/store";

const storageKeyPrefix = "gopi-web.review-comments.";
const stores = new WeakMap<AppClient, Map<SessionId, WritableStore<readonly ReviewComment[]>>>();

export interface ReviewComments {
  readonly list: readonly ReviewComment[];
  readonly add: (comment: ReviewComment) => void;
  readonly remove: (...ids: readonly string[]) => void;
}

export function useReviewComments(sessionId: SessionId): ReviewComments {
  const client = useClient();
  const store = getStore(client, sessionId);
  const list = useStore(store, (now) => now);
  const set = (comments: readonly ReviewComment[]): void => {
    store.set(comments);
    writeComments(sessionId, comments);
  };
  return {
    list,
    add: (comment) => set([...store.get(), comment]),
    remove: (...ids) => set(store.get().filter(({ id }) => !ids.includes(id))),
  };
}

function getStore(client: AppClient, sessionId: SessionId): WritableStore<readonly ReviewComment[]> {
  const ofClient = stores.get(client) ?? new Map<SessionId, WritableStore<readonly ReviewComment[]>>();
  stores.set(client, ofClient);
  const store = ofClient.get(sessionId) ?? createStore<readonly ReviewComment[]>(readComments(sessionId));
  ofClient.set(sessionId, store);
  return store;
}

function readComments(sessionId: SessionId): readonly ReviewComment[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeyPrefix + sessionId) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is ReviewComment {
  if (!isRecord(value)) return false;
  const { id, path, line, quote, text } = value;
  const hasTexts = [id, path, text].every((one) => typeof one === "string");
  return hasTexts && typeof line === "number" && Array.isArray(quote) && quote.every((one) => typeof one === "string");
}

function writeComments(sessionId: SessionId, comments: readonly ReviewComment[]): void {
  try {
    if (comments.length === 0) localStorage.removeItem(storageKeyPrefix + sessionId);
    else localStorage.setItem(storageKeyPrefix + sessionId, JSON.stringify(comments));
  } catch {
    // Without storage the comments last as long as the page.
  }
}
