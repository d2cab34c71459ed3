/** Parses the text of the palette: what it searches, and the line to go to. Pure. */

/** Scope of the palette without a prefix: everything, files only, or sessions only. */
export type PaletteStart = "all" | "files" | "sessions";

export interface PaletteQuery {
  readonly scope: PaletteStart | "commands" | "symbols" | "line";
  /** Text to match, without prefix and line. */
  readonly typed: string;
  /** Line and column to go to, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * `>` = commands, `@` = symbols of the open file, `:12` = a line of it. Files may end in a line and a column
 * (`menu.tsx:12:3`).
 */
export function parsePaletteText(text: string, start: PaletteStart): PaletteQuery {
  const first = text.charAt(0);
  if (first === ">") return { scope: "commands", typed: text.slice(1).trim() };
  if (first === "@") return { scope: "symbols", typed: text.slice(1).trim() };
  const { typed, ...place } = splitLine(text.trim());
  if (first === ":") return { scope: "line", typed: "", ...place };
  return start === "files" ? { scope: start, typed, ...place } : { scope: start, typed: text.trim() };
}

function splitLine(text: string): Pick<PaletteQuery, "typed" | "line" | "column"> {
  const [, typed, line = "", column = ""] = /^(.*?):(\d{0,9})(?::(\d{0,9}))?$/u.exec(text) ?? [];
  if (typed === undefined) return { typed: text };
  if (Number(line) < 1) return { typed };
  return Number(column) < 1 ? { typed, line: Number(line) } : { typed, line: Number(line), column: Number(column) };
}
