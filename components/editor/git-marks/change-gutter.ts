/** Marks lines that differ from the last commit beside the text; a click shows the committed lines, which can be restored. */
import { EditorState, type Extension, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
  GutterMarker,
  keymap,
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";
import type { DiffRegion } from "@/lib/text/myers";
import { type ChangeKind, changeKind, findChangeRegions, markedLines, revertRegion } from "./change-regions";

export interface ChangeGutterTexts {
  readonly committed: string;
  readonly notCommitted: string;
  readonly revert: string;
  readonly close: string;
}

/** Lines of the file in the last commit; null = there are no marks. */
type CommittedLines = readonly string[] | null;

interface ChangeState {
  readonly committed: CommittedLines;
  readonly marks: RangeSet<GutterMarker>;
  /** The region whose committed lines are shown. */
  readonly shown: DiffRegion | null;
}

const setCommitted = StateEffect.define<CommittedLines>();
const setMarks = StateEffect.define<RangeSet<GutterMarker>>();
const showRegion = StateEffect.define<DiffRegion | null>();

/** Delay from a change of the text until it is compared, ms. */
const compareDelayMs = 150;

const markOf = (kind: ChangeKind): GutterMarker =>
  new (class extends GutterMarker {
    override elementClass = `cm-change-${kind}`;
  })();
const markers: Readonly<Record<ChangeKind, GutterMarker>> = {
  added: markOf("added"),
  changed: markOf("changed"),
  deleted: markOf("deleted"),
};

function makeMarks(committed: CommittedLines, text: Text): RangeSet<GutterMarker> {
  const regions = committed === null ? [] : findChangeRegions(committed, text);
  return RangeSet.of(
    regions.flatMap((region) =>
      markedLines(region).map((line) => markers[changeKind(region)].range(text.line(line).from)),
    ),
    true,
  );
}

const changeState = StateField.define<ChangeState>({
  create: () => ({ committed: null, marks: RangeSet.empty, shown: null }),
  update: (before, { docChanged, changes, newDoc, effects }) => {
    let next = docChanged ? { ...before, marks: before.marks.map(changes), shown: null } : before;
    for (const effect of effects) {
      // With equal lines a region that is shown stays.
      if (effect.is(setCommitted)) {
        const shown = isSameLines(next.committed, effect.value) ? next.shown : null;
        next = { committed: effect.value, marks: makeMarks(effect.value, newDoc), shown };
      }
      if (effect.is(setMarks)) next = { ...next, marks: effect.value };
      if (effect.is(showRegion)) next = { ...next, shown: effect.value };
    }
    return next;
  },
});

const isSameLines = (one: CommittedLines, other: CommittedLines): boolean =>
  one === other ||
  (one !== null && other !== null && one.length === other.length && one.every((line, index) => line === other[index]));

/** Compares the text with the committed lines when it is shown, and when it has not changed for a moment. */
const comparison = ViewPlugin.define((view) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const compareAfter = (delayMs: number): void => {
    if (view.state.field(changeState).committed === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { committed } = view.state.field(changeState);
      view.dispatch({ effects: setMarks.of(makeMarks(committed, view.state.doc)) });
    }, delayMs);
  };
  // A text that was hidden may have changed without a comparison.
  compareAfter(0);
  return {
    update: ({ docChanged }) => {
      if (docChanged) compareAfter(compareDelayMs);
    },
    destroy: () => clearTimeout(timer),
  };
});

/** Shows the region that marks the line at the position, or hides it if it is shown. */
function toggleRegion(view: EditorView, position: number): boolean {
  const { committed, shown } = view.state.field(changeState);
  const { number } = view.state.doc.lineAt(position);
  const region = findChangeRegions(committed ?? [], view.state.doc).find((one) => markedLines(one).includes(number));
  if (committed === null || region === undefined) return false;
  view.dispatch({ effects: showRegion.of(shown?.newStart === region.newStart ? null : region) });
  return true;
}

/**
 * Goes to the next or previous change from the caret and shows it; from the last one to the first one and back. Returns
 * whether there is one.
 */
export function goToChange(view: EditorView, direction: "next" | "previous"): boolean {
  const { committed } = view.state.field(changeState);
  const regions = committed === null ? [] : findChangeRegions(committed, view.state.doc);
  const current = view.state.doc.lineAt(view.state.selection.main.head).number;
  const firstLine = (region: DiffRegion): number => markedLines(region)[0] ?? 0;
  const next =
    direction === "next"
      ? (regions.find((region) => firstLine(region) > current) ?? regions[0])
      : (regions.findLast((region) => firstLine(region) < current) ?? regions.at(-1));
  const [line] = next === undefined ? [] : markedLines(next);
  if (next === undefined || line === undefined) return false;
  const { from } = view.state.doc.line(line);
  view.dispatch({
    selection: { anchor: from },
    effects: [showRegion.of(next), EditorView.scrollIntoView(from, { y: "center" })],
  });
  return true;
}

function hideRegion(view: EditorView): boolean {
  if (view.state.field(changeState).shown === null) return false;
  view.dispatch({ effects: showRegion.of(null) });
  return true;
}

function revertShown(view: EditorView): void {
  const { committed, shown } = view.state.field(changeState);
  if (committed === null || shown === null) return;
  view.dispatch({ changes: revertRegion(view.state.doc, shown, committed), userEvent: "input.revert" });
  view.focus();
}

class CommittedLinesWidget extends WidgetType {
  constructor(
    readonly lines: readonly string[],
    readonly texts: ChangeGutterTexts,
    readonly isReadOnly: boolean,
  ) {
    super();
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("div");
    box.className = "cm-change-peek";
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", this.texts.committed);
    const head = document.createElement("div");
    head.className = "cm-change-peek-head";
    head.append(this.lines.length === 0 ? this.texts.notCommitted : this.texts.committed);
    const addButton = (label: string, onClick: () => void): void => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", onClick);
      head.append(button);
    };
    if (!this.isReadOnly) addButton(this.texts.revert, () => revertShown(view));
    addButton(this.texts.close, () => {
      hideRegion(view);
      view.focus();
    });
    box.append(head);
    if (this.lines.length > 0) {
      const text = document.createElement("pre");
      text.textContent = this.lines.join("\n");
      box.append(text);
    }
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function shownLines(state: EditorState, texts: ChangeGutterTexts): DecorationSet {
  const { committed, shown } = state.field(changeState);
  if (committed === null || shown === null) return Decoration.none;
  const lines = committed.slice(shown.oldStart, shown.oldEnd);
  const line = shown.newEnd > shown.newStart ? shown.newEnd : shown.newStart;
  const widget = new CommittedLinesWidget(lines, texts, state.readOnly);
  return Decoration.set(
    line === 0
      ? Decoration.widget({ widget, block: true, side: -1 }).range(0)
      : Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.line(line).to),
  );
}

const theme = EditorView.theme({
  ".cm-change-gutter .cm-gutterElement": { boxSizing: "border-box", width: "8px", cursor: "pointer" },
  ".cm-change-added": { borderLeft: "3px solid var(--added)" },
  ".cm-change-changed": { borderLeft: "3px dotted var(--ask-edge)" },
  ".cm-change-deleted": { boxShadow: "inset 0 -3px var(--removed)" },
  ".cm-change-peek": {
    backgroundColor: "var(--surface)",
    borderTop: "1px solid var(--line)",
    borderBottom: "1px solid var(--line)",
  },
  ".cm-change-peek-head": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "8px",
    padding: "4px 8px",
    font: "12px/16px var(--font-sans)",
    color: "var(--ink-muted)",
  },
  ".cm-change-peek-head button": {
    padding: "3px 8px",
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-change-peek-head button:hover": { backgroundColor: "var(--hover)" },
  ".cm-change-peek pre": { margin: "0", padding: "4px 8px 6px", overflowX: "auto", maxHeight: "220px" },
});

export const changeGutter = (texts: ChangeGutterTexts): Extension => [
  changeState,
  comparison,
  EditorView.decorations.compute([changeState, EditorState.readOnly], (state) => shownLines(state, texts)),
  gutter({
    class: "cm-change-gutter",
    markers: ({ state }) => state.field(changeState).marks,
    domEventHandlers: { click: (view, { from }) => toggleRegion(view, from) },
  }),
  keymap.of([{ key: "Escape", run: hideRegion }]),
  theme,
];

/** Effect that sets the lines of the file in the last commit; null = no marks. */
export const committedLinesEffect = (lines: CommittedLines): StateEffect<CommittedLines> => setCommitted.of(lines);
