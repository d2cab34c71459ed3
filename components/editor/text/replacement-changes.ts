/** Computes small changes that turn a text into another, so that carets and folds outside of them stay. Pure. */
import { type ChangeSpec, Text } from "@codemirror/state";
import { type DiffRegion, diffTexts, type StepBudget } from "@/lib/text/myers";
import { findLineChange } from "../documents/reconcile";
import { findChangeRegions, maxComparedLines, revertRegion } from "../git-marks/change-regions";

/** A text that differs in more places becomes one change. */
const maxRegions = 500;
/** Longer regions are replaced as a whole. */
const maxRegionChars = 4_000;
/** Characters of all regions that are compared by characters, and the step budget of that, about 20 ms. */
const maxComparedChars = 20_000;
const maxCharacterSteps = 1_000_000;

interface CharacterBudget extends StepBudget {
  chars: number;
}

/** Returns the changes that make `doc` equal to the lines; a very long text becomes one change. */
export function toReplacementChanges(doc: Text, lines: readonly string[]): readonly ChangeSpec[] {
  if (Math.max(doc.lines, lines.length) > maxComparedLines) return replaceOnce(doc, lines);
  const regions = findChangeRegions(lines, doc);
  if (regions.length > maxRegions) return replaceOnce(doc, lines);
  const budget = { steps: maxCharacterSteps, chars: maxComparedChars };
  return regions.flatMap((region) => replaceRegion(doc, region, lines, budget));
}

function replaceOnce(doc: Text, lines: readonly string[]): readonly ChangeSpec[] {
  const change = findLineChange([...doc.iterLines()], lines);
  if (change === null) return [];
  return [{ from: doc.line(change.from + 1).from, to: doc.line(change.to).to, insert: Text.of([...change.insert]) }];
}

/** Replaces the characters of a region that differ. */
function replaceRegion(
  doc: Text,
  region: DiffRegion,
  lines: readonly string[],
  budget: CharacterBudget,
): readonly ChangeSpec[] {
  const { oldStart, oldEnd, newStart, newEnd } = region;
  if (newStart === newEnd || oldStart === oldEnd) return [revertRegion(doc, region, lines)];
  const { from } = doc.line(newStart + 1);
  const before = doc.sliceString(from, doc.line(newEnd).to, "\n");
  const after = lines.slice(oldStart, oldEnd).join("\n");
  budget.chars -= before.length + after.length;
  if (budget.chars < 0 || Math.max(before.length, after.length) > maxRegionChars)
    return [revertRegion(doc, region, lines)];
  return diffTexts(before.split(""), after.split(""), budget).map((part) => ({
    from: from + part.oldStart,
    to: from + part.oldEnd,
    insert: Text.of(after.slice(part.newStart, part.newEnd).split("\n")),
  }));
}
