/** Model of the current terminal line, where text after a carriage return or backspace overwrites. */

import { cellWidth } from "./cell-width";

/** A longer line is not a progress bar and is emitted as it arrives. UTF-16 units. */
const maxHeldChars = 8_192;

/** Content of the second cell of a double-width character. */
const secondCell = "";
/** Maximum content of a cell with combining characters; further ones are dropped. UTF-16 units. */
const maxCellChars = 64;

/**
 * Blanks both halves of a double-width character whose second cell is at `at`, as terminals do when it is overwritten
 * in part.
 */
function blankSplitCharacter(cells: string[], at: number): void {
  if (cells[at] !== secondCell) return;
  cells[at - 1] = " ";
  cells[at] = " ";
}

/** Writes a character at `column`, or appends a combining character to the previous cell; returns the next column. */
function putChar(cells: string[], column: number, char: string): number {
  const width = cellWidth(char);
  if (width === 0 && column > 0) {
    const at = cells[column - 1] === secondCell ? column - 2 : column - 1;
    const below = cells[at] ?? " ";
    if (below.length < maxCellChars) cells[at] = below + char;
    return column;
  }
  const end = column + Math.max(width, 1);
  blankSplitCharacter(cells, column);
  blankSplitCharacter(cells, end);
  cells[column] = char;
  if (width === 2) cells[column + 1] = secondCell;
  return end;
}

function toCells(text: string): string[] {
  const cells: string[] = [];
  let column = 0;
  for (const char of text) column = putChar(cells, column, char);
  return cells;
}

/** One cell per column: a double-width character has two cells, a combining character none. */
export class TerminalLine {
  /** Text of this line that was already emitted. */
  #given = "";
  /** The start of the line was emitted and is not stored, so it cannot be overwritten. */
  #isLong = false;
  #held = "";
  /** Cells of the line once the cursor has left its end; before that the line is #given + #held. */
  #cells: string[] | null = null;
  #cursor = 0;
  #givenCells = 0;
  #isOverwritten = false;

  /**
   * Adds text without control characters other than tab and line feed. Returns the final text: complete lines, and
   * lines too long to hold.
   */
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

  /** Moves the cursor to a column, 0-based. */
  move(column: number): void {
    this.#edit();
    this.#cursor = Math.max(0, Math.min(column, maxHeldChars));
  }

  moveBy(columns: number): void {
    this.#edit();
    this.move(this.#cursor + columns);
  }

  /**
   * Applies a control sequence by parameters and final letter; sequences that do not affect a single line are ignored.
   */
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

  /** True if text before the end of the line may be overwritten; a line feed must then be passed separately. */
  get isEdited(): boolean {
    return this.#cells !== null;
  }

  /** Returns the unfinished line; "" if it is being redrawn. */
  flush(): string {
    if (this.#cells !== null) return "";
    const out = this.#held;
    this.#given += out;
    this.#held = "";
    return out;
  }

  /** Returns the rest of the line and starts the next one. */
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
    const before = toCells(this.#given);
    // The start of a long line is not stored: text that overwrites it goes to a new line.
    const cells = this.#isLong ? [] : toCells(this.#given + this.#held);
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
    blankSplitCharacter(cells, mode === "1" ? this.#cursor + 1 : from);
    if (mode === "1") cells.fill(" ", 0, Math.min(this.#cursor + 1, cells.length));
    else cells.length = Math.min(from, cells.length);
  }

  #remove(count: number, leavesBlanks: boolean): void {
    const cells = this.#edit();
    if (this.#cursor < cells.length) this.#touch(this.#cursor);
    blankSplitCharacter(cells, this.#cursor);
    blankSplitCharacter(cells, this.#cursor + count);
    const removed = cells.splice(this.#cursor, count);
    if (leavesBlanks) cells.splice(this.#cursor, 0, ...removed.map(() => " "));
  }
}
