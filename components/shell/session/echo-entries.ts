/** Entries a conversation shows: the active path, followed by the user's own message while it is being sent. Pure. */
import { type ReferenceBlock, userBlocks } from "@/lib/events/content";
import { findUserCommand, formatUserCommand } from "@/lib/events/user-command";
import type { NewReference } from "@/lib/protocol/reference-commands";
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
  blocks: userBlocks(echo.text, { ...echo, references: echo.references?.map(unreadBlock) }),
  stop: "done",
  calls: [],
});

/** The block of a reference whose content the server has not read yet. */
const unreadBlock = (reference: NewReference): ReferenceBlock =>
  "path" in reference
    ? { type: "reference", text: "", label: reference.path || ".", ...reference }
    : { type: "reference", text: "", ...reference, kind: "text" };

/** Returns the user's own loaded messages, oldest first, for the composer's arrow-key history. */
export const ownMessages = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== "message" || entry.role !== "user") return [];
    const command = findUserCommand(entry);
    if (command !== null) return [formatUserCommand(command)];
    const text = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
    return text.trim() === "" ? [] : [text];
  });
