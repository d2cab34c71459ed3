/**
 * Which messages stay behind a compaction: the last ones whole with their results, as many as the window allows. Pure; the laws
 * "Limits fit the window" and "never half a pair" hold by construction, since a message and its results are one unit. Used by compact.
 *
 * Why two compactions are not close: at least 60 % - 47.5 % = 12.5 % of the window is free behind one. When the next one comes within
 * two steps, one of the two took at least half of that, a sixteenth of the window. Only what must stay can be larger than 47.5 %;
 * above 56 % the next compaction waits until a tenth of the window more is used.
 */
import { limits } from "@/lib/settings";

/** A message of the context with its price in tokens of our estimate. */
export interface Unit {
  readonly seq: number;
  /** Without its results. */
  readonly own: number;
  /** One a result, as it is stored. */
  readonly results: readonly number[];
}

export interface Tail {
  /** Of the first message of the unbroken end that stays; Infinity = none does. */
  readonly from: number;
  /** Older ones that stay besides, in order. */
  readonly also: readonly number[];
  readonly resultTokens?: number;
  /** Of all that stays. */
  readonly tokens: number;
  /** Something is left out or told shorter. */
  readonly shortens: boolean;
}

export const noTail: Tail = { from: Number.POSITIVE_INFINITY, also: [], tokens: 0, shortens: true };

export interface TailRoom {
  /** Newest messages that stay whole, as far as there is room. */
  readonly keep: number;
  /** Units before this seq have others between them that are left out already: the unbroken end never reaches back to them. */
  readonly from: number;
  /** The tail is kept to `aim` where messages can be left out, to `max` by cutting results, and must be within `most`. */
  readonly aim: number;
  readonly max: number;
  readonly most: number;
  /** All results together are kept to this. */
  readonly results: number;
  /** All results together get this much, though `max` is passed: a model that sees nothing gets nowhere. */
  readonly resultsLeast: number;
}

/** What must stay: the newest message with results, and messages whose words stand nowhere else. */
export interface Musts {
  readonly results: number | null;
  readonly words: readonly number[];
}

/** A result is not cut to less than this: it would say nothing. */
const leastResultTokens = 24;

/** null = not even the words that must stay fit. */
export function chooseTail(units: readonly Unit[], musts: Musts, room: TailRoom): Tail | null {
  const required = new Set([...musts.words, ...(musts.results === null ? [] : [musts.results])]);
  for (let count = Math.min(room.keep, units.length); count >= 0; count -= 1) {
    const kept = keep(units, count, required);
    if (kept.length > room.keep && count > 0) continue;
    if (sum(kept) <= room.aim && resultsOf(kept) <= room.results) return tailOf(units, kept, room.from);
  }
  const least = keep(units, 0, required);
  const own = sum(least) - resultsOf(least);
  const max = Math.min(Math.max(room.max, own + room.resultsLeast), own + room.results, room.most);
  if (sum(least) <= max) return tailOf(units, least, room.from);
  const cut = cutResults(least, max);
  if (cut !== null && cut.tokens <= room.most) return tailOf(units, least, room.from, cut);
  const words = keep(units, 0, new Set(musts.words));
  return sum(words) <= room.most ? tailOf(units, words, room.from) : null;
}

const keep = (units: readonly Unit[], last: number, required: ReadonlySet<number>): readonly Unit[] =>
  units.filter((unit, index) => index >= units.length - last || required.has(unit.seq));

const priceOf = ({ own, results }: Unit, most = Number.POSITIVE_INFINITY): number =>
  results.reduce((total, tokens) => total + Math.min(tokens, most), own);
const sum = (units: readonly Unit[], most?: number): number =>
  units.reduce((total, unit) => total + priceOf(unit, most), 0);
const resultsOf = (units: readonly Unit[]): number =>
  units.flatMap((unit) => unit.results).reduce((total, tokens) => total + tokens, 0);

/** The largest limit of each result with which all is within `max`; what is over even at the least is over. null = there are none. */
function cutResults(units: readonly Unit[], max: number): { readonly each: number; readonly tokens: number } | null {
  const sizes = units.flatMap((unit) => unit.results).toSorted((a, b) => a - b);
  if (sizes.length === 0) return null;
  let left = max - units.reduce((total, unit) => total + unit.own, 0);
  let each = leastResultTokens;
  // The small ones stay whole; what is left is shared by the others.
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) {
      each = Math.max(leastResultTokens, share);
      break;
    }
    left -= size;
    each = Math.max(each, size);
  }
  return { each, tokens: sum(units, each) };
}

function tailOf(
  units: readonly Unit[],
  kept: readonly Unit[],
  from: number,
  cut?: { readonly each: number; readonly tokens: number },
): Tail {
  let unbroken = kept.length;
  for (let back = 1; back <= kept.length; back += 1) {
    const unit = kept.at(-back);
    if (unit !== units.at(-back) || (unit?.seq ?? 0) < from) break;
    unbroken = kept.length - back;
  }
  return {
    from: kept[unbroken]?.seq ?? Number.POSITIVE_INFINITY,
    also: kept.slice(0, unbroken).map((unit) => unit.seq),
    ...(cut === undefined ? {} : { resultTokens: Math.max(0, cut.each - limits.messageOverheadTokens) }),
    tokens: cut?.tokens ?? sum(kept),
    shortens: kept.length < units.length || cut !== undefined,
  };
}
