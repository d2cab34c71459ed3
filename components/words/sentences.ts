/** Joins sentences according to the language: Chinese has no space between them. */
import type { Words } from "./words";

export const sentences = (words: Words, parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(words.figures.locale === "en" ? " " : "");
