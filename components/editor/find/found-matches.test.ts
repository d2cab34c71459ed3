// @vitest-environment happy-dom
import { openSearchPanel, setSearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFindState, findExtension } from "./find-host";
import { goToMatch, loadMatches, readFoundMatches, storedQuery } from "./found-matches";

test("a search whose worker cannot be loaded is reported, and Enter tries it again", async () => {
  let started = 0;
  vi.stubGlobal(
    "Worker",
    class extends EventTarget {
      constructor() {
        super();
        started += 1;
        queueMicrotask(() => this.dispatchEvent(new Event("error")));
      }
      terminate(): void {}
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const state = createFindState();
  const view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc: "one two", extensions: findExtension(() => state) }),
  });
  onTestFinished(() => view.destroy());
  openSearchPanel(view);
  const query = storedQuery({ search: "two", replace: "", caseSensitive: false, wholeWord: false, regexp: false });
  view.dispatch({ effects: setSearchQuery.of(query) });
  await loadMatches(view, state.finder);
  expect(readFoundMatches(view.state).problem).toBe("failed");
  await loadMatches(view, state.finder);
  expect(started).toBe(1);
  await goToMatch(view, state.finder, "next");
  expect(started).toBe(2);
});
