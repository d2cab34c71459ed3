/** A configuration text that was parsed once: its value, and where each part of it is in the text. */
import type * as z from "zod/mini";

export type DocumentPath = readonly (string | number)[];

export interface LocatedDocument {
  readonly value: unknown;
  /** Line of the key or item at a path, or of the innermost one above it that exists; from 1. */
  lineOf(path: DocumentPath): number;
}

/** What a schema rejects: an unknown key, a value that is not there, or another wrong value at `path`. */
export interface LocatedIssue {
  readonly kind: "unknown_key" | "missing" | "wrong_value";
  readonly path: DocumentPath;
  readonly line: number;
  /** Innermost key of the path; "" = the whole document. */
  readonly key: string;
  readonly issue: z.core.$ZodIssue;
}

/** Returns what a schema rejects in the document, each unknown key alone. */
export const locateIssues = (
  { value, lineOf }: LocatedDocument,
  issues: readonly z.core.$ZodIssue[],
): readonly LocatedIssue[] =>
  issues.flatMap((issue) => {
    const path = issue.path.filter((key) => typeof key !== "symbol");
    const locate = (kind: LocatedIssue["kind"], at: DocumentPath): LocatedIssue => ({
      kind,
      path: at,
      line: lineOf(at),
      key: String(at.findLast((key) => typeof key === "string") ?? ""),
      issue,
    });
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => locate("unknown_key", [...path, key]));
    const isMissing = issue.code === "invalid_type" && valueAt(value, path) === undefined;
    return [locate(isMissing ? "missing" : "wrong_value", path)];
  });

const valueAt = (value: unknown, path: DocumentPath): unknown =>
  path.reduce((found, key) => new Map(Object.entries(Object(found))).get(String(key)), value);
