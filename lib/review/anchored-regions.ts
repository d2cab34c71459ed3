/**
 * Compares lists of lines so that a line with a letter or digit that occurs once in each is never reported as changed, unless such
 * lines changed their order (Bram Cohen's "patience" comparison): what a person or a program wrote stays in one piece.
 */
import type { Steps } from "../async/steps";
import { type DiffRegion, diffFileLinesSteps, type StepBudget } from "../text/myers";

/** Lines after which the computation yields. */
const linesPerSlice = 4_096;

/** A line of the one list and its counterpart in the other. */
interface Anchor {
  readonly old: number;
  readonly now: number;
}

/** Returns the regions in which two lists differ, ordered and not adjacent. */
export function* anchoredRegionsSteps(
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): Steps<readonly DiffRegion[]> {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) if (++head % linesPerSlice === 0) yield;
  let tail = 0;
  while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    if (++tail % linesPerSlice === 0) yield;
  const ends = { old: before.length - tail, now: after.length - tail };
  const anchors = yield* findAnchors(before, after, head, ends);
  const regions: DiffRegion[] = [];
  let from: Anchor = { old: head, now: head };
  for (const [index, to] of [...anchors, ends].entries()) {
    if (index % linesPerSlice === linesPerSlice - 1) yield;
    if (to.old > from.old || to.now > from.now) {
      const found = yield* diffFileLinesSteps(before.slice(from.old, to.old), after.slice(from.now, to.now), budget);
      for (const { oldStart, oldEnd, newStart, newEnd } of found)
        regions.push({
          oldStart: oldStart + from.old,
          oldEnd: oldEnd + from.old,
          newStart: newStart + from.now,
          newEnd: newEnd + from.now,
        });
    }
    from = { old: to.old + 1, now: to.now + 1 };
  }
  return regions;
}

/** Returns the longest list of lines that occur once in each and are in the same order. */
function* findAnchors(
  before: readonly string[],
  after: readonly string[],
  head: number,
  ends: Anchor,
): Steps<Anchor[]> {
  const old = yield* indexUnique(before, head, ends.old);
  const now = yield* indexUnique(after, head, ends.now);
  const last: number[] = [];
  const anchors: (Anchor & { readonly previous: number })[] = [];
  for (const [line, at] of old) {
    const other = at < 0 ? undefined : now.get(line);
    if (other === undefined || other < 0) continue;
    const length = countBelow(last, anchors, other);
    anchors.push({ old: at, now: other, previous: last[length - 1] ?? -1 });
    last[length] = anchors.length - 1;
    if (anchors.length % linesPerSlice === 0) yield;
  }
  const chain: Anchor[] = [];
  for (let at = last.at(-1) ?? -1; at >= 0; at = anchors[at]?.previous ?? -1) {
    const anchor = anchors[at];
    if (anchor !== undefined) chain.push(anchor);
  }
  return chain.reverse();
}

const hasWord = /[\p{L}\p{N}]/u;

/** Maps each line with a letter or digit to its index; -1 = it occurs more than once. */
function* indexUnique(lines: readonly string[], start: number, end: number): Steps<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? "";
    if (hasWord.test(line)) found.set(line, found.has(line) ? -1 : at);
    if (at % linesPerSlice === linesPerSlice - 1) yield;
  }
  return found;
}

/** Length of the longest chain that ends before `now`. `last` = by length, the anchor that ends such a chain first. */
function countBelow(last: readonly number[], anchors: readonly Anchor[], now: number): number {
  let low = 0;
  let high = last.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((anchors[last[middle] ?? 0]?.now ?? 0) < now) low = middle + 1;
    else high = middle;
  }
  return low;
}
