/** Exports a session as a download. */
import type { ExportFormat } from "@/lib/protocol/history";
import type { SessionId } from "@/lib/events/id";
import type { AppClient } from "../../state/client";
import { saveFile } from "../../ui/browser/save-file";
import type { Messages } from "../../messages/messages";
import { showError } from "./session-commands";

/**
 * Resolves when the browser has the file, or after a failure was shown. `mask`: secrets are masked, and the toast
 * offers the unmasked export.
 */
export async function saveSession(
  client: AppClient,
  messages: Messages,
  sessionId: SessionId,
  format: ExportFormat,
  mask = format !== "jsonl",
): Promise<void> {
  const answer = await client.call("session.export", { sessionId, format, mask });
  if (!answer.ok) return showError(client, messages, answer.error);
  const { name, mime, text } = answer.value;
  saveFile(text, name, mime);
  if (!mask) return client.toasts.show({ text: messages.sessions.exported(name) });
  client.toasts.show({
    text: messages.sessions.exportedMasked(name),
    action: {
      label: messages.sessions.exportUnmasked,
      onSelect: () => void saveSession(client, messages, sessionId, format, false),
    },
  });
}
