/** Parses the lines of a JSONL file into objects, and groups them by session. */
import { isRecord } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import { beginTimeSlice } from "@/server/base/steps";
import { parseJson } from "@/server/base/parse-json";

/** Maximum length of a line of an imported file, characters. */
const importLineChars = 30_000_000;
/** Maximum sessions of an imported file. */
const importSessions = 500;

export interface ImportLine {
  /** 1-based */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

export const badLine = (line: number, detail: string, facts: Readonly<Record<string, number | string>> = {}) =>
  fail("bad_import", detail, { line, ...facts });

/** A count from a file; 0 if it is not a safe non-negative integer. */
export const parseCount = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** Skips empty lines; any other line that is not an object fails with bad_import and its line number. */
export async function parseLines(text: string): Promise<Result<readonly ImportLine[]>> {
  const found: ImportLine[] = [];
  let line = 0;
  const turn = beginTimeSlice();
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    line += 1;
    if (to - from > importLineChars) return badLine(line, "too long");
    const piece = text
      .slice(from, to)
      .replace(/^\ufeff/, "")
      .trim();
    from = to + 1;
    if (turn.isOver()) await turn.next();
    if (piece === "") continue;
    const value = parseJson(piece);
    if (!isRecord(value)) return badLine(line, "not a JSON object");
    found.push({ line, value });
  }
  return found.length === 0 ? badLine(1, "empty") : ok(found);
}

export interface ImportFile {
  readonly format: "gopi" | "pi";
  readonly header: ImportLine;
  readonly lines: readonly ImportLine[];
}

/** Each header starts a session. */
export function groupByHeader(lines: readonly ImportLine[]): Result<readonly ImportFile[]> {
  const files: (ImportFile & { readonly lines: ImportLine[] })[] = [];
  for (const line of lines) {
    const { type } = line.value;
    const format = type === "header" ? "gopi" : type === "session" ? "pi" : null;
    if (format !== null) files.push({ format, header: line, lines: [] });
    else if (files.length === 0) return badLine(line.line, "no header");
    else files.at(-1)?.lines.push(line);
  }
  return files.length > importSessions ? badLine(1, "too many sessions") : ok(files);
}

/** Converts an ISO date or a number to ms epoch; null = neither. */
export function parseTime(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(at) && at >= 0 && at < 8.64e15 ? Math.round(at) : null;
}
