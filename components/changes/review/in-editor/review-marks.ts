/**
 * Marks the lines of undecided changes beside the text of an editor, and shows an element below one of them. The marks
 * follow what the user types. Added to an editor with the first marks.
 */
import { type Extension, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker, keymap, WidgetType } from "@codemirror/view";
import type { HunkPlace } from "@/lib/review/hunk-places";

export interface ShownReview {
  /** By the index of the hunk; null = it is not marked. */
  readonly places: readonly (HunkPlace | null)[];
  /** The hunk below which `element` is shown; null = none. */
  readonly peek: { readonly hunk: number; readonly element: HTMLElement } | null;
  /** Called with the hunk whose mark the user clicks. */
  readonly onMark: (hunk: number) => void;
  readonly onStep: (direction: "next" | "previous") => void;
}

interface MarkState {
  readonly marks: RangeSet<ReviewMark>;
  readonly shown: DecorationSet;
  readonly handlers: Pick<ShownReview, "onMark" | "onStep"> | null;
}

class ReviewMark extends GutterMarker {
  constructor(
    readonly hunk: number,
    kind: "added" | "removed",
  ) {
    super();
    this.elementClass = `cm-review-${kind}`;
  }
}

class PeekWidget extends WidgetType {
  constructor(readonly element: HTMLElement) {
    super();
  }

  override eq(other: PeekWidget): boolean {
    return other.element === this.element;
  }

  override toDOM(): HTMLElement {
    return this.element;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const setReview = StateEffect.define<ShownReview | null>();

const empty: MarkState = { marks: RangeSet.empty, shown: Decoration.none, handlers: null };

const markState = StateField.define<MarkState>({
  create: () => empty,
  update: (before, { docChanged, changes, newDoc, effects }) => {
    let next = docChanged ? { ...before, marks: before.marks.map(changes), shown: before.shown.map(changes) } : before;
    for (const effect of effects)
      if (effect.is(setReview)) next = effect.value === null ? empty : createMarks(effect.value, newDoc);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

function createMarks({ places, peek, onMark, onStep }: ShownReview, doc: Text): MarkState {
  const startOf = (line: number): number => doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
  const marks = places.flatMap((place, hunk) => [
    ...(place?.added ?? []).map((line) => new ReviewMark(hunk, "added").range(startOf(line))),
    ...(place?.removedAfter ?? []).map((line) => new ReviewMark(hunk, "removed").range(startOf(line))),
  ]);
  const place = peek === null ? null : places[peek.hunk];
  return {
    marks: RangeSet.of(marks, true),
    shown: peek === null || !place ? Decoration.none : showPeek(peek.element, place, startOf, doc),
    handlers: { onMark, onStep },
  };
}

const addedLine = Decoration.line({ class: "cm-review-line" });

function showPeek(
  element: HTMLElement,
  { added, end }: HunkPlace,
  startOf: (line: number) => number,
  doc: Text,
): DecorationSet {
  const widget = new PeekWidget(element);
  const block =
    end === 0
      ? Decoration.widget({ widget, block: true, side: -1 }).range(0)
      : Decoration.widget({ widget, block: true, side: 1 }).range(doc.line(Math.min(end, doc.lines)).to);
  return Decoration.set([...added.map((line) => addedLine.range(startOf(line))), block], true);
}

function openMark({ state }: EditorView, from: number, to: number): boolean {
  const { marks, handlers } = state.field(markState);
  const found = marks.iter(from);
  if (found.value === null || found.from > to) return false;
  handlers?.onMark(found.value.hunk);
  return true;
}

const step =
  (direction: "next" | "previous") =>
  ({ state }: EditorView): boolean => {
    const { handlers } = state.field(markState);
    handlers?.onStep(direction);
    return handlers !== null;
  };

const theme = EditorView.theme({
  ".cm-review-gutter .cm-gutterElement": { boxSizing: "border-box", width: "9px", cursor: "pointer" },
  ".cm-review-gutter .cm-review-added": {
    background: "linear-gradient(var(--accent), var(--accent)) 2px 0 / 4px 100% no-repeat",
  },
  ".cm-review-gutter .cm-review-removed": { boxShadow: "inset 0 -3px var(--accent)" },
  ".cm-review-line": { backgroundColor: "color-mix(in oklch, var(--added) 12%, transparent)" },
});

const extension: Extension = [
  markState,
  gutter({
    class: "cm-review-gutter",
    markers: ({ state }) => state.field(markState).marks,
    domEventHandlers: { click: (view, { from, to }) => openMark(view, from, to) },
  }),
  keymap.of([{ key: "F7", run: step("next"), shift: step("previous") }]),
  theme,
];

/** Shows a review in the editor, in place of the shown one; null = none. */
export function showReview(view: EditorView, review: ShownReview | null): void {
  const isAdded = view.state.field(markState, false) !== undefined;
  if (!isAdded && review === null) return;
  if (!isAdded) view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  view.dispatch({ effects: setReview.of(review) });
}
