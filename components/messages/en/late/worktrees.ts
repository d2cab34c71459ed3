/** Messages of the work trees in which sessions work beside the project. */
const count = (number: number, one: string, many: string): string =>
  number === 0 ? "" : number === 1 ? `1 ${one}` : `${number} ${many}`;

export const worktrees = {
  title: "Work trees",
  note: "A session in a work tree of its own changes its own copy of the files, on its own branch. Two sessions then don't get in each other's way. It begins with the last commit.",
  name: "What is it for?",
  namePlaceholder: "fix the parser",
  command: "Command that sets it up, for the message field",
  commandPlaceholder: "e.g. npm ci",
  files: "Ignored files to copy",
  secret: "may contain secrets",
  create: "New session in a work tree",
  uncopied: (paths: string) => `Not copied: ${paths}`,
  missing: "Its folder is gone.",
  state: (changes: number, commits: number, sessions: number) =>
    [
      changes === 0 ? "no changes" : count(changes, "change", "changes"),
      count(commits, "commit of its own", "commits of its own"),
      count(sessions, "session", "sessions"),
    ]
      .filter(Boolean)
      .join(" · "),
  atLeast: (size: string) => `over ${size}`,
  compare: "Compare",
  merge: (branch: string) => `Merge into ${branch}`,
  merged: (branch: string) => `Merged into ${branch}`,
  commitFirst: "Commit its changes before you merge it.",
  noMain: "Open the repository's own folder as a project first.",
  orphans: "Lost work trees",
  orphansNote:
    "No repository has these folders any more. Their files are as they were left; delete what you don't need.",
  open: "Open",
  remove: "Remove",
  ask: (name: string) =>
    `It has changes or commits that the project's branch doesn't have. Its changes will be stashed, and its branch stays. Type ${name} to remove it.`,
  typeName: "Name of the work tree",
  stashed: "Removed. Its changes are in the stash.",
};
