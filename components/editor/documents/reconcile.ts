/** Decides how an open file reacts to a different version on disk. Pure. */
import type { OpenFile } from "@/lib/workspace/project-files";

/** The editor's view of a file: the version it is based on and its current text. */
interface EditorVersion {
  readonly hash: OpenFile["hash"] | null;
  /** Text of the base version. */
  readonly base: string;
  readonly text: string;
}

type ReconcileDecision =
  /** No change. */
  | { readonly kind: "same" }
  /** The disk has the editor's text: only the version is new. */
  | { readonly kind: "adopt"; readonly file: OpenFile }
  /** The editor has no unsaved changes: the new text replaces it. */
  | { readonly kind: "reload"; readonly file: OpenFile }
  /** Both sides changed: the user decides. */
  | { readonly kind: "conflict"; readonly file: OpenFile }
  | { readonly kind: "deleted" };

/** `disk` null = the file was deleted. */
export function reconcile(local: EditorVersion, disk: OpenFile | null): ReconcileDecision {
  if (disk === null) return { kind: "deleted" };
  if (disk.hash === local.hash) return { kind: "same" };
  if (disk.text === local.text) return { kind: "adopt", file: disk };
  return local.text === local.base ? { kind: "reload", file: disk } : { kind: "conflict", file: disk };
}

/** Returns CRLF only if every line ends with it; any other CR stays part of its line, so that no byte changes. */
export const detectLineSeparator = (text: string): "\n" | "\r\n" =>
  text.includes("\n") && !/(?:^|[^\r])\n/.test(text) ? "\r\n" : "\n";

interface LineChange {
  /** Replaced lines: from this index to `to`, exclusive; at least one. */
  readonly from: number;
  readonly to: number;
  /** New lines; at least one. */
  readonly insert: readonly string[];
}

/** Computes the smallest line range to replace, so that cursor and scroll are preserved; null = identical. */
export function findLineChange(before: readonly string[], after: readonly string[]): LineChange | null {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (start === before.length && start === after.length) return null;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  // A line break belongs to no line: an empty range is extended by a neighbouring line.
  if (start + end === most) {
    if (end > 0) end -= 1;
    else start -= 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
