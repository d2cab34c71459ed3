/** Default title of a session. */
import type { DurableEvent } from "@/lib/events/event";
import { limits } from "@/lib/settings/settings";
import { plainMarkdownLine } from "@/lib/text/plain-markdown";
import type { SessionView } from "@/lib/view/view";

/** First line of the first prompt without its Markdown marks, at most `titleMaxChars` characters. */
export function promptTitle(text: string): string {
  const first = text.trim().split("\n", 1)[0] ?? "";
  const line = plainMarkdownLine(first) || first.trim();
  const signs = [...line];
  return signs.length <= limits.titleMaxChars ? line : `${signs.slice(0, limits.titleMaxChars - 1).join("")}…`;
}

/** Returns the event that names a session after its first prompt; none for one with a title. */
export const titleEvents = ({ title }: Pick<SessionView, "title">, text: string): readonly DurableEvent[] =>
  title === "" ? [{ type: "session_update", title: promptTitle(text) }] : [];
