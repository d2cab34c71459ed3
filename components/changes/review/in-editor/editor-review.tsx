"use client";
/** The undecided changes of an open file: a bar above its text, marks beside the lines, and one change in place. */
import { EditorView } from "@codemirror/view";
import { type KeyboardEvent, type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { findHunkPlaces, type HunkPlace } from "@/lib/review/hunk-places";
import type { FileUnderReview, ReviewState } from "@/lib/review/review-files";
import type { SessionView } from "@/lib/view/view";
import { opensKeyboard } from "../../../ui/browser/focus";
import { isForInputMethod } from "../../../ui/browser/is-for-input-method";
import { useReviewComments } from "../review-comments-store";
import { useCommentSending } from "../use-comment-sending";
import { useReviewActions } from "../use-review";
import { DecidedBar, ReviewBar } from "./review-bar";
import { findPeekLine, showReview } from "./review-marks";
import { ReviewPeek } from "./review-peek";
import { type HunkWalk, useHunkWalk } from "./use-hunk-walk";

export interface EditorText {
  readonly path: string;
  /** The text on the disk, on which the shown one is based. */
  readonly disk: string;
  /** Shows the text. */
  readonly view: EditorView;
}

interface EditorReviewProps extends EditorText {
  readonly session: SessionView;
  readonly state: ReviewState;
  /** Absent = every change of the file is decided. */
  readonly file: FileUnderReview | undefined;
}

type Verdict = "accept" | "reject";
type Direction = "next" | "previous";

const noHunks: FileUnderReview["hunks"] = [];

export function EditorReview({ session, state, file, path, disk, view }: EditorReviewProps) {
  const actions = useReviewActions(session);
  const comments = useReviewComments(session.sessionId);
  const sending = useCommentSending(session, comments);
  const frame = useRef<HTMLDivElement>(null);
  const [isDecidedHere, setDecidedHere] = useState(false);
  // A file that was deleted has no lines.
  const hunks = file === undefined || file.kind === "deleted" ? noHunks : file.hunks;
  const walk = useHunkWalk(hunks);
  const { shown } = walk;
  const step = (direction: Direction): void => {
    const next = findNext(findHunkPlaces(hunks, disk, linesOf(view)), caretLine(view), shown?.index ?? null, direction);
    if (next !== null) walk.show(next);
  };
  const close = (): void => {
    walk.show(null);
    if (opensKeyboard()) frame.current?.focus();
    else view.focus();
  };
  const toggle = (hunk: number): void => (hunk === shown?.index ? close() : walk.show(hunk));
  const element = useShownReview({ view, hunks, disk, shown, toggle, step });
  useFocusInBar(frame, file !== undefined, isDecidedHere);
  const decide = async (verdict: Verdict, hunk?: number): Promise<void> => {
    if (file === undefined) return;
    const { hash } = file;
    walk.follow(hunk !== undefined);
    setDecidedHere(true);
    const chosen = hunk === undefined ? {} : { hunks: [{ hunk }] };
    if (await actions.decide([{ path, hash, verdict, ...chosen }])) return;
    walk.follow(false);
    setDecidedHere(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!isReviewKey(event)) return;
    switch (event.key) {
      case "y":
      case "x":
      case "c":
        element?.querySelector<HTMLElement>(`[data-review-key="${event.key}"]`)?.click();
        break;
      case "]":
      case "[":
        step(event.key === "]" ? "next" : "previous");
        break;
      case "F7":
        step(event.shiftKey ? "previous" : "next");
        break;
      case "u":
        void actions.undo();
        break;
      case "Escape":
        close();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  const onDisk = useMemo(() => findHunkPlaces(hunks, disk, disk.split("\n")), [hunks, disk]);
  const hunk = shown === null ? undefined : hunks[shown.index];
  return (
    <div className="contents" onKeyDown={onKeyDown}>
      {file !== undefined ? (
        <ReviewBar
          {...{ frame, file }}
          waiting={state.waiting}
          canStep={onDisk.some((place) => place !== null)}
          isBusy={actions.isBusy}
          comments={comments.list.length}
          isSending={sending.isSending}
          onStep={step}
          onDecide={(verdict) => void decide(verdict)}
          onSend={() => void sending.send()}
        />
      ) : (
        isDecidedHere && (
          <DecidedBar
            frame={frame}
            waiting={state.waiting}
            isBusy={actions.isBusy}
            onUndo={state.newest === null && state.waiting === 0 ? undefined : () => void actions.undo()}
            onClose={() => {
              setDecidedHere(false);
              if (!opensKeyboard()) view.focus();
            }}
          />
        )
      )}
      {element !== null &&
        shown !== null &&
        hunk !== undefined &&
        createPortal(
          <ReviewPeek
            key={shown.key}
            {...{ path, hunk, comments }}
            index={shown.index}
            count={hunks.length}
            isBusy={actions.isBusy}
            onDecide={(verdict) => void decide(verdict, shown.index)}
            onClose={close}
          />,
          element,
        )}
    </div>
  );
}

/** Keys that a field does not take. */
function isReviewKey(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, nativeEvent } = event;
  if (isForInputMethod(nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return false;
  return target instanceof Element && target.closest("textarea, input") === null;
}

const linesOf = ({ state }: EditorView): readonly string[] => [...state.doc.iterLines()];
const caretLine = ({ state }: EditorView): number => state.doc.lineAt(state.selection.main.head).number;

/** Returns the hunk after or before the shown one, or the caret; from the last one to the first one and back. */
function findNext(
  places: readonly (HunkPlace | null)[],
  caret: number,
  shown: number | null,
  direction: Direction,
): number | null {
  const all = places.flatMap((place, hunk) => (place === null ? [] : [{ hunk, end: place.end }]));
  const isNext = direction === "next";
  const isBeyond = ({ hunk, end }: (typeof all)[number]): boolean => {
    if (shown !== null) return isNext ? hunk > shown : hunk < shown;
    return isNext ? end >= caret : end < caret;
  };
  const found = isNext ? (all.find(isBeyond) ?? all[0]) : (all.findLast(isBeyond) ?? all.at(-1));
  return found?.hunk ?? null;
}

interface ShownReviewInput {
  readonly view: EditorView;
  readonly hunks: FileUnderReview["hunks"];
  readonly disk: string;
  readonly shown: HunkWalk["shown"];
  readonly toggle: (hunk: number) => void;
  readonly step: (direction: Direction) => void;
}

/** Marks the hunks in the editor. Returns the element in which the shown one is drawn, which gets the focus; null = none. */
function useShownReview({ view, hunks, disk, shown, toggle, step }: ShownReviewInput): HTMLElement | null {
  const index = shown?.index ?? null;
  const key = shown?.key ?? null;
  const element = useMemo(() => (key === null ? null : document.createElement("div")), [key]);
  const [edits, setEdits] = useState(0);
  const onMark = useEffectEvent(toggle);
  const onStep = useEffectEvent(step);
  useLayoutEffect(() => () => showReview(view, null), [view]);
  useLayoutEffect(() => {
    const { activeElement } = document;
    showReview(view, {
      places: findHunkPlaces(hunks, disk, linesOf(view)),
      peek: element === null || index === null ? null : { hunk: index, element },
      onMark: (hunk) => onMark(hunk),
      onStep: (direction) => onStep(direction),
      onEdited: () => setEdits((count) => count + 1),
    });
    // A change that has another place by now was drawn again.
    if (activeElement instanceof HTMLElement && element?.contains(activeElement) === true)
      activeElement.focus({ preventScroll: true });
  }, [view, hunks, disk, index, element, edits]);
  const reveal = useEffectEvent((shownElement: HTMLElement) => {
    const place = index === null ? null : findHunkPlaces(hunks, disk, linesOf(view))[index];
    if (!place) return;
    const { from } = view.state.doc.line(Math.max(1, findPeekLine(place)));
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    shownElement.querySelector<HTMLElement>("[data-review-peek]")?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    if (element === null) return;
    reveal(element);
    const observer = new ResizeObserver(() => view.requestMeasure());
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, view]);
  return element;
}

/** Gives the bar the focus that the last decided change had, or the button that undid the decision. */
function useFocusInBar(frame: RefObject<HTMLElement | null>, isUndecided: boolean, isDecidedHere: boolean): void {
  const isDecided = useEffectEvent(() => isDecidedHere);
  useLayoutEffect(() => {
    if (isDecided() && document.activeElement === document.body) frame.current?.focus();
  }, [frame, isUndecided]);
}
