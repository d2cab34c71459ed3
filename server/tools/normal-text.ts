/** A text with what does not matter taken out, and the way back to the original offsets. For edit-match. Pure. */

export interface NormalText {
  readonly text: string;
  /** For each unit of `text`, and its end, the offset in the original. */
  readonly offsets: Uint32Array;
}

/** Quotes, dashes and spaces that models write as their plain ASCII relatives, one unit each. */
const plainForms = new Map<string, string>([
  ...[..."\u2018\u2019\u201a\u201b\u2032\u00b4\uff07"].map((one) => [one, "'"] as const),
  ...[..."\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"].map((one) => [one, '"'] as const),
  ...[..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d"].map((one) => [one, "-"] as const),
  ...[..."\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"].map(
    (one) => [one, " "] as const,
  ),
]);

/** What a step of the ladder overlooks; each includes the ones before it. */
export type Looseness = "exact" | "breaks" | "endings" | "quotes";

const isBlank = (unit: string | undefined): boolean => unit === " " || unit === "\t";

/** Takes out "\r" before "\n" (breaks), white space at line ends (endings) and typographic forms (quotes). Linear. */
export function normalize(original: string, loose: Looseness): NormalText {
  const offsets = new Uint32Array(original.length + 1);
  const units: string[] = [];
  // Units of the open line that only stay when something follows them on it.
  let held: [string, number][] = [];
  for (let index = 0; index < original.length; index++) {
    const raw = original.charAt(index);
    const unit = loose === "quotes" ? (plainForms.get(raw) ?? raw) : raw;
    if (unit === "\r" && original[index + 1] === "\n" && loose !== "exact") continue;
    if ((loose === "endings" || loose === "quotes") && isBlank(unit)) {
      held.push([unit, index]);
      continue;
    }
    if (unit !== "\n") for (const [one, at] of held) offsets[units.push(one) - 1] = at;
    held = [];
    offsets[units.push(unit) - 1] = index;
  }
  offsets[units.length] = original.length;
  return { text: units.join(""), offsets: offsets.subarray(0, units.length + 1) };
}
