/** Collects the messages of one search by file, without the lines that were dismissed or replaced. */
import type { PushOf } from "@/lib/protocol/topics";
import type { CodeSearchFile, CodeSearchLine, ContextLine } from "@/lib/workspace/code-search";

export interface FoundLines {
  /** Begins another search; `keepsDismissed` = its lines are the same. */
  readonly reset: (keepsDismissed?: boolean) => void;
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
  let contextByPath = new Map<string, readonly ContextLine[]>();
  /** Number of lines received, with the removed ones. */
  let count = 0;
  const dismissedFiles = new Set<string>();
  const dismissedLines = new Set<string>();
  const reset = (keepsDismissed = false): void => {
    linesByPath = new Map();
    contextByPath = new Map();
    count = 0;
    if (keepsDismissed) return;
    dismissedFiles.clear();
    dismissedLines.clear();
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
      if (from !== count) reset(true);
      for (const { path, lines, context } of files) {
        count += lines.length;
        if (dismissedFiles.has(path)) continue;
        const listed = lines.filter((line) => !dismissedLines.has(dismissedKey(path, line)));
        setLines(path, [...linesOf(path), ...listed]);
        if (context !== undefined) contextByPath.set(path, [...(contextByPath.get(path) ?? []), ...context]);
      }
    },
    dismiss(path, line) {
      for (const one of linesOf(path)) if (one.line === line) dismissedLines.add(dismissedKey(path, one));
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
        .map(([path, lines]) => ({ path, lines, context: contextByPath.get(path) }))
        .sort((first, second) => (first.path < second.path ? -1 : 1)),
  };
}

const dismissedKey = (path: string, { line, digest }: CodeSearchLine): string => `${path}\n${line}\n${digest}`;
