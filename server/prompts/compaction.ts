/** Texts for compactions and stopped runs: the sections of compaction.md. */
import { promptFile } from "./prompts";

/**
 * Returns the section with its `{{placeholders}}` replaced by `values`. Throws if the section is missing, which a test
 * rules out.
 */
export function compactionText(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const section = promptFile("compaction.md")
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the words for ${name} are missing`);
  const text = section.slice(name.length + 1).trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => String(values[key] ?? ""));
}
