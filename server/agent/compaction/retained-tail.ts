/**
 * Chooses the messages that a compaction retains: the newest ones, whole and with their results, as many as the
 * window allows. Pure. A message and its results are one unit, so the laws "Limits fit the window" and "never half a
 * pair" hold by construction.
 *
 * Two compactions cannot follow closely: a compaction leaves at least 60 % - 47.5 % = 12.5 % of the window free. If
 * the next one comes within two steps, one of the two took at least half of that, a sixteenth of the window. Only
 * required messages can exceed 47.5 %; above 56 % the next compaction waits until another tenth of the window is
 * used.
 */
import { serverLimits } from "@/lib/settings/server-limits";

/** A message of the context with its cost in estimated tokens. */
export interface ContextUnit {
  readonly seq: number;
  /** Tokens without its results. */
  readonly own: number;
  /** Tokens of each result as stored. */
  readonly results: readonly number[];
}

export interface RetainedTail {
  /** Seq of the first message of the retained contiguous tail; Infinity = none. */
  readonly from: number;
  /** Seqs of older retained messages, ascending. */
  readonly also: readonly number[];
  readonly resultTokens?: number;
  /** Tokens of all retained messages. */
  readonly tokens: number;
  /** A message is dropped or a result is cut. */
  readonly shortens: boolean;
}

export const emptyTail: RetainedTail = { from: Number.POSITIVE_INFINITY, also: [], tokens: 0, shortens: true };

interface TailLimits {
  /** Number of newest messages to retain whole, if they fit. */
  readonly keep: number;
  /** Messages before this seq have gaps (left out earlier): the contiguous tail never starts before it. */
  readonly from: number;
  /** Token limits: `aim` where messages can be dropped, `max` where results are cut, `most` as the hard limit. */
  readonly aim: number;
  readonly max: number;
  readonly most: number;
  /** Limit of all results together. */
  readonly results: number;
  /** Minimum for all results together, even beyond `max`: a model without any result cannot continue. */
  readonly resultsLeast: number;
}

/** Required messages: the newest one with results, and messages whose text is nowhere else. */
interface RequiredUnits {
  readonly results: number | null;
  readonly words: readonly number[];
}

/** Minimum size of a cut result: less carries no information. */
const resultMinTokens = 24;

/** Returns null if not even the required texts fit. */
export function chooseRetainedTail(
  units: readonly ContextUnit[],
  musts: RequiredUnits,
  bounds: TailLimits,
): RetainedTail | null {
  const required = new Set([...musts.words, ...(musts.results === null ? [] : [musts.results])]);
  for (let count = Math.min(bounds.keep, units.length); count >= 0; count -= 1) {
    const retained = selectUnits(units, count, required);
    if (retained.length > bounds.keep && count > 0) continue;
    if (sumTokens(retained) <= bounds.aim && sumResultTokens(retained) <= bounds.results)
      return toRetainedTail(units, retained, bounds.from);
  }
  const least = selectUnits(units, 0, required);
  const own = sumTokens(least) - sumResultTokens(least);
  const max = Math.min(Math.max(bounds.max, own + bounds.resultsLeast), own + bounds.results, bounds.most);
  if (sumTokens(least) <= max) return toRetainedTail(units, least, bounds.from);
  const cut = findResultLimit(least, max);
  if (cut !== null && cut.tokens <= bounds.most) return toRetainedTail(units, least, bounds.from, cut);
  const words = selectUnits(units, 0, new Set(musts.words));
  return sumTokens(words) <= bounds.most ? toRetainedTail(units, words, bounds.from) : null;
}

const selectUnits = (
  units: readonly ContextUnit[],
  last: number,
  required: ReadonlySet<number>,
): readonly ContextUnit[] => units.filter((unit, index) => index >= units.length - last || required.has(unit.seq));

const unitTokens = ({ own, results }: ContextUnit, most = Number.POSITIVE_INFINITY): number =>
  results.reduce((total, tokens) => total + Math.min(tokens, most), own);
const sumTokens = (units: readonly ContextUnit[], most?: number): number =>
  units.reduce((total, unit) => total + unitTokens(unit, most), 0);
const sumResultTokens = (units: readonly ContextUnit[]): number =>
  units.flatMap((unit) => unit.results).reduce((total, tokens) => total + tokens, 0);

/**
 * Finds the largest limit per result with which the units fit `max`, but at least `resultMinTokens`. null = there
 * are no results.
 */
function findResultLimit(
  units: readonly ContextUnit[],
  max: number,
): { readonly each: number; readonly tokens: number } | null {
  const sizes = units.flatMap((unit) => unit.results).toSorted((a, b) => a - b);
  if (sizes.length === 0) return null;
  let left = max - units.reduce((total, unit) => total + unit.own, 0);
  let each = resultMinTokens;
  // Small results stay whole; the others share the rest.
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) {
      each = Math.max(resultMinTokens, share);
      break;
    }
    left -= size;
    each = Math.max(each, size);
  }
  return { each, tokens: sumTokens(units, each) };
}

function toRetainedTail(
  units: readonly ContextUnit[],
  retained: readonly ContextUnit[],
  from: number,
  cut?: { readonly each: number; readonly tokens: number },
): RetainedTail {
  let unbroken = retained.length;
  for (let back = 1; back <= retained.length; back += 1) {
    const unit = retained.at(-back);
    if (unit !== units.at(-back) || (unit?.seq ?? 0) < from) break;
    unbroken = retained.length - back;
  }
  return {
    from: retained[unbroken]?.seq ?? Number.POSITIVE_INFINITY,
    also: retained.slice(0, unbroken).map((unit) => unit.seq),
    ...(cut === undefined ? {} : { resultTokens: Math.max(0, cut.each - serverLimits.messageOverheadTokens) }),
    tokens: cut?.tokens ?? sumTokens(retained),
    shortens: retained.length < units.length || cut !== undefined,
  };
}
