/**
 * Diff of two integer sequences: Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (Algorithmica 1,
 * 1986), the linear-space refinement of section 4b.
 */
import { runSteps, type Steps } from "../async/steps";

/** `before[oldStart..oldEnd)` became `after[newStart..newEnd)`; one side may be empty, never both. */
export interface DiffRegion {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Remaining steps, shared by several comparisons. Once they are used up, the rest becomes one coarse region. */
export interface StepBudget {
  steps: number;
}

/** Elements, or search steps, after which the computation yields. */
const elementsPerSlice = 4_096;
const stepsPerSlice = 100_000;

/** Marks a diagonal that no path inside the box has reached. */
const unreached = -1_000_000_000;

interface DiffState {
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** furthest x per diagonal, forward and backward; the middle element is diagonal 0 */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  readonly middle: number;
  readonly budget: StepBudget;
  readonly same: (oldIndex: number, newIndex: number) => void;
}

/** Furthest x on diagonal `k` after one more step inside the `width` × `height` box. */
function furthestReach(reach: Int32Array, middle: number, d: number, k: number, width: number, height: number): number {
  if (d === 0) return 0;
  const right = k > -d ? (reach[middle + k - 1] ?? unreached) + 1 : unreached;
  const down = k < d ? (reach[middle + k + 1] ?? unreached) : unreached;
  return Math.max(right > width ? unreached : right, down - k > height ? unreached : down);
}

/** Finds a point on a shortest path where its two halves meet, relative to the box; null if the budget is used up. */
function* middlePoint(
  work: DiffState,
  oldLow: number,
  oldHigh: number,
  newLow: number,
  newHigh: number,
): Steps<[number, number] | null> {
  const { before, after, forward, backward, middle, budget } = work;
  const width = oldHigh - oldLow;
  const height = newHigh - newLow;
  const delta = width - height;
  const odd = delta % 2 !== 0;
  let pauseAt = budget.steps - stepsPerSlice;
  for (let d = 0; ; d++) {
    if (budget.steps < pauseAt) {
      yield;
      pauseAt = budget.steps - stepsPerSlice;
    }
    const low = -(d - 2 * Math.max(0, d - height));
    const high = d - 2 * Math.max(0, d - width);
    for (let k = low; k <= high; k += 2) {
      let x = furthestReach(forward, middle, d, k, width, height);
      const start = x;
      while (x >= 0 && x < width && x - k < height && before[oldLow + x] === after[newLow + x - k]) x++;
      forward[middle + k] = x < 0 ? unreached : x;
      budget.steps -= 1 + x - start;
      const mirror = delta - k;
      if (odd && x >= 0 && Math.abs(mirror) < d && x + (backward[middle + mirror] ?? unreached) >= width)
        return [x, x - k];
    }
    for (let k = low; k <= high; k += 2) {
      let x = furthestReach(backward, middle, d, k, width, height);
      const start = x;
      while (x >= 0 && x < width && x - k < height && before[oldHigh - 1 - x] === after[newHigh - 1 - x + k]) x++;
      backward[middle + k] = x < 0 ? unreached : x;
      budget.steps -= 1 + x - start;
      const mirror = delta - k;
      if (!odd && x >= 0 && Math.abs(mirror) <= d && x + (forward[middle + mirror] ?? unreached) >= width) {
        return [width - x, height - (x - k)];
      }
    }
    if (budget.steps < 0) return null;
  }
}

/** Reports every equal pair of the box in order. */
function* compareBox(work: DiffState, oldLow: number, oldHigh: number, newLow: number, newHigh: number): Steps<void> {
  const { before, after, same } = work;
  while (oldLow < oldHigh && newLow < newHigh && before[oldLow] === after[newLow]) same(oldLow++, newLow++);
  let tail = 0;
  while (oldLow < oldHigh && newLow < newHigh && before[oldHigh - 1] === after[newHigh - 1]) {
    oldHigh--;
    newHigh--;
    tail++;
  }
  if (oldLow < oldHigh && newLow < newHigh) {
    const point = yield* middlePoint(work, oldLow, oldHigh, newLow, newHigh);
    if (point !== null) {
      yield* compareBox(work, oldLow, oldLow + point[0], newLow, newLow + point[1]);
      yield* compareBox(work, oldLow + point[0], oldHigh, newLow + point[1], newHigh);
    }
  }
  for (let index = 0; index < tail; index++) same(oldHigh + index, newHigh + index);
}

/** Indices of the elements that also occur in the other sequence; all others are changed on any path. */
function* commonElementIndices(values: Int32Array, others: Int32Array): Steps<number[]> {
  const present = new Set<number>();
  for (const [index, other] of others.entries()) {
    present.add(other);
    if (index % elementsPerSlice === elementsPerSlice - 1) yield;
  }
  const commonIndices: number[] = [];
  for (const [index, value] of values.entries()) {
    if (present.has(value)) commonIndices.push(index);
    if (index % elementsPerSlice === elementsPerSlice - 1) yield;
  }
  return commonIndices;
}

/**
 * Returns the regions in which two lists of texts differ, ordered and not adjacent. Minimal as long as the budget
 * lasts; always correct.
 */
export const diffTexts = (
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): readonly DiffRegion[] => runSteps(diffTextsSteps(before, after, budget));

function* diffTextsSteps(
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): Steps<readonly DiffRegion[]> {
  const number = numberTextsSteps();
  return yield* diffSequences(yield* number(before), yield* number(after), budget);
}

/** `diffTexts` for the lines of files: most are common ones at the head and tail, which are skipped. */
export function* diffFileLinesSteps(
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): Steps<readonly DiffRegion[]> {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) if (++head % elementsPerSlice === 0) yield;
  let tail = 0;
  while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    if (++tail % elementsPerSlice === 0) yield;
  const found = yield* diffTextsSteps(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
    budget,
  );
  return found.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + head,
    oldEnd: oldEnd + head,
    newStart: newStart + head,
    newEnd: newEnd + head,
  }));
}

function* diffSequences(before: Int32Array, after: Int32Array, budget: StepBudget): Steps<readonly DiffRegion[]> {
  const keptOld = yield* commonElementIndices(before, after);
  const keptNew = yield* commonElementIndices(after, before);
  const pairs = new Int32Array(before.length).fill(-1);
  const size = keptOld.length + keptNew.length;
  yield* compareBox(
    {
      before: Int32Array.from(keptOld, (index) => before[index] ?? 0),
      after: Int32Array.from(keptNew, (index) => after[index] ?? 0),
      forward: new Int32Array(2 * size + 3),
      backward: new Int32Array(2 * size + 3),
      middle: size + 1,
      budget,
      same: (oldIndex, newIndex) => {
        pairs[keptOld[oldIndex] ?? 0] = keptNew[newIndex] ?? 0;
      },
    },
    0,
    keptOld.length,
    0,
    keptNew.length,
  );
  const regions: DiffRegion[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (let index = 0; index <= before.length; index++) {
    const pair = index === before.length ? after.length : (pairs[index] ?? -1);
    if (index % elementsPerSlice === elementsPerSlice - 1) yield;
    if (pair < 0) continue;
    if (index > oldStart || pair > newStart) regions.push({ oldStart, oldEnd: index, newStart, newEnd: pair });
    oldStart = index + 1;
    newStart = pair + 1;
  }
  return regions;
}

/** Creates a function that maps equal texts to equal numbers. */
export function numberTextsSteps(): (texts: readonly string[]) => Steps<Int32Array> {
  const numbers = new Map<string, number>();
  return function* (texts) {
    const numbered = new Int32Array(texts.length);
    for (const [index, text] of texts.entries()) {
      const number = numbers.get(text) ?? numbers.size;
      if (number === numbers.size) numbers.set(text, number);
      numbered[index] = number;
      if (index % elementsPerSlice === elementsPerSlice - 1) yield;
    }
    return numbered;
  };
}
