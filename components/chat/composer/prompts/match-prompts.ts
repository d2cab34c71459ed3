/** The prompts of servers that a command in the message field begins. Pure. */
import type { McpPromptOffer } from "@/lib/tools/mcp";

const maxRows = 8;

/** As it is typed, as in `/github:review`. */
export const promptCommand = ({ server, name }: McpPromptOffer): string => `/${server}:${name}`;

/** `text` is the whole message: a slash, or one with letters and without a space. */
export function matchPrompts(text: string, prompts: readonly McpPromptOffer[]): readonly McpPromptOffer[] {
  if (!text.startsWith("/") || /\s/.test(text)) return [];
  const typed = text.toLowerCase();
  return prompts.filter((prompt) => promptCommand(prompt).toLowerCase().startsWith(typed)).slice(0, maxRows);
}
