/** The log of the server: on standard error, in a file of the home, and the newest lines for the user's page. */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { thrownText } from "@/lib/events/error";
import type { LogLine, LogReport } from "@/lib/protocol/answers";

export interface ServerLog {
  /** Adds what happened, in whole lines. */
  add(text: string): void;
  /** Adds an unexpected error of this process or of a page; `name` = where it happened. */
  addError(name: string, error: unknown): void;
  read(): LogReport;
  /** Writes the lines so far and all later ones to this file too. A file that cannot be written is left out. */
  keepIn(path: string): void;
}

/** Lines kept for the page; longer ones are cut there, characters. */
const keptLines = 1_000;
const maxChars = 4_000;
/** A larger file is renamed to `.1`, which replaces the one before; bytes. */
const fileMaxBytes = 1_000_000;

/** The text of a page or of a header goes to the terminal of the server, where control sequences would act. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "");

/** `print` writes a line to standard error; `now` in ms epoch. */
export function makeServerLog(print: (line: string) => void, now: () => number): ServerLog {
  let lines: LogLine[] = [];
  let errors = 0;
  let file: string | null = null;
  const write = (written: readonly LogLine[]): void => {
    if (file === null || written.length === 0) return;
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > fileMaxBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, written.map(formatLogLine).join(""), { mode: 0o600 });
    } catch {
      file = null;
    }
  };
  const keep = (level: LogLine["level"], text: string): void => {
    const line = { at: now(), level, text: text.slice(0, maxChars) };
    lines.push(line);
    if (lines.length > 2 * keptLines) lines = lines.slice(-keptLines);
    write([line]);
  };
  return {
    add(added) {
      const text = withoutControls(added);
      print(text);
      keep("info", text);
    },
    addError(name, error) {
      const text = withoutControls(thrownText(error));
      const stack = error instanceof Error ? withoutControls(error.stack ?? "") : "";
      print(`${name}: ${stack || text}`);
      errors += 1;
      keep("error", `${name}: ${stack || text}`);
    },
    read: () => ({ lines: lines.slice(-keptLines), errors, file }),
    keepIn(path) {
      file = path;
      write(lines);
    },
  };
}

const formatLogLine = ({ at, level, text }: LogLine): string => `${new Date(at).toISOString()} ${level} ${text}\n`;
