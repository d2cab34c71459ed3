/** Finds who spoke last on the active path, to decide whether Continue adds a message. */
import { isOutsideContext } from "@/lib/events/user-command";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";

/**
 * True when the conversation ends in the assistant's text: only then Continue adds a message, otherwise the model has
 * something to answer.
 */
export function endsInText(view: SessionView): boolean {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message" || entry.replaced === true || isOutsideContext(entry)) continue;
    if (entry.role === "user") return false;
    const text = entry.blocks.some((block) => block.type === "text" && block.text.trim() !== "");
    if (text || entry.calls.length > 0) return entry.calls.length === 0;
  }
  return false;
}
