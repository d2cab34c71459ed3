/**
 * Returns the content of a text that is one code fence as a whole, without the name of its language; else the text
 * without blanks around it. Takes linear time: models write such texts.
 */
export function unwrapFence(text: string): string {
  const fence = "```";
  const trimmed = text.trim();
  if (trimmed.length < 2 * fence.length || !trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return trimmed;
  return trimmed.slice(fence.length, -fence.length).replace(/^\w+/, "").trim();
}
