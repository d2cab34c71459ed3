/** The line a program is writing, as a terminal shows it: what comes behind a carriage return or a backspace overwrites. Used by ansi.ts. */

import { cellWidth } from "./cell-width";

/** A line this long is no progress bar: it is given out as it comes. UTF-16 units. */
const maxHeldChars = 8_192;

/** The second cell of a character of double width. */
const second = "";
/** What is drawn over one character; more is left out. UTF-16 units. */
const maxCellChars = 64;

/** Ends the character that reaches over the border before a cell: its other half is blank, as in a terminal. */
function partAt(cells: string[], at: number): void {
  if (cells[at] !== second) return;
  cells[at - 1] = " ";
  cells[at] = " ";
}

/** Puts a character into the cell at `column`, or over the one before it; returns the column behind it. */
function putChar(cells: string[], column: number, char: string): number {
  const width = cellWidth(char);
  if (width === 0 && column > 0) {
    const at = cells[column - 1] === second ? column - 2 : column - 1;
    const below = cells[at] ?? " ";
    if (below.length < maxCellChars) cells[at] = below + char;
    return column;
  }
  const end = column + Math.max(width, 1);
  partAt(cells, column);
  partAt(cells, end);
  cells[column] = char;
  if (width === 2) cells[column + 1] = second;
  return end;
}

function cellsOf(text: string): string[] {
  const cells: string[] = [];
  let column = 0;
  for (const char of text) column = putChar(cells, column, char);
  return cells;
}

/** One cell is one column: a character of double width has two, what is drawn over another has none. */
export class TerminalLine {
  /** Given out of this line already. */
  #given = "";
  /** Its start was given out and is not kept: it cannot be written over. */
  #isLong = false;
  #held = "";
  /** The whole line once the cursor has left its end; until then what was given and held is it. */
  #cells: string[] | null = null;
  #cursor = 0;
  #givenCells = 0;
  #isOverwritten = false;

  /** Text without control characters. Returns what is settled: whole lines, and a line too long to hold. */
  add(text: string): string {
    const whole = text.lastIndexOf("\n") + 1;
    if (whole > 0) {
      const out = this.end() + text.slice(0, whole);
      return out + (whole < text.length ? this.add(text.slice(whole)) : "");
    }
    if (this.#cells !== null) return this.#write(text, this.#cells);
    this.#held += text;
    return this.#given.length + this.#held.length <= maxHeldChars ? "" : this.#giveLong(this.#held);
  }

  /** The cursor goes to a column, 0 being the first. */
  move(column: number): void {
    this.#edit();
    this.#cursor = Math.max(0, Math.min(column, maxHeldChars));
  }

  moveBy(columns: number): void {
    this.#edit();
    this.move(this.#cursor + columns);
  }

  /** A control sequence by its parameters and its last letter; those that are not about one line mean nothing here. */
  control(parameters: string, letter: string): void {
    const isNothing = letter === "K" && this.#cells === null && /^0?$/.test(parameters);
    if (!/^\d*$/.test(parameters) || isNothing) return;
    const count = Math.max(1, Number(parameters || 1));
    if (letter === "C") this.moveBy(count);
    else if (letter === "D") this.moveBy(-count);
    else if (letter === "G") this.move(count - 1);
    else if (letter === "K") this.#erase(parameters);
    else if (letter === "P" || letter === "X") this.#remove(count, letter === "X");
  }

  /** Something but the end of the line was, or may be, written over: a line end must come alone. */
  get isEdited(): boolean {
    return this.#cells !== null;
  }

  /** The unfinished line; "" for one that is being redrawn. */
  flush(): string {
    if (this.#cells !== null) return "";
    const out = this.#held;
    this.#given += out;
    this.#held = "";
    return out;
  }

  /** What is left of the line; the next one begins. */
  end(): string {
    const out = this.#rest();
    this.#given = this.#held = "";
    this.#cells = null;
    this.#isLong = this.#isOverwritten = false;
    return out;
  }

  #rest(): string {
    if (this.#cells === null) return this.#held;
    return this.#isOverwritten ? `\n${this.#cells.join("")}` : this.#cells.slice(this.#givenCells).join("");
  }

  #giveLong(out: string): string {
    this.end();
    this.#isLong = true;
    return out;
  }

  #edit(): string[] {
    if (this.#cells !== null) return this.#cells;
    const before = cellsOf(this.#given);
    // The start of a long line is gone: what writes over it stands on a line of its own.
    const cells = this.#isLong ? [] : cellsOf(this.#given + this.#held);
    this.#givenCells = this.#isLong ? Number.POSITIVE_INFINITY : before.length;
    this.#cursor = cells.length;
    this.#cells = cells;
    return cells;
  }

  #touch(from: number): void {
    this.#isOverwritten ||= from < this.#givenCells;
  }

  #write(text: string, cells: string[]): string {
    for (const char of text) {
      while (cells.length < this.#cursor) cells.push(" ");
      this.#touch(this.#cursor);
      this.#cursor = putChar(cells, this.#cursor, char);
    }
    return cells.length <= maxHeldChars ? "" : this.#giveLong(this.#rest());
  }

  #erase(mode: string): void {
    const cells = this.#edit();
    const from = mode === "1" || mode === "2" ? 0 : this.#cursor;
    if (from < cells.length) this.#touch(from);
    partAt(cells, mode === "1" ? this.#cursor + 1 : from);
    if (mode === "1") cells.fill(" ", 0, Math.min(this.#cursor + 1, cells.length));
    else cells.length = Math.min(from, cells.length);
  }

  #remove(count: number, leavesBlanks: boolean): void {
    const cells = this.#edit();
    if (this.#cursor < cells.length) this.#touch(this.#cursor);
    partAt(cells, this.#cursor);
    partAt(cells, this.#cursor + count);
    const removed = cells.splice(this.#cursor, count);
    if (leavesBlanks) cells.splice(this.#cursor, 0, ...removed.map(() => " "));
  }
}
