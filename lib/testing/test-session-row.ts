/** A row of the session list for tests. */
import { asId, type ProjectId, type SessionId } from "../events/id";
import type { SessionRow } from "../protocol/session-row";

/** Returns an idle session with the given fields. */
export const makeSessionRow = (fields: Partial<SessionRow> = {}): SessionRow => ({
  id: asId<SessionId>("s1"),
  projectId: asId<ProjectId>("p1"),
  cwd: "/project",
  title: "Repair the parser",
  status: "idle",
  mode: "ask",
  model: "qwen3:8b",
  createdAt: 0,
  updatedAt: 0,
  lastSeq: 1,
  added: 0,
  removed: 0,
  ...fields,
});
