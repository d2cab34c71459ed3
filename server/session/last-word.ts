/** Who spoke last on the path: whether Continue has to say something. Used by session alone. */
import { pathBack, type SessionView } from "@/lib/view";

/** Continue adds a word only when the conversation ends in the assistant's text: otherwise the model has something to answer. */
export function endsInText(view: SessionView): boolean {
  for (const entry of pathBack(view)) {
    if (entry.kind !== "message" || entry.replaced === true) continue;
    if (entry.role === "user") return false;
    const text = entry.blocks.some((block) => block.type === "text" && block.text.trim() !== "");
    if (text || entry.calls.length > 0) return entry.calls.length === 0;
  }
  return false;
}
