/**
 * Marks the lines of undecided changes beside the text of an editor, and shows an element below one of them. The marks
 * follow what the user types. Added to an editor with the first marks.
 */
import { type Extension, Prec, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
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
import type { HunkPlace } from "@/lib/review/hunk-places";

export interface ShownReview {
  /** By the index of the hunk; null = it is not marked. */
  readonly places: readonly (HunkPlace | null)[];
  /** The hunk below which `element` is shown; null = none. */
  readonly peek: { readonly hunk: number; readonly element: HTMLElement } | null;
  /** Called with the hunk whose mark the user clicks. */
  readonly onMark: (hunk: number) => void;
  readonly onStep: (direction: "next" | "previous") => void;
  /** Called when the text has not changed for a moment since it did: the lines may have other places. */
  readonly onEdited: () => void;
}

/** Delay from a change of the text, ms. */
const editDelayMs = 150;

interface MarkState {
  readonly marks: RangeSet<ReviewMark>;
  readonly shown: DecorationSet;
  readonly handlers: Pick<ShownReview, "onMark" | "onStep" | "onEdited"> | null;
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
    this.element.className = "cm-review-place";
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

function createMarks({ places, peek, ...handlers }: ShownReview, doc: Text): MarkState {
  const startOf = (line: number): number => doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
  const marks = places.flatMap((place, hunk) => [
    ...(place?.added ?? []).map((line) => new ReviewMark(hunk, "added").range(startOf(line))),
    ...(place?.removedAfter ?? []).map((line) => new ReviewMark(hunk, "removed").range(startOf(line))),
  ]);
  const place = peek === null ? null : places[peek.hunk];
  return {
    marks: RangeSet.of(marks, true),
    shown: peek === null || !place ? Decoration.none : showPeek(peek.element, place, startOf, doc),
    handlers,
  };
}

const addedLine = Decoration.line({ class: "cm-review-line" });

/** The element is below its changes; where they have more lines, it is above them, so that both are seen. */
const maxLinesAbove = 8;

/** Returns the line after which the element of a hunk is; 0 = before the first line. */
export const findPeekLine = ({ start, end }: HunkPlace): number => (end - start > maxLinesAbove ? start : end);

function showPeek(element: HTMLElement, place: HunkPlace, startOf: (line: number) => number, doc: Text): DecorationSet {
  const widget = new PeekWidget(element);
  const line = findPeekLine(place);
  const block =
    line === 0
      ? Decoration.widget({ widget, block: true, side: -1 }).range(0)
      : Decoration.widget({ widget, block: true, side: 1 }).range(doc.line(Math.min(line, doc.lines)).to);
  return Decoration.set([...place.added.map((added) => addedLine.range(startOf(added))), block], true);
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

const edits = ViewPlugin.define((view) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    update: ({ docChanged }) => {
      if (!docChanged) return;
      clearTimeout(timer);
      timer = setTimeout(() => view.state.field(markState).handlers?.onEdited(), editDelayMs);
    },
    destroy: () => clearTimeout(timer),
  };
});

/** Sets the width of the visible part of the text, and its distance from the left, for the element below a hunk. */
const width = ViewPlugin.define((view) => {
  const measure = (): void =>
    view.requestMeasure({
      key: "review-width",
      read: ({ scrollDOM, contentDOM }) => ({ left: contentDOM.offsetLeft, width: scrollDOM.clientWidth }),
      write: (visible, { scrollDOM }) => {
        scrollDOM.style.setProperty("--review-left", `${visible.left}px`);
        scrollDOM.style.setProperty("--review-width", `${visible.width - visible.left}px`);
      },
    });
  measure();
  return {
    update: ({ geometryChanged }) => {
      if (geometryChanged) measure();
    },
  };
});

const theme = EditorView.theme({
  ".cm-review-gutter .cm-gutterElement": { boxSizing: "border-box", width: "8px", cursor: "pointer" },
  ".cm-review-gutter .cm-review-added": { borderLeft: "4px solid var(--accent)" },
  ".cm-review-gutter .cm-review-removed": { boxShadow: "inset 0 -4px var(--accent)" },
  ".cm-line.cm-review-line": { backgroundColor: "var(--added-line)" },
  ".cm-review-place": { position: "sticky", left: "var(--review-left)", width: "var(--review-width)" },
});

const extension: Extension = [
  markState,
  // At the left edge: the marks of git are beside the text.
  Prec.high(
    gutter({
      class: "cm-review-gutter",
      markers: ({ state }) => state.field(markState).marks,
      domEventHandlers: { click: (view, { from, to }) => openMark(view, from, to) },
    }),
  ),
  keymap.of([{ key: "F7", run: step("next"), shift: step("previous") }]),
  edits,
  width,
  theme,
];

/** Shows a review in the editor, in place of the shown one; null = none. */
export function showReview(view: EditorView, review: ShownReview | null): void {
  const isAdded = view.state.field(markState, false) !== undefined;
  if (!isAdded && review === null) return;
  if (!isAdded) view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  view.dispatch({ effects: setReview.of(review) });
}
