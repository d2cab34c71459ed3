/** Commands for the terminals of a project. */
import * as z from "zod/mini";
import type { TerminalId } from "../events/id";
import { type TerminalInfo, terminalSize } from "../terminal/terminal";
import { brandedId, defineCommand, projectId } from "./command-input";

const { columns, rows } = terminalSize;
const size = {
  columns: z.int().check(z.gte(columns.least), z.lte(columns.most)),
  rows: z.int().check(z.gte(rows.least), z.lte(rows.most)),
};
const name = z.string().check(z.minLength(1), z.maxLength(60));
const run = z.object({ name, line: z.string().check(z.minLength(1), z.maxLength(20_000), z.regex(/^[^\0\r\n]+$/)) });
const terminalId = brandedId<TerminalId>();

/** Longest input of one `terminal.write`, characters; longer texts are sent in parts. */
export const terminalWriteChars = 65_536;

export const terminalCommands = {
  "terminal.list": defineCommand<{ terminals: readonly TerminalInfo[] }>()(z.object({ projectId })),
  /**
   * Starts the user's shell in the project's folder. With `run` the shell runs this line, and the terminal is removed when it exits with
   * 0, else it stays with its output.
   */
  "terminal.open": defineCommand<{ terminal: TerminalInfo }>()(z.object({ projectId, ...size, run: z.optional(run) })),
  "terminal.write": defineCommand<null>()(
    z.object({ terminalId, text: z.string().check(z.maxLength(terminalWriteChars)) }),
  ),
  "terminal.resize": defineCommand<null>()(z.object({ terminalId, ...size })),
  "terminal.rename": defineCommand<null>()(z.object({ terminalId, name })),
  /** Undoes the modes that programs have set on the screens; the text stays. */
  "terminal.reset": defineCommand<null>()(z.object({ terminalId })),
  "terminal.restart": defineCommand<null>()(z.object({ terminalId })),
  /** Ends the shell and what it started. */
  "terminal.close": defineCommand<null>()(z.object({ terminalId })),
} as const;
