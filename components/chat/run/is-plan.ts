/** Detects whether the last answer of a run is a plan that can be carried out. */
import { joinTextBlocks } from "@/lib/events/content";
import type { Entry } from "@/lib/view/view";
import { splitFencedParts } from "../message/split-fenced-parts";

/** Minimum length at which prose without a list counts as a plan, UTF-16 units. */
const minProseChars = 400;

/** A heading or a list item, numbered in Western or Chinese style. */
const planLine = /^\s*(?:#{1,6}\s+\S|[-*+•]\s+\S|\d{1,3}(?:[.)]\s+\S|[、.)][^\s\d])|[一二三四五六七八九十]+、\S)/;

/** Whether a text is a plan. Lists and headings inside code blocks do not count. */
export function isPlan(text: string): boolean {
  if (text.trim().length >= minProseChars) return true;
  return splitFencedParts(text).some(
    (part) => part.kind === "text" && part.text.split("\n").some((line) => planLine.test(line)),
  );
}

/** Whether the last answer before `end`, the index of the run's end, is a plan. Skips steps without text. */
export function hasPlan(entries: readonly Entry[], end: number): boolean {
  for (let index = end - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === "run_start") return false;
    if (entry?.kind !== "message" || entry.role !== "assistant") continue;
    const text = joinTextBlocks(entry.blocks.filter((block) => block.type !== "input"));
    if (text.trim() !== "") return isPlan(text);
  }
  return false;
}
