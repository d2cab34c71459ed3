/** Finds settings and sections by the letters of their label, key, note and further words, best match first. Pure. */
import {
  type FuzzyTerm,
  foldLetters,
  fuzzyMatch,
  isWordStart,
  parseFuzzyQuery,
  toFuzzyText,
} from "@/lib/text/fuzzy-match";
import type { SettingDocument } from "../fields/setting-list";

export interface FoundSetting {
  readonly document: SettingDocument;
  /** Indices of the matched characters. */
  readonly marks: Readonly<Record<MarkedPart, readonly number[]>>;
}

type MarkedPart = "label" | "key" | "note";

/** Word of the query that keeps only settings with another value than their default. */
const modifiedWord = "@modified";

/** Splits the text of the search field into the filter and the text to find. */
export function parseSettingsQuery(query: string): { readonly isModifiedOnly: boolean; readonly typed: string } {
  const words = query.split(/\s+/).filter((word) => word !== "");
  const typed = words.filter((word) => word.toLowerCase() !== modifiedWord);
  return { isModifiedOnly: typed.length < words.length, typed: typed.join(" ") };
}

/** Returns the query with the filter switched on or off. */
export const toggleModified = (query: string): string => {
  const { isModifiedOnly, typed } = parseSettingsQuery(query);
  return isModifiedOnly ? typed : `${modifiedWord} ${typed}`.trimEnd();
};

/** Returns the documents in which every word occurs; all of them for an empty text, in their order. */
export function findSettings(documents: readonly SettingDocument[], typed: string): readonly FoundSetting[] {
  const { terms } = parseFuzzyQuery(typed);
  return documents
    .flatMap((document) => {
      const matches = terms.map((term) => matchTerm(document, term));
      const found = matches.filter((match) => match !== null);
      if (found.length < matches.length) return [];
      const marksOf = (part: MarkedPart) =>
        found.flatMap((match) => (match.part === part ? match.positions : [])).sort((one, other) => one - other);
      const score = found.reduce((sum, match) => sum + match.score, 0);
      return [{ document, marks: { label: marksOf("label"), key: marksOf("key"), note: marksOf("note") }, score }];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ document, marks }) => ({ document, marks }));
}

interface TermMatch {
  readonly part: MarkedPart | "words";
  readonly positions: readonly number[];
  readonly score: number;
}

/** Points of a letter that starts or continues a word; a letter of the label has 16 and more. */
const letterPoints = { key: 20, words: 14, note: 8 } as const;

function matchTerm({ label, key = "", words, note = "" }: SettingDocument, term: FuzzyTerm): TermMatch | null {
  const inLabel = matchLabel(label, term);
  if (inLabel !== null) return inLabel;
  for (const [part, text] of [
    ["key", key],
    ["words", words],
    ["note", note],
  ] as const) {
    const at = findWordPart(text, term.folded);
    if (at < 0) continue;
    const positions = Array.from({ length: term.folded.length }, (_, offset) => at + offset);
    return { part, positions, score: letterPoints[part] * term.folded.length };
  }
  return null;
}

/** Letters with many gaps between them are no match: labels are sentences, in which most letters occur. */
function matchLabel(label: string, term: FuzzyTerm): TermMatch | null {
  const match = fuzzyMatch({ terms: [term] }, toFuzzyText(label));
  const letters = term.folded.length;
  if (match === null || match.score < 16 * letters + 6 * letters) return null;
  return { part: "label", positions: match.positions, score: match.score };
}

/** Returns where the letters start a word of the text; -1 = nowhere. */
function findWordPart(text: string, folded: string): number {
  const searched = foldLetters(text);
  let at = searched.indexOf(folded);
  while (at >= 0 && !isWordStart(text, at)) at = searched.indexOf(folded, at + 1);
  return at;
}
