/** Default title of a session. */
import { limits } from "@/lib/settings/settings";
import { plainMarkdownLine } from "@/lib/text/plain-markdown";

/** First line of the first prompt without its Markdown marks, at most `titleMaxChars` characters. */
export function promptTitle(text: string): string {
  const first = text.trim().split("\n", 1)[0] ?? "";
  const line = plainMarkdownLine(first) || first.trim();
  const signs = [...line];
  return signs.length <= limits.titleMaxChars ? line : `${signs.slice(0, limits.titleMaxChars - 1).join("")}…`;
}
