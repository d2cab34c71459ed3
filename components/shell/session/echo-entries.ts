/** Entries a conversation shows: the active path, followed by the user's own message while it is being sent. Pure. */
import { imageBlocks } from "@/lib/events/content";
import type { SessionView } from "@/lib/view/view";
import { type Entry, pathEntries } from "@/lib/view/view";
import { asId, type MessageId } from "@/lib/events/id";
import type { Echo } from "../../state/session/open-session-store";

/** Appends pending prompts to the path. Pending steers and follow-ups appear as chips of the queue instead. */
export function entriesWithEchoes(view: SessionView, echoes: readonly Echo[]): readonly Entry[] {
  const path = pathEntries(view);
  const early = echoes.filter((echo) => echo.intent === "prompt");
  return early.length === 0 ? path : [...path, ...early.map((echo, index) => echoEntry(echo, view.seq + 1 + index))];
}

const echoEntry = (echo: Echo, seq: number): Entry => ({
  kind: "message",
  seq,
  messageId: asId<MessageId>(echo.commandId),
  role: "user",
  commandId: echo.commandId,
  at: echo.at,
  blocks: [{ type: "text", text: echo.text }, ...imageBlocks(echo.images)],
  stop: "done",
  calls: [],
});

/** Returns the user's own loaded messages, oldest first, for the composer's arrow-key history. */
export const ownMessages = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== "message" || entry.role !== "user") return [];
    const text = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
    return text.trim() === "" ? [] : [text];
  });
