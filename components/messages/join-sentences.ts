/** Joins sentences according to the language: Chinese has no space between them. */
import type { Messages } from "./messages";

export const joinSentences = (messages: Messages, parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(messages.figures.locale === "en" ? " " : "");
