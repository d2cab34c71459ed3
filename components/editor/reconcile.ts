/** What happens to an open file when the disk has something else. Pure: the one place of this decision. */
import type { OpenFile } from "@/lib/files";

/** What the editor knows: the version it began from, and the text as it stands in the editor now. */
export interface Held {
  readonly hash: OpenFile["hash"] | null;
  /** Text of the version it began from. */
  readonly base: string;
  readonly text: string;
}

export type Decision =
  /** Nothing to do. */
  | { readonly kind: "same" }
  /** The disk has what stands in the editor: only the version is new. */
  | { readonly kind: "adopt"; readonly file: OpenFile }
  /** Nobody typed here: the new text takes its place. */
  | { readonly kind: "reload"; readonly file: OpenFile }
  /** Both changed: the user decides. */
  | { readonly kind: "conflict"; readonly file: OpenFile }
  | { readonly kind: "deleted" };

/** `disk` null = there is no such file any more. */
export function reconcile(held: Held, disk: OpenFile | null): Decision {
  if (disk === null) return { kind: "deleted" };
  if (disk.hash === held.hash) return { kind: "same" };
  if (disk.text === held.text) return { kind: "adopt", file: disk };
  return held.text === held.base ? { kind: "reload", file: disk } : { kind: "conflict", file: disk };
}

/** CRLF only when every line ends so; any other carriage return stays a character of its line, so that no byte changes. */
export const separatorOf = (text: string): "\n" | "\r\n" =>
  text.includes("\n") && !/(?:^|[^\r])\n/.test(text) ? "\r\n" : "\n";

export interface LineChange {
  /** Lines replaced: from this index up to, not including, `to`; at least one. */
  readonly from: number;
  readonly to: number;
  /** At least one. */
  readonly insert: readonly string[];
}

/** The smallest block of whole lines that makes one text the other, so that cursor and scroll stay; null = the same. */
export function changedLines(before: readonly string[], after: readonly string[]): LineChange | null {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (start === before.length && start === after.length) return null;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  // A line break belongs to no line: an empty side borrows a neighbour.
  if (start + end === most) {
    if (end > 0) end -= 1;
    else start -= 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
