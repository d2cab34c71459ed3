/** Slash commands of extensions in the text of the message field. Pure. */
import type { OfferedCommand } from "@/lib/tools/extensions";

const maxRows = 8;

/**
 * Returns the commands whose names a text begins to spell; none once the name is complete, except with `hasOwn`: Enter
 * then picks a row of the menu, also for the complete name.
 */
export function completeCommand(
  text: string,
  commands: readonly OfferedCommand[],
  hasOwn = false,
): readonly OfferedCommand[] {
  const typed = /^\/([a-z0-9_:-]*)$/.exec(text)?.[1];
  if (typed === undefined || (!hasOwn && commands.some(({ name }) => name === typed))) return [];
  return commands.filter(({ name }) => name.startsWith(typed)).slice(0, maxRows);
}

/** Returns the command that a text is, with what follows its name; null = it is none. */
export function parseCommand(
  text: string,
  commands: readonly OfferedCommand[],
): { readonly name: string; readonly input: string } | null {
  const [, name, input = ""] = /^\/([a-z0-9_:-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  return name !== undefined && commands.some((one) => one.name === name) ? { name, input: input.trim() } : null;
}
