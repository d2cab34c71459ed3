/** Cuts bytes into lines, however they were split on the way. Called by the fetch of each provider for every streamed answer. */
import { ProviderError } from "./provider";

const newline = 0x0a;

export interface LineReader {
  /** The lines these bytes completed, without line ends. Throws `bad_answer` over the limit. */
  push(bytes: Uint8Array): readonly string[];
  /** The last line, when no line end came after it. */
  end(): readonly string[];
}

/** `maxBytes` bounds one line and so what is kept in memory. CRLF, a byte order mark and invalid UTF-8 are taken. */
export function makeLineReader(maxBytes: number, empty: "skip" | "keep" = "skip"): LineReader {
  // Bytes of a character never equal a line end, so a line is decoded whole and no character is ever torn.
  const decoder = new TextDecoder("utf-8");
  let pieces: Uint8Array[] = [];
  let size = 0;

  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maxBytes)
      throw new ProviderError({ code: "bad_answer", detail: `a line of more than ${maxBytes} bytes` });
    // A copy: the socket may fill its buffer again.
    if (piece.length > 0) pieces.push(piece.slice());
  };
  const take = (): readonly string[] => {
    const line = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).trim();
    pieces = [];
    size = 0;
    return line === "" && empty === "skip" ? [] : [line];
  };

  return {
    push(bytes) {
      const lines: string[] = [];
      let from = 0;
      for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
        keep(bytes.subarray(from, at));
        lines.push(...take());
        from = at + 1;
      }
      keep(bytes.subarray(from));
      return lines;
    },
    end: take,
  };
}
