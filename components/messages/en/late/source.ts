/** Messages of source control. */
const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);
const commits = (count: number): string => (count === 1 ? "1 commit" : `${count} commits`);
/** `count` null = the whole hunk. */
const ofLines = (verb: string, count: number | null): string =>
  count === null || count === 0 ? verb : count === 1 ? `${verb} 1 line` : `${verb} ${count} lines`;

export const source = {
  title: "Source control",
  refresh: "Refresh",
  asList: "Show as a list",
  asTree: "Show as a tree",
  view: "View",
  views: { changes: "Changes", history: "History" },
  files: "Changed files",
  groups: { conflicts: "Conflicts", staged: "Staged", changed: "Changes", untracked: "Untracked" },
  changes: {
    modified: "modified",
    added: "new",
    deleted: "deleted",
    renamed: "renamed",
    copied: "copied",
    type: "type changed",
    untracked: "untracked",
    conflicted: "conflict",
  },
  none: "Nothing has changed since the last commit.",
  above: {
    offer: (top: string) =>
      `This folder belongs to the git repository in ${top}. Source control then shows only what is in this folder.`,
    use: "Use this repository",
    note: (top: string) =>
      `Only this folder of ${top} is shown. Commits, branches and stashes are those of the whole repository.`,
    staged: (count: number) =>
      `The next commit also contains ${files(count)} that ${count === 1 ? "is" : "are"} staged outside of this folder.`,
    stop: "Stop using it",
  },
  noCommits: "no commits yet",
  detached: (commit: string) => `No branch, at ${commit}`,
  distance: (ahead: number, behind: number, upstream: string) =>
    [ahead > 0 ? `${commits(ahead)} to push` : "", behind > 0 ? `${commits(behind)} to pull` : ""]
      .filter(Boolean)
      .join(", ") + ` (${upstream})`,
  operations: {
    merge: "A merge isn't finished.",
    rebase: "A rebase isn't finished.",
    cherry_pick: "A cherry-pick isn't finished.",
    revert: "A revert isn't finished.",
    bisect: "A bisect is running.",
    apply: "Patches are being applied.",
  },
  step: (step: number, steps: number) => `Step ${step} of ${steps}.`,
  slow: "Checking this repository takes long, so it is only done on request.",
  checkNow: "Check now",
  unreadable: (count: number) =>
    `${files(count)} ${count === 1 ? "has a name that isn't" : "have names that aren't"} UTF-8. Use a terminal for ${count === 1 ? "it" : "them"}.`,
  stage: (path: string) => `Stage ${path}`,
  unstage: (path: string) => `Unstage ${path}`,
  discard: (path: string) => `Discard the changes of ${path}`,
  stageAll: (group: string) => `Stage all: ${group}`,
  unstageAll: (group: string) => `Unstage all: ${group}`,
  discardAll: (group: string) => `Discard all: ${group}`,
  open: (path: string) => `Open ${path}`,
  discarded: (count: number) => `Discarded: ${files(count)}`,
  removeLock: "Remove the lock",
  lockRemoved: "The lock is gone. Try again.",
  stopRun: "Stop the run",
  place: (line: number) => `Line ${line}`,
  stageLines: (count: number | null) => ofLines("Stage", count),
  unstageLines: (count: number | null) => ofLines("Unstage", count),
  discardLines: (count: number | null) => ofLines("Discard", count),
  chooseLines: "Choose lines",
  chooseLine: (text: string) => `Choose: ${text}`,
  folder: "A new folder. Stage it to see its files.",
  submodule: "This submodule is at another commit.",
  sameContent: "Only the name has changed.",
  mode: (old: string, now: string) => `File mode: ${old} → ${now}`,
};
