/** Git's marks of the rows of the file tree. Pure. */
import type { GitMark, MarkedPath } from "@/lib/workspace/changes";
import { parentFolder } from "@/lib/workspace/project-path";

export interface TreeMarks {
  /** Returns the mark of a file; null = it is as in the last commit. */
  readonly ofFile: (path: string) => GitMark | null;
  /** Returns the most important mark in a folder; null = there is none. */
  readonly ofFolder: (path: string) => GitMark | null;
}

/** The most important mark first. */
const importance: readonly GitMark[] = ["conflicted", "modified", "deleted", "added", "untracked"];

export function buildTreeMarks(marks: readonly MarkedPath[]): TreeMarks {
  const byPath = new Map(marks.map(({ path, mark }) => [path, mark]));
  const byFolder = new Map<string, GitMark>();
  for (const { path, mark } of marks)
    for (let folder = parentFolder(path); folder !== ""; folder = parentFolder(folder)) {
      const other = byFolder.get(folder);
      if (other === undefined || importance.indexOf(mark) < importance.indexOf(other)) byFolder.set(folder, mark);
    }
  /** The mark of an untracked folder applies to what is in it. */
  const inherited = (path: string): GitMark | null => {
    for (let folder = path; folder !== ""; folder = parentFolder(folder)) {
      const mark = byPath.get(folder);
      if (mark !== undefined) return mark;
    }
    return null;
  };
  return { ofFile: inherited, ofFolder: (path) => byFolder.get(path) ?? inherited(path) };
}
