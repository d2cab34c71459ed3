/** Shows a part of a large text file in a CodeMirror view; loads what follows and precedes it while it is scrolled. */
import { defaultKeymap } from "@codemirror/commands";
import { type ChangeSpec, EditorState, type StateEffect, Text, type TransactionSpec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { editorTheme } from "../../ui/code-editor/editor-theme";
import { createVersionReads, type RangeProblem, type RangeReader } from "./range-reader";
import {
  appendPiece,
  decodeBetween,
  decodeNext,
  decodePrevious,
  pieceBytes,
  type PieceWindow,
  prependPiece,
  type TextPiece,
} from "./piece-window";

interface LargeTextInput {
  readonly parent: HTMLElement;
  readonly reader: RangeReader;
  /** Accessible name of the text. */
  readonly label: string;
  readonly fontSize: number;
  /** Null = the last read succeeded. */
  readonly onProblem: (problem: RangeProblem | null) => void;
  readonly onScroll: (visible: VisiblePart) => void;
  /** Ctrl+F was pressed: only a part of the text is loaded, so the caller searches the file. */
  readonly onFind: () => void;
}

/** The visible part of the file: two shares of its bytes, from 0 to 1. */
export interface VisiblePart {
  readonly top: number;
  readonly bottom: number;
}

type Place = "start" | "end";

export interface LargeText {
  /** Reads the file again and shows its start or its end. */
  readonly show: (place: Place) => void;
  /** Moves the text after this share of the file's bytes to the top, 0 to 1; during a read only the last call counts. */
  readonly seek: (share: number) => void;
  /** Reports whether the file on disk has changed. */
  readonly compare: () => void;
  readonly focus: () => void;
  /** Empty = nothing is selected. */
  readonly selectedText: () => string;
  readonly close: () => void;
}

/** The next piece is loaded when the end of the loaded text is closer than this, px. */
const loadAheadPx = 3_000;

export function openLargeText(input: LargeTextInput): LargeText {
  const { reader, onProblem, onScroll } = input;
  let loaded: PieceWindow | null = null;
  const version = createVersionReads(reader, onProblem);
  const { read } = version;
  const view = createView(input, {
    formatNumber: (line) => formatLine(loaded, line),
    show: (place) => show(place),
    onResize: () => requestAnimationFrame(extend),
  });

  /** The view limits a position to scroll to by the text before a transaction, so the text changes in one of its own. */
  const change = (changes: ChangeSpec, position: TransactionSpec): void => {
    view.dispatch({ changes });
    view.dispatch(position);
  };
  const reset = (piece: TextPiece, firstLine: number | null, at: Place): void => {
    loaded = { pieces: [piece], firstLine };
    const insert = toDocument(piece.text);
    const caret = at === "start" ? 0 : insert.length;
    const effects = EditorView.scrollIntoView(caret, { y: at });
    change({ from: 0, to: view.state.doc.length, insert }, { selection: { anchor: caret }, effects });
  };
  const show = (place: Place): boolean => {
    version.forget();
    if (place === "start") void read(0, pieceBytes, (bytes) => reset(decodeNext(bytes, 0, version.size()), 1, "start"));
    else
      void read(-pieceBytes, 0, (bytes, from) => {
        const piece = decodePrevious(bytes, from);
        reset(piece, piece.from === 0 ? 1 : null, "end");
      });
    return true;
  };
  const moveTo = async (byte: number): Promise<void> => {
    const { from, to } = loaded === null ? { from: 0, to: 0 } : boundsOf(loaded);
    const { scrollDOM } = view;
    const top = ((byte - from) / (to - from)) * scrollDOM.scrollHeight;
    if (from <= byte && (top + scrollDOM.clientHeight <= scrollDOM.scrollHeight || to === version.size()))
      scrollDOM.scrollTop = top;
    else
      await read(byte, byte + pieceBytes, (bytes, start) => {
        const piece = decodeBetween(bytes, start, version.size());
        reset(piece, piece.from === 0 ? 1 : null, "start");
      });
  };
  const seek = createLatestCall((share) => moveTo(Math.floor(share * version.size())));
  const extend = (): void => {
    if (loaded !== null) onScroll(findVisible(loaded, version.size(), view.scrollDOM));
    if (version.isReading() || loaded === null) return;
    const missing = findMissing(loaded, version.size(), view.scrollDOM);
    if (missing === null) return;
    void read(missing.from, missing.to, (bytes, from) => {
      if (loaded === null) return;
      const { length } = view.state.doc;
      const piece = missing.isNext ? decodeNext(bytes, from, version.size()) : decodePrevious(bytes, from);
      const { window, dropped } = missing.isNext ? appendPiece(loaded, piece) : prependPiece(loaded, piece);
      loaded = window;
      const insert = { from: missing.isNext ? length : 0, insert: toDocument(piece.text) };
      const changes = [insert, missing.isNext ? { from: 0, to: dropped } : { from: length - dropped, to: length }];
      const moved = missing.isNext ? -dropped : insert.insert.length;
      change(changes, { effects: scrollBack(view, moved) });
    });
  };
  view.scrollDOM.addEventListener("scroll", extend, { passive: true });
  return {
    show,
    seek,
    compare: () => {
      if (!version.isReading()) void read(0, 1, extend);
    },
    focus: () => view.focus(),
    selectedText: () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to),
    close: () => {
      version.stop();
      view.destroy();
    },
  };
}

/** Returns a function that calls `run` one call at a time; of the calls made meanwhile only the last one runs. */
function createLatestCall(run: (value: number) => Promise<void>): (value: number) => void {
  let wanted: number | null = null;
  const follow = async (first: number): Promise<void> => {
    for (let next: number | null = first; next !== null; next = wanted) {
      await run(next);
      if (wanted === next) wanted = null;
    }
  };
  return (value) => {
    const isRunning = wanted !== null;
    wanted = value;
    if (!isRunning) void follow(value);
  };
}

interface ViewHandlers {
  readonly formatNumber: (line: number) => string;
  readonly show: (place: Place) => boolean;
  /** The text or its height has changed: lines are measured only while they are visible, without a scroll event. */
  readonly onResize: () => void;
}

/** Creates the view, in which nothing can be typed. */
const createView = (
  { parent, label, fontSize, onFind }: LargeTextInput,
  { formatNumber, show, onResize }: ViewHandlers,
): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers({ formatNumber }),
        highlightSpecialChars(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ geometryChanged }) => {
          if (geometryChanged) onResize();
        }),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.editorAttributes.of({ style: `--editor-font-size: ${fontSize}px` }),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
        keymap.of([
          {
            key: "Mod-f",
            run: () => {
              onFind();
              return true;
            },
          },
          { key: "Mod-Home", mac: "Cmd-ArrowUp", run: () => show("start") },
          { key: "Mod-End", mac: "Cmd-ArrowDown", run: () => show("end") },
          ...defaultKeymap,
        ]),
        editorTheme,
        EditorView.theme({ ".cm-scroller": { scrollbarWidth: "none" } }),
      ],
    }),
  });

/**
 * Returns the effect that scrolls to what is visible now when the text before it has `moved` characters more. The view's
 * own snapshot is by line, which is too coarse for a line of megabytes.
 */
function scrollBack(view: EditorView, moved: number): StateEffect<unknown>[] {
  const { left, top } = view.contentDOM.getBoundingClientRect();
  const visible = view.scrollDOM.getBoundingClientRect();
  const at = view.posAtCoords({ x: left + 8, y: Math.max(visible.top, top) + 8 }, false);
  const place = view.coordsAtPos(at, 1);
  const yMargin = place === null ? 0 : place.top - visible.top;
  return [EditorView.scrollIntoView(Math.max(0, at + moved), { y: "start", yMargin })];
}

/** Returns the bytes to load for this scroll position; null = enough is loaded around it. */
function findMissing(
  loaded: PieceWindow,
  size: number,
  { scrollTop, clientHeight, scrollHeight }: HTMLElement,
): { readonly from: number; readonly to: number; readonly isNext: boolean } | null {
  const { from, to } = boundsOf(loaded);
  if (to < size && scrollTop + clientHeight > scrollHeight - loadAheadPx)
    return { from: to, to: to + pieceBytes, isNext: true };
  if (from > 0 && scrollTop < loadAheadPx) return { from: Math.max(0, from - pieceBytes), to: from, isNext: false };
  return null;
}

function findVisible(loaded: PieceWindow, size: number, scroller: HTMLElement): VisiblePart {
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  const { from, to } = boundsOf(loaded);
  const shareAt = (top: number): number => (from + (top / scrollHeight) * (to - from)) / Math.max(1, size);
  return { top: shareAt(scrollTop), bottom: Math.min(1, shareAt(scrollTop + clientHeight)) };
}

const boundsOf = ({ pieces }: PieceWindow): { readonly from: number; readonly to: number } => ({
  from: pieces[0]?.from ?? 0,
  to: pieces.at(-1)?.to ?? 0,
});

const toDocument = (text: string): Text => Text.of(text.split("\n"));

/** Empty where the number is not known: after a jump to the end. */
function formatLine(loaded: PieceWindow | null, line: number): string {
  const firstLine = loaded?.firstLine ?? null;
  return firstLine === null ? "" : String(firstLine + line - 1);
}
