/** Collects the messages of one search by file, without the lines that were dismissed or replaced. */
import type { PushOf } from "@/lib/protocol/topics";
import type { CodeSearchFile, CodeSearchLine } from "@/lib/workspace/code-search";

export interface FoundLines {
  readonly reset: () => void;
  readonly add: (push: PushOf<"code_search">) => void;
  /** Removes a file, with what is still found in it, or one of its lines. */
  readonly dismiss: (path: string, line?: number) => void;
  readonly remove: (files: readonly CodeSearchFile[]) => void;
  /** Adds lines again that were removed. */
  readonly restore: (files: readonly CodeSearchFile[]) => void;
  /** Sorted by path. */
  readonly visible: () => readonly CodeSearchFile[];
}

export function createFoundLines(): FoundLines {
  let linesByPath = new Map<string, readonly CodeSearchLine[]>();
  /** Number of lines received, with the removed ones. */
  let count = 0;
  const dismissedFiles = new Set<string>();
  const reset = (): void => {
    linesByPath = new Map();
    count = 0;
    dismissedFiles.clear();
  };
  const linesOf = (path: string): readonly CodeSearchLine[] => linesByPath.get(path) ?? [];
  const setLines = (path: string, lines: readonly CodeSearchLine[]): void => {
    if (lines.length > 0) linesByPath.set(path, lines);
    else linesByPath.delete(path);
  };
  const removeLines = (path: string, isRemoved: (line: number) => boolean): void =>
    setLines(
      path,
      linesOf(path).filter(({ line }) => !isRemoved(line)),
    );
  return {
    reset,
    add({ from, files }) {
      // The state of the search, which replaces what was received.
      if (from !== count) reset();
      for (const { path, lines } of files) {
        count += lines.length;
        if (!dismissedFiles.has(path)) setLines(path, [...linesOf(path), ...lines]);
      }
    },
    dismiss(path, line) {
      removeLines(path, (one) => line === undefined || one === line);
      if (line === undefined) dismissedFiles.add(path);
    },
    remove(files) {
      for (const { path, lines } of files) {
        const removed = new Set(lines.map(({ line }) => line));
        removeLines(path, (line) => removed.has(line));
      }
    },
    restore(files) {
      for (const { path, lines } of files)
        setLines(
          path,
          [...linesOf(path), ...lines].sort((first, second) => first.line - second.line),
        );
    },
    visible: () =>
      [...linesByPath]
        .map(([path, lines]) => ({ path, lines }))
        .sort((first, second) => (first.path < second.path ? -1 : 1)),
  };
}
