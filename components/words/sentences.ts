/** Sentences one after the other, as each language sets them: Chinese leaves no space between them. */
import type { Words } from "./words";

export const sentences = (words: Words, parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(words.figures.locale === "en" ? " " : "");
