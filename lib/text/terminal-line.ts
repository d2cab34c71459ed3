/** The line a program is writing, as a terminal shows it: what comes behind a carriage return or a backspace overwrites. Used by ansi.ts. */

/** A line this long is no progress bar: it is given out as it comes. UTF-16 units. */
const maxHeldChars = 8_192;

export interface TerminalLine {
  /** Text without control characters. Returns what is settled: whole lines, and a line too long to hold. Once edited, a line end must come alone. */
  add(text: string): string;
  /** The cursor goes to a column, 0 being the first. */
  move(column: number): void;
  moveBy(columns: number): void;
  /** A control sequence by its parameters and its last letter. Returns what is settled. */
  control(parameters: string, letter: string): string;
  /** Something but the end of the line was, or may be, written over. */
  isEdited(): boolean;
  /** The unfinished line; "" for one that is being redrawn. */
  flush(): string;
  end(): string;
}

/** One cell holds one code point: a character of double width counts once. */
export function makeTerminalLine(): TerminalLine {
  /** Given out of this line already. */
  let given = "";
  /** Its start was given out and is not kept: it cannot be written over. */
  let isLong = false;
  let held = "";
  /** The whole line once the cursor has left its end; until then `given` and `held` are it. */
  let cells: string[] | null = null;
  let cursor = 0;
  let givenCells = 0;
  let overwritten = false;

  const edit = (): string[] => {
    if (cells !== null) return cells;
    const before = isLong ? [] : [...given];
    cells = [...before, ...held];
    // The start of a long line is gone: what writes over it stands on a line of its own.
    if (isLong) cells = [];
    givenCells = isLong ? Number.POSITIVE_INFINITY : before.length;
    cursor = cells.length;
    return cells;
  };
  const rest = (): string => {
    if (cells === null) return held;
    return overwritten ? `\n${cells.join("")}` : cells.slice(givenCells).join("");
  };
  const reset = (): void => {
    given = held = "";
    cells = null;
    isLong = overwritten = false;
  };
  const end = (): string => {
    const out = rest();
    reset();
    return out;
  };
  const touch = (from: number): void => {
    overwritten ||= from < givenCells;
  };
  const write = (text: string, line: string[]): string => {
    for (const char of text) {
      while (line.length < cursor) line.push(" ");
      touch(cursor);
      line[cursor] = char;
      cursor += 1;
    }
    if (line.length <= maxHeldChars) return "";
    const out = rest();
    reset();
    isLong = true;
    return out;
  };
  const erase = (mode: string, line: string[]): void => {
    const from = mode === "1" || mode === "2" ? 0 : cursor;
    if (from < line.length) touch(from);
    if (mode === "1") line.fill(" ", 0, Math.min(cursor + 1, line.length));
    else line.length = Math.min(from, line.length);
  };
  return {
    add(text) {
      const whole = text.lastIndexOf("\n") + 1;
      if (whole > 0) {
        const out = end() + text.slice(0, whole);
        return out + (whole < text.length ? this.add(text.slice(whole)) : "");
      }
      if (cells !== null) return write(text, cells);
      held += text;
      if (given.length + held.length <= maxHeldChars) return "";
      const out = held;
      reset();
      isLong = true;
      return out;
    },
    move(column) {
      edit();
      cursor = Math.min(column, maxHeldChars);
    },
    moveBy(columns) {
      edit();
      cursor = Math.max(0, Math.min(cursor + columns, maxHeldChars));
    },
    control(parameters, letter) {
      const isAtEnd = cells === null;
      if (!/^\d*$/.test(parameters) || (letter === "K" && isAtEnd && /^0?$/.test(parameters))) return "";
      const count = Math.max(1, Number(parameters || 1));
      if (letter === "C") this.moveBy(count);
      else if (letter === "D") this.moveBy(-count);
      else if (letter === "G") this.move(count - 1);
      else if (letter === "K") erase(parameters, edit());
      else if (letter === "P" || letter === "X") {
        const line = edit();
        if (cursor < line.length) touch(cursor);
        const removed = line.splice(cursor, count);
        if (letter === "X") line.splice(cursor, 0, ...removed.map(() => " "));
      }
      return "";
    },
    isEdited: () => cells !== null,
    flush() {
      if (cells !== null || held === "") return "";
      const out = held;
      given += held;
      held = "";
      return out;
    },
    end,
  };
}
