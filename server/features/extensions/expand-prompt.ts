/** Puts the arguments of a slash command into its text. Pure. */

/** The words of a text; quotes join several. */
function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g))
    words.push(double ?? single ?? plain ?? "");
  return words;
}

const placeholder = /\$(ARGUMENTS|[1-9])/g;

/**
 * Replaces `$ARGUMENTS` and `$1` to `$9`, once: what the arguments contain is not replaced again. A text without any has
 * the arguments behind it.
 */
export function expandPrompt(prompt: string, text: string): string {
  const input = text.trim();
  const words = splitArguments(input);
  if (input !== "" && prompt.search(placeholder) === -1) return `${prompt.trimEnd()}\n\n${input}`;
  return prompt.replace(placeholder, (_all, name: string) =>
    name === "ARGUMENTS" ? input : (words[Number(name) - 1] ?? ""),
  );
}
