/** Changes of a command that cannot be undone. */

export const callFacts = {
  undoGaps: {
    too_many_files:
      "What this command changed can't be undone: the project has too many files, and no trusted git repository to take them from",
    time: "What this command changed can't all be undone: its files couldn't be read in time",
  },
  notKept: (count: number) =>
    `${count === 1 ? "1 file" : `${count} files`} changed with no earlier version kept: ${count === 1 ? "it" : "they"} can't be restored`,
  skippedFolders: (folders: string) => `Changes in ${folders} aren't kept, so they can't be undone`,
};
