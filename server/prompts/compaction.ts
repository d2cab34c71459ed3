/** Texts for compactions and stopped runs: the sections of compaction.md. */
import { promptSection } from "./prompts";

/** Returns the section with its values; see promptSection. */
export const compactionText = (name: string, values?: Readonly<Record<string, string | number>>): string =>
  promptSection("compaction.md", name, values);
