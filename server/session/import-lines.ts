/** The lines of a JSONL file as objects, and the sessions they belong to. Used by import.ts. */
import { fail, ok, type Result } from "@/lib/error";
import { limits } from "@/lib/settings";

export interface ImportLine {
  /** 1-based */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

export const badLine = (line: number, detail: string, facts: Readonly<Record<string, number | string>> = {}) =>
  fail("bad_import", detail, { line, ...facts });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** After so many characters others have their turn. */
const sliceChars = 256_000;

/** Empty lines are passed over; anything else that is no object is bad_import with its line. */
export async function linesOf(text: string): Promise<Result<readonly ImportLine[]>> {
  const found: ImportLine[] = [];
  let line = 0;
  let sliceEnd = sliceChars;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    line += 1;
    if (to - from > limits.importLineChars) return badLine(line, "too long");
    const piece = text
      .slice(from, to)
      .replace(/^\ufeff/, "")
      .trim();
    from = to + 1;
    if (from >= sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = from + sliceChars;
    }
    if (piece === "") continue;
    const value = parsed(piece);
    if (!isObject(value)) return badLine(line, "not a JSON object");
    found.push({ line, value });
  }
  return found.length === 0 ? badLine(1, "empty") : ok(found);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ImportFile {
  readonly format: "gopi" | "pi";
  readonly header: ImportLine;
  readonly lines: readonly ImportLine[];
}

/** Each header begins a session. */
export function filesOf(lines: readonly ImportLine[]): Result<readonly ImportFile[]> {
  const files: (ImportFile & { readonly lines: ImportLine[] })[] = [];
  for (const line of lines) {
    const { type } = line.value;
    const format = type === "header" ? "gopi" : type === "session" ? "pi" : null;
    if (format !== null) files.push({ format, header: line, lines: [] });
    else if (files.length === 0) return badLine(line.line, "no header");
    else files.at(-1)?.lines.push(line);
  }
  return files.length > limits.importSessions ? badLine(1, "too many sessions") : ok(files);
}

/** ms epoch of a date as ISO text or as a number; null = neither. */
export function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(at) && at >= 0 && at < 8.64e15 ? Math.round(at) : null;
}
