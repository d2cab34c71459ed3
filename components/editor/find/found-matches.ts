/**
 * The matches of the editor's query: found in a worker, kept in the editor's state, marked where they are visible. Every
 * command works on the list, so none of them runs the expression in the page.
 */
import { getSearchQuery, openSearchPanel, SearchQuery, searchPanelOpen, setSearchQuery } from "@codemirror/search";
import {
  EditorSelection,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view";
import type { FindQuery, MatchList } from "./find-text";
import type { Finder } from "./finder";

const matchesMax = 100_000;
const selectedMatchesMax = 1_000;

/** A query that CodeMirror stores without running it. */
class StoredQuery extends SearchQuery {
  override readonly valid = false;
}

interface FoundMatches extends MatchList {
  /** "too_long" = the search was ended at its limit; "failed" = the code that searches could not be loaded. */
  readonly problem: "too_long" | "failed" | null;
  /** Text and query of the search; the spans follow later changes of the text. */
  readonly source: { readonly text: Text; readonly query: SearchQuery } | null;
}

const nothingFound: FoundMatches = { spans: new Uint32Array(), isComplete: true, problem: null, source: null };

export const setFoundMatches = StateEffect.define<FoundMatches>();

const foundField = StateField.define<FoundMatches>({
  create: () => nothingFound,
  update(value, { changes, docChanged, effects }) {
    const found = effects.find((effect) => effect.is(setFoundMatches));
    if (found !== undefined) return found.value;
    return docChanged ? { ...value, spans: value.spans.map((position) => changes.mapPos(position)) } : value;
  },
});

export const readFoundMatches = (state: EditorState): FoundMatches => state.field(foundField);

const isValidExpression = (source: string): boolean => {
  try {
    return new RegExp(source, "gmu") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Whether the query can be searched; an empty one cannot. */
export const isSearchable = ({ search, regexp }: FindQuery): boolean =>
  search !== "" && (!regexp || isValidExpression(search));

export const storedQuery = ({ search, replace, caseSensitive, wholeWord, regexp }: FindQuery): SearchQuery =>
  new StoredQuery({ search, replace, caseSensitive, wholeWord, regexp, literal: !regexp });

/** Index of the first match that starts at or after `position`; the number of matches if there is none. */
export function findMatchIndex(spans: Uint32Array, position: number): number {
  let low = 0;
  let high = spans.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[2 * middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of the selected match, from 1; 0 = none is selected. */
export function selectedMatch(state: EditorState): number {
  const { spans } = readFoundMatches(state);
  const { from, to } = state.selection.main;
  const index = findMatchIndex(spans, from);
  return spans[2 * index] === from && spans[2 * index + 1] === to ? index + 1 : 0;
}

/**
 * Searches unless the result is there; null = the query, the text or the view has changed meanwhile. A search that failed
 * is repeated only with `retries`.
 */
export async function loadMatches(view: EditorView, finder: Finder, retries = false): Promise<FoundMatches | null> {
  const query = getSearchQuery(view.state);
  const text = view.state.doc;
  const listed = readFoundMatches(view.state);
  const isRepeated = retries && listed.problem === "failed";
  if (!isRepeated && listed.source?.text === text && isSameSearch(listed.source.query, query)) return listed;
  const source = { text, query };
  const show = (found: FoundMatches): FoundMatches | null => {
    if (!view.dom.isConnected || view.state.doc !== text || !isSameSearch(getSearchQuery(view.state), query))
      return null;
    view.dispatch({ effects: setFoundMatches.of(found) });
    return found;
  };
  if (!isSearchable(query)) return show({ ...nothingFound, source });
  const result = await finder.run(text, toPlainQuery(query), { kind: "find", max: matchesMax });
  if (result === "replaced") return null;
  if (result === "too_long" || result === "failed") return show({ ...nothingFound, problem: result, source });
  if (result.kind !== "matches") return null;
  return show({ spans: result.spans, isComplete: result.isComplete, problem: null, source });
}

const isSameSearch = (one: FindQuery, other: FindQuery): boolean =>
  one.search === other.search &&
  one.caseSensitive === other.caseSensitive &&
  one.wholeWord === other.wholeWord &&
  one.regexp === other.regexp;

const toPlainQuery = ({ search, replace, caseSensitive, wholeWord, regexp }: FindQuery): FindQuery => ({
  search,
  replace,
  caseSensitive,
  wholeWord,
  regexp,
});

function selectMatch(view: EditorView, { spans }: MatchList, index: number, y: "nearest" | "center"): void {
  const count = spans.length / 2;
  if (count === 0) return;
  const at = 2 * ((index + count) % count);
  const range = EditorSelection.range(spans[at] ?? 0, spans[at + 1] ?? 0);
  view.dispatch({
    selection: EditorSelection.create([range]),
    effects: EditorView.scrollIntoView(range, { y }),
    userEvent: "select.search",
  });
}

/** Selects the first match at or after the start of the selection, else the first of the text. */
export async function goToFirstMatch(view: EditorView, finder: Finder): Promise<void> {
  const found = await loadMatches(view, finder);
  if (found !== null) selectMatch(view, found, findMatchIndex(found.spans, view.state.selection.main.from), "center");
}

export async function goToMatch(view: EditorView, finder: Finder, direction: "next" | "previous"): Promise<void> {
  if (!isSearchable(getSearchQuery(view.state))) return void openSearchPanel(view);
  const found = await loadMatches(view, finder, true);
  if (found === null) return;
  const { from, to } = view.state.selection.main;
  const index = direction === "next" ? findMatchIndex(found.spans, to) : findMatchIndex(found.spans, from) - 1;
  const isEmptyHere = direction === "next" && from === to && selectedMatch(view.state) === index + 1;
  selectMatch(view, found, isEmptyHere ? index + 1 : index, "nearest");
}

export async function selectAllMatches(view: EditorView, finder: Finder): Promise<void> {
  const found = await loadMatches(view, finder);
  const count = (found?.spans.length ?? 0) / 2;
  if (found === null || count === 0 || count > selectedMatchesMax) return;
  const ranges = Array.from({ length: count }, (_, index) =>
    EditorSelection.range(found.spans[2 * index] ?? 0, found.spans[2 * index + 1] ?? 0),
  );
  view.dispatch({ selection: EditorSelection.create(ranges), userEvent: "select.search.matches" });
}

/** Replaces the selected match and goes to the next one; goes to the next one if none is selected. */
export async function replaceMatch(view: EditorView, finder: Finder): Promise<void> {
  if ((await loadMatches(view, finder)) === null || view.state.readOnly) return;
  const { from, to } = view.state.selection.main;
  if (selectedMatch(view.state) > 0 && !(await replaceIn(view, finder, { from, to }))) return;
  await goToMatch(view, finder, "next");
}

export async function replaceAllMatches(view: EditorView, finder: Finder): Promise<void> {
  if (!view.state.readOnly && isSearchable(getSearchQuery(view.state))) await replaceIn(view, finder, null);
}

/** Replaces as the text is when the search ends; false = nothing was replaced. */
async function replaceIn(
  view: EditorView,
  finder: Finder,
  only: { readonly from: number; readonly to: number } | null,
): Promise<boolean> {
  const { doc } = view.state;
  const query = getSearchQuery(view.state);
  const result = await finder.run(doc, toPlainQuery(query), { kind: "replace", only });
  if (!view.dom.isConnected || view.state.doc !== doc || result === "replaced") return false;
  if (result === "too_long" || result === "failed") {
    const source = { text: doc, query };
    view.dispatch({ effects: setFoundMatches.of({ ...nothingFound, problem: result, source }) });
    return false;
  }
  const changes = result.kind === "changes" ? result.changes : [];
  if (changes.length === 0) return false;
  const first = changes[0];
  view.dispatch({
    changes: changes.map(({ from, to, insert }) => ({ from, to, insert: view.state.toText(insert) })),
    ...(only === null || first === undefined ? {} : { selection: { anchor: first.from + first.insert.length } }),
    userEvent: "input.replace",
  });
  return true;
}

const matchMark = Decoration.mark({ class: "cm-searchMatch" });
const selectedMark = Decoration.mark({ class: "cm-searchMatch cm-searchMatch-selected" });

function markMatches(view: EditorView): DecorationSet {
  if (!searchPanelOpen(view.state)) return Decoration.none;
  const { spans } = readFoundMatches(view.state);
  const selected = 2 * (selectedMatch(view.state) - 1);
  const builder = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const visible of view.visibleRanges) {
    // A match that began before the visible text can reach into it.
    const first = Math.max(last + 1, findMatchIndex(spans, visible.from) - 1, 0);
    for (let index = first; (spans[2 * index] ?? visible.to) < visible.to; index += 1) {
      const [from = 0, to = 0] = spans.subarray(2 * index, 2 * index + 2);
      if (from < to) builder.add(from, to, 2 * index === selected ? selectedMark : matchMark);
      last = index;
    }
  }
  return builder.finish();
}

const matchMarks = ViewPlugin.define(
  (view) => {
    let marks = markMatches(view);
    return {
      marks: () => marks,
      update({ view: updated, docChanged, selectionSet, viewportChanged, state, startState }) {
        const isOpened = searchPanelOpen(state) !== searchPanelOpen(startState);
        const isFound = readFoundMatches(state) !== readFoundMatches(startState);
        if (docChanged || selectionSet || viewportChanged || isOpened || isFound) marks = markMatches(updated);
      },
    };
  },
  { decorations: ({ marks }) => marks() },
);

/** CodeMirror fills the query from the selection by itself; that one is stored, too. */
const storeQueries = EditorState.transactionFilter.of((transaction) => {
  const set = transaction.effects.findLast((effect) => effect.is(setSearchQuery));
  if (set === undefined || set.value instanceof StoredQuery) return transaction;
  return [transaction, { effects: setSearchQuery.of(storedQuery(set.value)) }];
});

export const foundMatchesExtension: Extension = [foundField, matchMarks, storeQueries];
