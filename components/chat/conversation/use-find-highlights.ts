"use client";
/** Highlights a searched text in the rendered rows with the CSS Custom Highlight API, without changing the DOM. */
import { type RefObject, useEffect } from "react";

/** Maximum number of highlighted ranges. */
const highlightsMax = 500;

function* findRanges(root: Element, needle: string): Generator<Range> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? "";
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      yield range;
    }
  }
}

export interface FindPosition {
  /** seq of the entry. */
  readonly seq: number;
  /** 0-based index of the match in the entry. */
  readonly nth: number;
}

export function useFindHighlights(
  scroller: RefObject<HTMLElement | null>,
  query: string,
  place: FindPosition | null,
): void {
  const seq = place?.seq ?? null;
  const nth = place?.nth ?? 0;
  useEffect(() => {
    const root = scroller.current;
    const needle = query.trim().toLowerCase();
    if (root === null || needle === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      const all: Range[] = [];
      const ofEntry: Range[] = [];
      for (const row of root.querySelectorAll<HTMLElement>("[data-seq]")) {
        const into = row.dataset.seq === String(seq) ? ofEntry : all;
        for (const range of findRanges(row, needle)) {
          if (all.length + ofEntry.length >= highlightsMax) break;
          into.push(range);
        }
      }
      // Collapsed text counts as a match but is not rendered: the last rendered match is used in its place.
      const current = ofEntry[Math.min(nth, ofEntry.length - 1)];
      CSS.highlights.set("find", new Highlight(...all, ...ofEntry.filter((range) => range !== current)));
      CSS.highlights.set("find-current", new Highlight(...(current === undefined ? [] : [current])));
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    mark();
    const observer = new MutationObserver(later);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete("find");
      CSS.highlights.delete("find-current");
    };
  }, [scroller, query, seq, nth]);
}
