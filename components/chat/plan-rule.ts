/** Whether the last answer of a run is a plan that can be carried out, or only an answer. Used by items.ts. */
import { textOf } from "@/lib/content";
import type { Entry } from "@/lib/view";
import { fencedParts } from "./fenced-parts";

/** Prose of this length is taken for a plan without a list. UTF-16 units. */
const minProseChars = 400;

/** A heading, or an item of a list, numbered in Western or Chinese style. */
const planLine = /^\s*(?:#{1,6}\s+\S|[-*+•]\s+\S|\d{1,3}(?:[.)]\s+\S|[、.)][^\s\d])|[一二三四五六七八九十]+、\S)/;

/** A list or a heading inside of a code block is code. */
export function isPlan(text: string): boolean {
  if (text.trim().length >= minProseChars) return true;
  return fencedParts(text).some(
    (part) => part.kind === "text" && part.text.split("\n").some((line) => planLine.test(line)),
  );
}

/** `end` = index of the run's end. Steps without text are passed over. */
export function hasPlan(entries: readonly Entry[], end: number): boolean {
  for (let index = end - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === "run_start") return false;
    if (entry?.kind !== "message" || entry.role !== "assistant") continue;
    const text = textOf(entry.blocks.filter((block) => block.type !== "input"));
    if (text.trim() !== "") return isPlan(text);
  }
  return false;
}
