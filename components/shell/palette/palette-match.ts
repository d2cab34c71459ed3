/** Filters and ranks the palette's choices by the typed text, best match first. Pure. */
import { type FuzzyMatch, type FuzzyQuery, fuzzyMatch, parseFuzzyQuery, toFuzzyText } from "@/lib/text/fuzzy-match";

export type ChoiceKind = "command" | "setting" | "session" | "file" | "symbol";

export interface PaletteChoice {
  readonly id: string;
  readonly kind: ChoiceKind;
  readonly label: string;
  /** Further words that find the choice by a part that is typed as it is. */
  readonly searchWords?: string;
  /** Folder of a file ("" = the project's), shown behind its name; `label` is the path then. */
  readonly folder?: string;
  /** Shown behind the label. */
  readonly group: string;
  /** Heading of the rows that the choice belongs to while nothing is typed; absent = `group`. */
  readonly heading?: string;
  readonly keys?: string;
  /** Points beside those of the match. */
  readonly bonus?: number;
  /** Indices of the matched characters of the label. */
  readonly marks?: readonly number[];
  readonly perform: () => void;
}

const maxShown = 60;
/** Points of a letter found in the search words: more than in the middle of a label, fewer than at its start. */
const searchWordPoints = 30;

/** Returns the choices that match, with the matched characters; all of them for an empty text, in their order. */
export function matchChoices(choices: readonly PaletteChoice[], typed: string): readonly PaletteChoice[] {
  const query = parseFuzzyQuery(typed);
  if (query.terms.length === 0) return choices.slice(0, maxShown);
  return choices
    .flatMap((choice) => {
      const match = matchChoice(choice, query);
      return match === null ? [] : [{ choice: { ...choice, marks: match.positions }, score: match.score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxShown)
    .map(({ choice }) => choice);
}

function matchChoice({ label, searchWords = "", bonus = 0 }: PaletteChoice, query: FuzzyQuery): FuzzyMatch | null {
  const match = fuzzyMatch(query, toFuzzyText(label));
  if (match !== null) return { ...match, score: match.score + bonus };
  const words = toFuzzyText(searchWords).folded;
  if (!query.terms.every(({ folded }) => words.includes(folded))) return null;
  const letters = query.terms.reduce((sum, { folded }) => sum + folded.length, 0);
  return { score: letters * searchWordPoints + bonus, positions: [] };
}
