/** The entries a conversation shows: the path, and behind it the user's own message while it is on its way. Pure. */
import { imageBlocks } from "@/lib/content";
import type { SessionView } from "@/lib/view";
import { type Entry, pathOf } from "@/lib/view";
import { asId, type MessageId } from "@/lib/id";
import type { Echo } from "../state/session-store";

/** Steers and follow-ups are drawn as chips by the queue; only prompts are drawn early. */
export function entriesOf(view: SessionView, echoes: readonly Echo[]): readonly Entry[] {
  const path = pathOf(view);
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

/** The user's own messages of what is loaded, oldest first, for the arrow keys of the composer. */
export const ownMessages = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== "message" || entry.role !== "user") return [];
    const text = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
    return text.trim() === "" ? [] : [text];
  });
