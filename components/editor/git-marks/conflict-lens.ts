/** Marks the conflicts that git wrote into the text; buttons above each replace it by one side or both. */
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";
import { type ConflictRegion, type ConflictTake, findConflictMarkers, takeRegion } from "@/lib/text/conflict-markers";

const setRegions = StateEffect.define<readonly ConflictRegion[]>();

/** Delay from a change of the text until it is searched again, ms. */
const searchDelayMs = 150;

/** CodeMirror's phrases, by which the texts are translated. */
const takes: Readonly<Record<ConflictTake, string>> = {
  ours: "Ours",
  theirs: "Theirs",
  both: "Both",
  base: "Common version",
};

/** Replaces the region that starts at a position, as it is now. */
export function resolveConflictAt(view: EditorView, from: number, take: ConflictTake): void {
  const { doc, readOnly } = view.state;
  const region = findConflictMarkers(doc.toString()).regions.find((one) => one.from === from);
  const insert = region === undefined ? null : takeRegion(region, take);
  if (region === undefined || insert === null || readOnly) return;
  view.dispatch({ changes: { from, to: region.to, insert }, selection: { anchor: from }, userEvent: "input.resolve" });
}

class ConflictButtons extends WidgetType {
  constructor(readonly hasBase: boolean) {
    super();
  }

  override eq(other: ConflictButtons): boolean {
    return this.hasBase === other.hasBase;
  }

  override toDOM(view: EditorView): HTMLElement {
    const bar = document.createElement("div");
    bar.className = "cm-conflict-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", view.state.phrase("Conflict"));
    for (const take of ["ours", "theirs", "both", "base"] as const) {
      if (take === "base" && !this.hasBase) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = view.state.phrase(takes[take]);
      button.addEventListener("click", () => {
        resolveConflictAt(view, view.posAtDOM(bar), take);
        view.focus();
      });
      bar.append(button);
    }
    return bar;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const lineMarks = {
  ours: Decoration.line({ class: "cm-conflict-ours" }),
  base: Decoration.line({ class: "cm-conflict-marker" }),
  theirs: Decoration.line({ class: "cm-conflict-theirs" }),
  marker: Decoration.line({ class: "cm-conflict-marker" }),
} as const;

function decorate({ doc, readOnly }: EditorState, regions: readonly ConflictRegion[]): DecorationSet {
  const ranges = regions.flatMap((region) => {
    const first = doc.lineAt(region.from).number;
    const parts = [
      ...["marker" as const, ...linesOf(region.ours, "ours" as const)],
      ...(region.base === null ? [] : ["marker" as const, ...linesOf(region.base, "base" as const)]),
      ...["marker" as const, ...linesOf(region.theirs, "theirs" as const), "marker" as const],
    ];
    const marks = parts.map((part, index) => lineMarks[part].range(doc.line(first + index).from));
    const buttons = Decoration.widget({ widget: new ConflictButtons(region.base !== null), block: true, side: -1 });
    return readOnly ? marks : [buttons.range(region.from), ...marks];
  });
  return Decoration.set(ranges, true);
}

const linesOf = <P extends string>(text: string, part: P): readonly P[] =>
  text
    .split("\n")
    .slice(1)
    .map(() => part);

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    const found = effects.find((effect) => effect.is(setRegions));
    return found === undefined ? before.map(changes) : decorate(state, found.value);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Searches the text when it is shown, and when it has not changed for a moment. */
const search = ViewPlugin.define((view) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const searchAfter = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { regions } = findConflictMarkers(view.state.doc.toString());
      if (regions.length > 0 || view.state.field(marks).size > 0) view.dispatch({ effects: setRegions.of(regions) });
    }, delayMs);
  };
  searchAfter(0);
  return {
    update: ({ docChanged, startState, state }) => {
      if (docChanged || startState.readOnly !== state.readOnly) searchAfter(searchDelayMs);
    },
    destroy: () => clearTimeout(timer),
  };
});

const theme = EditorView.theme({
  ".cm-conflict-bar": {
    display: "flex",
    flexWrap: "wrap",
    gap: "8px",
    padding: "3px 8px",
    font: "12px/16px var(--font-sans)",
    backgroundColor: "var(--surface)",
    borderTop: "1px solid var(--line)",
  },
  ".cm-conflict-bar button": {
    padding: "2px 8px",
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-conflict-bar button:hover": { backgroundColor: "var(--hover)" },
  ".cm-conflict-marker": { color: "var(--ink-muted)", backgroundColor: "var(--surface)" },
  ".cm-conflict-ours": { backgroundColor: "var(--accent-soft)" },
  ".cm-conflict-theirs": { backgroundColor: "var(--ask-soft)" },
});

export const conflictLens: Extension = [marks, search, theme];
