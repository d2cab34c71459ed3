/** Messages of branches, stashes and unfinished work of a repository. */
const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

export const gitRefs = {
  title: "Branches and stashes",
  field: "Find a branch, or name a new one",
  create: "Create and switch",
  current: "current",
  switch: "Switch",
  merge: "Merge",
  delete: "Delete",
  undo: "Undo",
  ask: (commits: number) =>
    commits === 1
      ? "1 commit is only in this branch. Delete it?"
      : `${commits} commits are only in this branch. Delete it?`,
  merged: (branch: string) => `Merged: ${branch}`,
  deleted: (branch: string) => `Deleted: ${branch}`,
  conflicts: (count: number) => `${files(count)} in conflict. Resolve and stage them, then continue.`,
  stashes: "Stashes",
  stash: "Stash all changes",
  stashed: "The changes are in the stash.",
  popped: "The changes are back.",
  pop: "Pop",
  drop: "Drop",
  dropped: "Stash dropped",
  steps: { continue: "Continue", skip: "Skip", abort: "Abort" },
  sides: { ours: "Use ours", theirs: "Use theirs", base: "Use the common version" },
};
