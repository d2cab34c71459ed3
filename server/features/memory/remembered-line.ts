/** Lines that the program adds to the memory: one line each, without characters and tags that mean something else. Pure. */
import { escapeElements, toOneLine } from "@/server/tools/toolbox/foreign-text";

/** Characters of a remembered text. */
export const rememberedMaxChars = 300;

/** Returns a text as it is stored: on one line, without a bullet or date of its own. */
export const toRememberedText = (text: string): string =>
  escapeElements(toOneLine(text))
    .replace(/^(?:[-*+#>]\s+)+/, "")
    .replace(/^\d{4}-\d{2}-\d{2}\s+/, "")
    .trim();

/** Formats the line of a text in a memory file. */
export const formatRemembered = (day: string, text: string): string => `- ${day} ${text}`;
