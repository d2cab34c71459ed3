/** The newest lines that a program of another author printed, in bounded memory; secrets are masked on reading. */
import { stripAnsi } from "@/lib/text/ansi";
import type { Redactor } from "./redact";

const maxLogBytes = 65_536;
const maxLineChars = 2_000;

export interface ProcessLog {
  /** Adds a whole line. */
  add(line: string): void;
  /** Adds text in chunks of any size, of which it takes the lines. */
  addChunk(text: string): void;
  /** The last lines, oldest first, masked and without control sequences. */
  lines(max?: number): readonly string[];
}

export function makeProcessLog(redactor: Pick<Redactor, "text">): ProcessLog {
  let lines: string[] = [];
  let bytes = 0;
  let open = "";

  function add(line: string): void {
    const clipped = line.slice(0, maxLineChars);
    lines.push(clipped);
    bytes += clipped.length + 1;
    // Copied when half of it is superfluous, so that a line costs the same however long the log is.
    if (bytes > 2 * maxLogBytes) trim();
  }

  function trim(): void {
    let from = lines.length;
    let size = 0;
    while (from > 0 && size + (lines[from - 1]?.length ?? 0) + 1 <= maxLogBytes) {
      from -= 1;
      size += (lines[from]?.length ?? 0) + 1;
    }
    lines = lines.slice(from);
    bytes = size;
  }

  return {
    add,
    addChunk(text) {
      const parts = `${open}${text}`.split("\n");
      open = (parts.pop() ?? "").slice(-maxLineChars);
      for (const line of parts) add(line);
    },
    lines(max = Number.POSITIVE_INFINITY) {
      trim();
      const all = stripAnsi([...lines, ...(open === "" ? [] : [open])].join("\n"));
      // Masked as a whole: a private key has several lines.
      const masked = redactor.text(all, { end: open !== "" });
      return masked === "" ? [] : masked.split("\n").slice(-max);
    },
  };
}
