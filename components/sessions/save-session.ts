/** Hands a session to the browser as a file to keep. Loaded when it is asked for: by the history page and the menu of the session in sight. */
import type { ExportFormat } from "@/lib/history";
import type { SessionId } from "@/lib/id";
import type { Client } from "../state/client";
import { saveFile } from "../ui/save-file";
import type { Words } from "../words/words";
import { showError } from "./session-commands";

/** Resolves when the browser has the file, or when the user was told why not. `mask`: secrets are masked; offered the other way then. */
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
