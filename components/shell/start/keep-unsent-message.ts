/**
 * Keeps the first message of a session that the server did not accept. If it was refused, the session is deleted and the
 * message returns to the field of a new session; if it may have arrived, it becomes the draft of the session.
 */
import type { ErrorCode } from "@/lib/events/error";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { readDraft, writeDraft, writeDraftImages } from "../../chat/composer/drafts/drafts";
import { writeDraftReferences } from "../../chat/composer/references/draft-references";
import { appendText } from "../../chat/composer/use-composer-handle";
import type { AppClient } from "../../state/client";
import type { UnsentAttachments } from "../../state/session/open-session-store";
import { navigate } from "../navigation/router";
import { writeDraftPins } from "../session/draft-pins";
import { currentPath } from "../../state/base-path";

interface UnsentMessage extends UnsentAttachments {
  readonly text: string;
}

interface NewSessionState {
  readonly client: AppClient;
  readonly projectId: ProjectId;
  readonly id: SessionId;
  /** Why it was not accepted. */
  readonly code: ErrorCode | undefined;
  /** Choices made for the new session. */
  readonly draft: Parameters<AppClient["workbench"]["changeDraft"]>[0];
  readonly pins: readonly string[];
}

/** After these errors the message may be in the log: the session is never deleted. */
const mayHaveArrived: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  "connection_lost",
  "timeout",
  "internal",
  "aborted",
]);

export async function keepUnsentMessage(state: NewSessionState, message: UnsentMessage): Promise<void> {
  const { client, projectId, id, code, draft, pins } = state;
  if (mayHaveArrived.has(code)) return putBack(client, id, id, message);
  // Text typed since belongs to the message.
  const typed = readDraft(id);
  writeDraft(id, "");
  client.workbench.changeDraft(draft);
  writeDraftPins(projectId, pins);
  putBack(client, null, `new.${projectId}`, { ...message, text: appendText(typed, message.text) });
  if (currentPath() === `/s/${id}`) navigate("/", "replace");
  const removed = await client.call("session.remove", { sessionId: id });
  if (removed.ok) await client.call("session.purge", { sessionId: id });
}

/** Puts the message into the field if it is shown, else into its draft. */
function putBack(client: AppClient, sessionId: SessionId | null, key: string, message: UnsentMessage): void {
  const { text, images = [], references = [] } = message;
  const { conversation } = client.handles;
  const shown = conversation?.sessionId === sessionId ? conversation : undefined;
  if (shown?.insert(text) !== true) writeDraft(key, appendText(readDraft(key), text));
  writeDraftImages(key, images);
  if (shown === undefined) writeDraftReferences(key, references);
  else references.forEach(shown.attach);
}
