/** Shows the first lines of the declarations around the top of the view above the text; a click goes to one. */
import { highlightingFor, syntaxTree } from "@codemirror/language";
import type { EditorState, Line } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { highlightTree } from "@lezer/highlight";
import { findEnclosing } from "./symbols";

const maxLines = 4;
/** Share of the view that they may cover. */
const maxShare = 1 / 3;

/** Returns the numbers of the first lines of the declarations that contain a position and start above its line. */
export function declarationLines(state: EditorState, position: number): readonly number[] {
  const { number } = state.doc.lineAt(position);
  const starts = findEnclosing(state, position).map(({ from }) => state.doc.lineAt(from).number);
  return [...new Set(starts)].filter((start) => start < number);
}

/** Returns the lines that are shown above the text, the outermost first. */
function findStickyLines(view: EditorView): readonly Line[] {
  const { state, scrollDOM, defaultLineHeight } = view;
  const top = scrollDOM.getBoundingClientRect().top - view.documentTop;
  const found: Line[] = [];
  const most = Math.min(maxLines, Math.floor((scrollDOM.clientHeight * maxShare) / defaultLineHeight));
  while (top > 0 && found.length < most) {
    const covered = view.lineBlockAtHeight(top + found.length * defaultLineHeight);
    const next = declarationLines(state, covered.from)[found.length];
    if (next === undefined) break;
    found.push(state.doc.line(next));
  }
  return found;
}

function makeRow(): HTMLElement {
  const row = document.createElement("div");
  row.className = "cm-sticky-line";
  return row;
}

/** Returns the highlighted parts of a line. */
function drawLine(state: EditorState, { from, to }: Line): readonly HTMLElement[] {
  const parts: HTMLElement[] = [];
  let end = from;
  const add = (until: number, style: string): void => {
    if (until <= end) return;
    const part = document.createElement("span");
    part.className = style;
    part.textContent = state.sliceDoc(end, until);
    parts.push(part);
    end = until;
  };
  const styles = { style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags) };
  const put = (start: number, until: number, style: string): void => {
    add(Math.max(start, from), "");
    add(Math.min(until, to), style);
  };
  highlightTree(syntaxTree(state), styles, put, from, to);
  add(to, "");
  return parts;
}

const plugin = ViewPlugin.define((view) => {
  // The path above the text lists the same declarations for keyboard and screen reader.
  const box = view.dom.appendChild(document.createElement("div"));
  box.className = "cm-sticky-lines";
  box.ariaHidden = "true";
  let shown: readonly Line[] = [];
  const measure = {
    read: () => ({ lines: findStickyLines(view), left: view.contentDOM.offsetLeft, top: view.scrollDOM.offsetTop }),
    write: ({ lines, left, top }: { lines: readonly Line[]; left: number; top: number }): void => {
      shown = lines;
      box.hidden = lines.length === 0;
      box.style.cssText = `top: ${top}px; padding-left: ${left}px; tab-size: ${view.state.tabSize}`;
      // The rows stay: there is no click on an element that is replaced between press and release.
      while (box.childElementCount < lines.length) box.append(makeRow());
      while (box.childElementCount > lines.length) box.lastElementChild?.remove();
      for (const [index, line] of lines.entries()) box.children[index]?.replaceChildren(...drawLine(view.state, line));
    },
  };
  const update = (): void => view.requestMeasure(measure);
  const goTo = ({ target }: MouseEvent): void => {
    const line = shown[[...box.children].findIndex((row) => row === target)];
    if (line === undefined) return;
    view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "start" }) });
    view.focus();
  };
  view.scrollDOM.addEventListener("scroll", update);
  box.addEventListener("click", goTo);
  update();
  return {
    update,
    height: () => box.offsetHeight,
    destroy: () => {
      view.scrollDOM.removeEventListener("scroll", update);
      box.remove();
    },
  };
});

/** Above the caret there is space for the lines. */
const margins = EditorView.scrollMargins.of((view) => ({ top: view.plugin(plugin)?.height() ?? 0 }));

const theme = EditorView.theme({
  ".cm-sticky-lines": {
    position: "absolute",
    left: "0",
    right: "0",
    zIndex: "1",
    overflow: "hidden",
    backgroundColor: "var(--canvas)",
    borderBottom: "1px solid var(--line)",
    font: "var(--editor-font-size)/calc(var(--editor-font-size) + 7px) var(--font-mono)",
    fontVariantLigatures: "none",
  },
  ".cm-sticky-line": { padding: "0 16px 0 6px", whiteSpace: "pre", cursor: "pointer" },
  ".cm-sticky-line > span": { pointerEvents: "none" },
  ".cm-sticky-line:hover": { backgroundColor: "var(--hover)" },
});

export const stickyScroll = [plugin, margins, theme];
