/** The text of a reference for the model. Changing it would change requests that were already sent. */
import type { ReferenceBlock } from "@/lib/events/content";
import { countScripts, roundTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { weakMemo } from "@/server/base/weak-memo";

/** An element with the content between its tags; the name of the element does not occur in the content. */
export function renderReference({ kind, label, lines, text, note }: ReferenceBlock): string {
  // One pass: the text may contain thousands of such ends.
  const used = new Set(Array.from(text.matchAll(/<\/attached(_*)>/g), ([, underscores = ""]) => underscores.length));
  let underscores = 0;
  while (used.has(underscores)) underscores += 1;
  const element = `attached${"_".repeat(underscores)}`;
  const range = lines === undefined ? "" : ` lines="${lines.first}-${lines.last}"`;
  const remark = note === undefined ? "" : `[${note}]\n`;
  return `<${element} ${kind}=${JSON.stringify(label)}${range}>\n${text}\n${remark}</${element}>`;
}

const referenceCounts = weakMemo((block: ReferenceBlock) => countScripts(renderReference(block)));

/** Tokens of a reference as the model gets it, by the server's counts: the number that chips and panel show. */
export const countReferenceTokens = (block: ReferenceBlock, scale: TokenScale): number =>
  roundTokens(referenceCounts(block), scale);
