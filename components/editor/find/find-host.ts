/** Opens the find panel of CodeMirror as an empty element, into which React draws the panel. */
import { openSearchPanel, search, searchKeymap, setSearchQuery } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { createFinder, type Finder } from "./finder";
import { foundMatchesExtension, goToMatch, setFoundMatches } from "./found-matches";
import { createStore, type ReadableStore, type WritableStore } from "../../state/store";

/** An open panel. */
export interface FindHost {
  readonly dom: HTMLElement;
  readonly view: EditorView;
  /** Grows when the query, the text, the selection or the list of matches changes. */
  readonly version: ReadableStore<number>;
}

/** The search in the texts of one group of the editor. */
export interface FindState {
  /** null = the panel is closed. */
  readonly host: WritableStore<FindHost | null>;
  readonly isReplaceShown: WritableStore<boolean>;
  readonly finder: Finder;
}

export const createFindState = (): FindState => ({
  host: createStore<FindHost | null>(null),
  isReplaceShown: createStore(false),
  finder: createFinder(),
});

/** `findOf` returns the state of the group that shows the view. */
export function findExtension(findOf: (view: EditorView) => FindState): Extension {
  const go = (direction: "next" | "previous") => (view: EditorView) => {
    void goToMatch(view, findOf(view).finder, direction);
    return true;
  };
  const goKeys = { run: go("next"), shift: go("previous"), scope: "editor search-panel", preventDefault: true };
  return [
    foundMatchesExtension,
    search({
      top: true,
      literal: true,
      createPanel: (view) => {
        const { host } = findOf(view);
        const version = createStore(0);
        const opened: FindHost = { dom: document.createElement("div"), view, version };
        host.set(opened);
        return {
          dom: opened.dom,
          top: true,
          update: ({ docChanged, selectionSet, transactions }) => {
            const isSearched = transactions.some(({ effects }) =>
              effects.some((effect) => effect.is(setSearchQuery) || effect.is(setFoundMatches)),
            );
            if (docChanged || selectionSet || isSearched) version.set(version.get() + 1);
          },
          destroy: () => {
            if (host.get() === opened) host.set(null);
          },
        };
      },
    }),
    keymap.of([
      {
        key: "Mod-h",
        mac: "Mod-Alt-f",
        scope: "editor search-panel",
        run: (view) => {
          findOf(view).isReplaceShown.set(!view.state.readOnly);
          return openSearchPanel(view);
        },
      },
      { mac: "Cmd-g", ...goKeys },
      { key: "F3", ...goKeys },
      // Ctrl+G goes to a line, in a dialog of the product.
      ...searchKeymap.filter(({ key }) => key !== "Mod-g" && key !== "Mod-Alt-g" && key !== "F3"),
    ]),
  ];
}
