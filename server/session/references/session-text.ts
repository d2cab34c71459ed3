/** The text of a reference to another session: its title, the summary of its older messages, and its last exchange. */
import { joinTextBlocks } from "@/lib/events/content";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";

/** Returns the title alone for a session without an answer. */
export function formatSessionText(view: Pick<SessionView, "title" | "entries" | "segments" | "newest">): string {
  let answer = "";
  let request = "";
  let summary = "";
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "message" && request === "") {
      const text = joinTextBlocks(entry.blocks.filter((block) => block.type !== "input")).trim();
      if (entry.role === "user" && answer !== "") request = text;
      else if (entry.role === "assistant" && answer === "") answer = text;
    }
    if (summary === "" && (entry.kind === "compaction" || entry.kind === "compaction_update"))
      summary = entry.summary ?? "";
  }
  const parts = [
    [`# ${view.title}`, view.title],
    [`## Summary of older messages\n\n${summary}`, summary],
    [`## Last request\n\n${request}`, request],
    [`## Last answer\n\n${answer}`, answer],
  ] as const;
  return parts.flatMap(([text, content]) => (content === "" ? [] : [text])).join("\n\n");
}
