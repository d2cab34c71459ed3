/** Splits a byte stream into lines, whatever the chunk boundaries. */
import { ProviderError } from "../provider";

/** Bytes of one line of a streamed answer; a tool call is one line. */
export const wireLineMaxBytes = 16_777_216;

const lineFeed = 0x0a;

/** `maxBytes` bounds one line, and so the buffered bytes. Accepts CRLF, a byte order mark and invalid UTF-8. */
export function makeLineReader(maxBytes: number, empty: "skip" | "keep" = "skip") {
  // No byte of a multi-byte character equals a line feed, so decoding whole lines never splits a character.
  const decoder = new TextDecoder("utf-8");
  let pieces: Uint8Array[] = [];
  let size = 0;

  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maxBytes)
      throw new ProviderError({ code: "bad_answer", detail: `a line of more than ${maxBytes} bytes` });
    // Copied: the socket may reuse its buffer.
    if (piece.length > 0) pieces.push(piece.slice());
  };
  const take = (): readonly string[] => {
    const line = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).trim();
    pieces = [];
    size = 0;
    return line === "" && empty === "skip" ? [] : [line];
  };

  return {
    /** Returns the lines completed by these bytes, without line ends. Throws `bad_answer` over the limit. */
    push(bytes: Uint8Array): readonly string[] {
      const lines: string[] = [];
      let from = 0;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
        keep(bytes.subarray(from, at));
        lines.push(...take());
        from = at + 1;
      }
      keep(bytes.subarray(from));
      return lines;
    },
    /** Returns the last line if no line end followed it. */
    end: take,
  };
}
