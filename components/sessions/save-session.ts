/** Exports a session as a download. */
import type { ExportFormat } from "@/lib/history";
import type { SessionId } from "@/lib/id";
import type { Client } from "../state/client";
import { saveFile } from "../ui/save-file";
import type { Words } from "../words/words";
import { showError } from "./session-commands";

/**
 * Resolves when the browser has the file, or after a failure was shown. `mask`: secrets are masked, and the toast
 * offers the unmasked export.
 */
export async function saveSession(
  client: Client,
  words: Words,
  sessionId: SessionId,
  format: ExportFormat,
  mask = format !== "jsonl",
): Promise<void> {
  const answer = await client.call("session.export", { sessionId, format, mask });
  if (!answer.ok) return showError(client, words, answer.error);
  const { name, mime, text } = answer.value;
  saveFile(text, name, mime);
  if (!mask) return client.toasts.show({ text: words.sessions.exported(name) });
  client.toasts.show({
    text: words.sessions.exportedMasked(name),
    action: {
      label: words.sessions.exportUnmasked,
      onSelect: () => void saveSession(client, words, sessionId, format, false),
    },
  });
}
