/** Splits the output of a process into lines. A line over the limit is never held in memory as a whole. */
import type { Steps } from "@/lib/async/steps";

/** An image of `imageMaxBytes` in base64 with its envelope fits. */
export const maxLineBytes = 8_000_000;
/** Characters that are kept of both ends of a longer line. */
const keptChars = 400;

export type OutputLine =
  | { readonly kind: "line"; readonly text: string }
  /** A line over the limit: its size and both ends. */
  | { readonly kind: "long"; readonly bytes: number; readonly head: string; readonly tail: string };

interface OutputLines {
  /** Calls `take` for each line that the chunk completes; yields after each. */
  feed(chunk: Buffer, take: (line: OutputLine) => void): Steps<void>;
  /** Returns the incomplete last line; null = none. */
  end(): OutputLine | null;
}

export function makeOutputLines(limit = maxLineBytes): OutputLines {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head = "";
  let tail = Buffer.alloc(0);
  let isLong = false;

  function add(part: Buffer): void {
    bytes += part.length;
    if (!isLong && bytes <= limit) {
      parts.push(part);
      return;
    }
    if (!isLong) {
      isLong = true;
      const start = Buffer.concat(parts);
      head = (start.length >= keptChars ? start : Buffer.concat([start, part])).toString("utf8", 0, keptChars);
      tail = start.subarray(-keptChars);
      parts = [];
    }
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-keptChars)]).subarray(-keptChars));
  }

  function takeLine(): OutputLine {
    const line: OutputLine = isLong
      ? { kind: "long", bytes, head, tail: tail.toString() }
      : { kind: "line", text: Buffer.concat(parts, bytes).toString().replace(/\r$/, "") };
    parts = [];
    bytes = 0;
    isLong = false;
    return line;
  }

  return {
    *feed(chunk, take) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, end));
        from = end + 1;
        take(takeLine());
        yield;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    end: () => (bytes === 0 ? null : takeLine()),
  };
}
