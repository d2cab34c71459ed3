/** Finds in the output of a terminal: marks the matches, selects one, and reports their number while output comes in. */
import type { IDecoration, Terminal } from "@xterm/xterm";
import { type CellRange, chooseMatch, findCellRanges } from "./terminal-rows";

/** The matches of a find in the output of a terminal. */
export interface TerminalMatches {
  /** At most `maxMatches`. */
  readonly total: number;
  /** False = there are more. */
  readonly isComplete: boolean;
  /** 1-based position of the selected match; 0 = none is selected, or there are more than `maxMatches`. */
  readonly position: number;
}

export interface TerminalFindRequest {
  readonly pattern: RegExp;
  readonly direction: "next" | "previous";
  /** Whether the query has changed: a match at the start of the selection is kept. */
  readonly isNewQuery: boolean;
  /** Called at once, and after each change of the output until the find ends or is replaced. */
  readonly report: (matches: TerminalMatches) => void;
}

interface TerminalSearch {
  readonly find: (request: TerminalFindRequest) => void;
  /** Removes the marks; the selection stays. */
  readonly end: () => void;
}

interface MatchColours {
  readonly match: string;
  readonly active: string;
}

const maxMatches = 10_000;

/** Each mark takes time to draw. */
const maxMarks = 1_000;

/** Delay from new output until it is searched, ms. */
const searchDelayMs = 200;

export function createTerminalSearch(terminal: Terminal, readColours: () => MatchColours): TerminalSearch {
  let current: TerminalFindRequest | null = null;
  let marks: IDecoration[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const mark of marks) {
      mark.dispose();
      mark.marker.dispose();
    }
    marks = [];
  };
  const search = (request: TerminalFindRequest): readonly CellRange[] =>
    findCellRanges(terminal.buffer.active, terminal.cols, request.pattern, maxMatches);
  const show = (request: TerminalFindRequest, matches: readonly CellRange[], active: number): void => {
    clear();
    const first = Math.max(0, Math.min(active - maxMarks / 2, matches.length - maxMarks));
    const colours = readColours();
    marks = matches
      .slice(first, first + maxMarks)
      .flatMap((match, index) => markCells(terminal, match, first + index === active, colours));
    const isComplete = matches.length <= maxMatches;
    request.report({
      total: Math.min(matches.length, maxMatches),
      isComplete,
      position: isComplete ? active + 1 : 0,
    });
  };
  const refresh = (): void => {
    if (current === null) return;
    const request = current;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const matches = search(request);
      const selected = readSelection(terminal);
      show(
        request,
        matches,
        matches.findIndex(({ from, to }) => from === selected?.from && to === selected.to),
      );
    }, searchDelayMs);
  };
  terminal.onWriteParsed(refresh);
  terminal.onResize(refresh);
  return {
    find(request) {
      current = request;
      const matches = search(request);
      const index = chooseMatch(matches, readSelection(terminal), request.direction, request.isNewQuery);
      const match = matches[index];
      if (match === undefined) terminal.clearSelection();
      else selectCells(terminal, match);
      show(request, matches, index);
    },
    end() {
      current = null;
      clear();
    },
  };
}

function readSelection(terminal: Terminal): CellRange | null {
  const range = terminal.getSelectionPosition();
  if (range === undefined) return null;
  const cellOf = ({ x, y }: { readonly x: number; readonly y: number }): number => y * terminal.cols + x;
  return { from: cellOf(range.start), to: cellOf(range.end) };
}

/** Selects the cells, and scrolls to them if they are not on the screen. */
function selectCells(terminal: Terminal, { from, to }: CellRange): void {
  const row = Math.floor(from / terminal.cols);
  terminal.select(from % terminal.cols, row, to - from);
  const top = terminal.buffer.active.viewportY;
  if (row < top || row >= top + terminal.rows) terminal.scrollLines(row - top - Math.floor(terminal.rows / 2));
}

/** Marks the cells in each of their rows, and in the overview at the scrollbar. */
function markCells(
  terminal: Terminal,
  { from, to }: CellRange,
  isActive: boolean,
  colours: MatchColours,
): readonly IDecoration[] {
  const { cols: columns, buffer } = terminal;
  const backgroundColor = isActive ? colours.active : colours.match;
  const marks: IDecoration[] = [];
  for (let start = from; start < to; ) {
    const row = Math.floor(start / columns);
    const end = Math.min(to, (row + 1) * columns);
    const mark = terminal.registerDecoration({
      marker: terminal.registerMarker(row - buffer.active.baseY - buffer.active.cursorY),
      x: start % columns,
      width: end - start,
      backgroundColor,
      overviewRulerOptions: { color: backgroundColor, position: "center" },
    });
    if (mark !== undefined) marks.push(mark);
    start = end;
  }
  return marks;
}
