/** Compares the definition of a tool with the one that was approved, in lines. Pure. */
import type { Json } from "@/lib/events/content";
import { diffLines, type Hunk } from "@/lib/text/diff";
import { sortMembers } from "@/lib/tools/sorted-json";
import type { ToolDefinition } from "@/lib/tools/tool-definitions";

/** The parameters with sorted keys: another order of keys is no change. */
export const formatParameters = (parameters: Json): string => JSON.stringify(sortMembers(parameters), null, 2);

interface DefinitionDiff {
  /** Both are empty if that part is the same. */
  readonly description: readonly Hunk[];
  readonly parameters: readonly Hunk[];
}

export const diffDefinitions = (approved: ToolDefinition, current: ToolDefinition): DefinitionDiff => ({
  description: diffDescriptions(approved.description, current.description),
  parameters: diffTexts(formatParameters(approved.parameters), formatParameters(current.parameters)),
});

const diffTexts = (before: string, after: string): readonly Hunk[] => diffLines(before, after).hunks ?? [];

/** Descriptions are often one long line: a line for each sentence shows what has changed without scrolling. */
function diffDescriptions(before: string, after: string): readonly Hunk[] {
  const hunks = diffTexts(breakSentences(before), breakSentences(after));
  // Only blanks or line breaks between sentences have changed.
  return hunks.length === 0 ? diffTexts(before, after) : hunks;
}

/** Every line ends with a line break, so that a sentence at the end is the same line as one before others. */
const breakSentences = (text: string): string =>
  `${text.replace(/([.!?]) +(?=\S)|([。！？])(?=[^\n])/g, "$1$2\n").trimEnd()}\n`;
