/**
 * Reads text with separated values (RFC 4180): first the starts of all rows, in slices, then the fields of the rows that
 * are shown. Rows may differ in their number of fields.
 */

const delimiters = [",", ";", "\t"] as const;
export type Delimiter = (typeof delimiters)[number];

export interface TableIndex {
  /** Start of each row in the text. */
  readonly starts: readonly number[];
  /** Most fields of a row. */
  readonly columns: number;
  /** The text has more rows than `maxRows`. */
  readonly isCut: boolean;
}

const quote = 34;
const lineFeed = 10;

/** Indexes the text; yields after every `sliceChars` characters, so that the caller can pause. */
export function* indexRows(
  text: string,
  delimiter: Delimiter,
  maxRows: number,
  sliceChars = 65_536,
): Generator<void, TableIndex, void> {
  const separator = delimiter.charCodeAt(0);
  const starts: number[] = [];
  let columns = 0;
  let at = 0;
  let nextPause = sliceChars;
  while (at < text.length) {
    if (starts.length === maxRows) return { starts, columns, isCut: true };
    starts.push(at);
    let fields = 1;
    let isQuoted = text.charCodeAt(at) === quote;
    if (isQuoted) at += 1;
    for (; at < text.length; at += 1) {
      if (at >= nextPause) {
        nextPause = at + sliceChars;
        yield;
      }
      const code = text.charCodeAt(at);
      if (isQuoted) {
        if (code !== quote) continue;
        if (text.charCodeAt(at + 1) === quote) at += 1;
        else isQuoted = false;
      } else if (code === separator) {
        fields += 1;
        isQuoted = text.charCodeAt(at + 1) === quote;
        if (isQuoted) at += 1;
      } else if (code === lineFeed) break;
    }
    at += 1;
    columns = Math.max(columns, fields);
  }
  return { starts, columns, isCut: false };
}

/** Returns the fields of the row that starts at `from`, at most `maxFields`, each cut after `maxChars` characters. */
export function readTableFields(
  text: string,
  from: number,
  delimiter: Delimiter,
  maxFields = Number.POSITIVE_INFINITY,
  maxChars = Number.POSITIVE_INFINITY,
): readonly string[] {
  const fields: string[] = [];
  let at = from;
  while (fields.length < maxFields) {
    let value = "";
    let isQuoted = text[at] === '"';
    if (isQuoted) at += 1;
    for (; at < text.length; at += 1) {
      const char = text[at] ?? "";
      if (isQuoted && char === '"') {
        if (text[at + 1] !== '"') {
          isQuoted = false;
          continue;
        }
        at += 1;
      } else if (!isQuoted && (char === delimiter || char === "\n")) break;
      if (value.length < maxChars) value += char;
    }
    const isLast = text[at] !== delimiter;
    fields.push(isLast ? value.replace(/\r$/, "") : value);
    if (isLast) return fields;
    at += 1;
  }
  return fields;
}

const sampledRows = 20;
const sampledChars = 65_536;

/** Returns the delimiter by which most of the first rows have as many fields as the first one; then, the most fields. */
export function detectDelimiter(path: string, text: string): Delimiter {
  if (/\.tsv$/i.test(path)) return "\t";
  const sample = text.slice(0, sampledChars);
  const scores = delimiters.map((delimiter) => {
    const step = indexRows(sample, delimiter, sampledRows, sampledChars).next();
    const starts = step.done === true ? step.value.starts : [];
    const counts = starts.map((start) => readTableFields(sample, start, delimiter).length);
    const first = counts[0] ?? 1;
    const share = first < 2 ? 0 : counts.filter((count) => count === first).length / counts.length;
    return { delimiter, share, first };
  });
  const [best] = scores.toSorted((a, b) => b.share - a.share || b.first - a.first);
  return best?.delimiter ?? ",";
}
