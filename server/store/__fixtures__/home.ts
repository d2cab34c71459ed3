/** Temporary homes, stores and rows for store tests. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type MessageId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { EventRow, NewSession } from "../sessions/events";
import { openStore, type Store, type StoreOptions } from "../open-store";

/** Creates a folder that is removed after the test. */
export const temporaryHome = (): string => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-store-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
};

/** Opens a store that is closed after the test. Throws an Error with the code if it cannot be opened. */
export const openTestStore = (options: Partial<StoreOptions> = {}): Store => {
  const result = openStore({ home: temporaryHome(), now: () => 1_000, ...options });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  onTestFinished(() => result.value.close());
  return result.value;
};

export const newSessionRow = (id: string, projectId: ProjectId, changed: Partial<NewSession> = {}): NewSession => ({
  id: asId<SessionId>(id),
  projectId,
  cwd: "/folder",
  title: "First words",
  status: "idle",
  mode: "ask",
  model: "",
  createdAt: 10,
  updatedAt: 10,
  added: 0,
  removed: 0,
  ...changed,
});

/** A message_end row whose text contains its seq. */
export const messageRow = (seq: number, text = `message ${seq}`): EventRow => {
  const messageId = asId<MessageId>(`m${seq}`);
  const event: DurableEvent = { type: "message_end", messageId, blocks: [{ type: "text", text }], stop: "done" };
  return { seq, at: 1_000 + seq, event };
};

/** Opens a store with one project and one session without events. */
export const storeWithSession = (options: Partial<StoreOptions> = {}) => {
  const store = openTestStore(options);
  const project = store.projects.open({ path: "/folder", name: "folder" }, 5);
  const sessionId = asId<SessionId>("s1");
  store.events.create({ session: newSessionRow("s1", project.id), rows: [] });
  return { store, project, sessionId };
};
