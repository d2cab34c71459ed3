/** The words of a compaction and of a stopped run, from compaction.md: sections by name, with their values put in. Used by agent. */
import { promptFile } from "./prompts";

/** Throws when there is no such section, which a test rules out. */
export function compactionText(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const section = promptFile("compaction.md")
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the words for ${name} are missing`);
  const text = section.slice(name.length + 1).trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => String(values[key] ?? ""));
}
