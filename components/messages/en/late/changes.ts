/** Messages of the Changes view, of restoring files, and of the file trash. */
const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

/** Numbers of files restored and of files moved to the trash; not both 0. */
const willReturn =
  (when: string) =>
  (back: number, removed: number): string => {
    const trashed = `${files(removed)} created since ${removed === 1 ? "moves" : "move"} to the trash`;
    const returns = `${files(back)} ${back === 1 ? "returns to how it was" : "return to how they were"} ${when}`;
    return removed === 0 ? `${returns}.` : back === 0 ? `${trashed}.` : `${returns}, and ${trashed}.`;
  };

export const changes = {
  title: "Changes",
  scope: "Compare",
  run: "Last run",
  earlier: "Earlier run",
  session: "This session",
  tree: "Working tree",
  refresh: "Refresh",
  trash: "Trash",
  files,
  more: (count: number) => `and ${files(count)} more`,
  kind: { created: "new", changed: "changed", deleted: "deleted" },
  /** Shown instead of line counts. */
  state: { binary: "binary", empty: "empty" },
  why: {
    binary: "This file isn't text, so there is no line-by-line diff.",
    too_large: "This file is too large for a line-by-line diff.",
    not_kept: "The previous version wasn't kept.",
  },
  changedSince: "changed since",
  changedSinceNote: "This file changed again after the agent's edit. You're looking at the agent's edit.",
  open: (path: string) => `Open ${path} in the editor`,
  loading: "Comparing files…",
  failed: "Couldn't read the changes.",
  empty: {
    run: "The last run didn't change any files.",
    earlier: "That run didn't change any files.",
    session: "This session hasn't changed any files.",
    tree: "No changes since the last commit.",
    none: "Open a session to see its changes.",
  },
  without: {
    no_repository: "This folder isn't a git repository. You can still see this session's own changes.",
    bare: "This git repository is bare: it has no files. Open a clone or a work tree of it.",
    no_git: "git isn't installed on this machine. You can still see this session's own changes.",
    old_git:
      "git on this machine is too old. Install version 2.31 or newer; you can still see this session's own changes.",
  },
  untrusted: "A folder's git settings can run programs. Trust this folder to turn git on.",
  trust: "Review and trust…",
  nothingYet: "Nothing changed yet. A request is waiting for your answer.",
  undo: {
    title: "Undo",
    submit: (count: number) => `Undo ${files(count)}`,
    done: (count: number) => `Undone: ${files(count)}`,
  },
  redo: {
    title: "Redo",
    submit: (count: number) => `Redo ${files(count)}`,
    done: (count: number) => `Redone: ${files(count)}`,
  },
  restore: {
    /** Effect on the chosen files, by what started at the restore point. */
    will: {
      run: willReturn("before the last run"),
      earlier: willReturn("before that run"),
      session: willReturn("before this session"),
      point: willReturn("at this point"),
    },
    laterRuns: "Changes by later runs are undone too.",
    willNothing: "No files are selected.",
    limits:
      "Current versions are kept, so you can reverse this. Ignored files, links, and empty folders stay as they are.",
    /** Numbers of files that one undo restores, and of those that it leaves. */
    beyond: (most: number, left: number) =>
      `One undo restores at most ${files(most)}. ${left} more will stay until you undo again.`,
    looking: "Checking what would change…",
    nothing: "The files already match this point.",
    what: "What to undo",
    filesOnly: "Files only",
    both: "Files and conversation",
    bothNote: "The conversation rewinds to this point too, until you redo it.",
    action: { write: "earlier version", create: "created again", remove: "moved to trash" },
    conflict: "Changed since, outside this session. Select it only if those changes may be overwritten.",
    lost: { too_large: "It was too large to keep.", not_kept: "The previous version wasn't kept." },
    show: (path: string) => `Show changes in ${path}`,
    conversationOnly: "Rewind",
    failed: "Not changed",
    busy: "The session is still running. Stop it first.",
  },
  timeline: {
    menu: "Timeline",
    title: (name: string) => `Timeline of ${name}`,
    note: "Versions that runs and restores replaced. Each is compared with the file as it is now.",
    none: "No run has changed this file yet.",
    failed: "Couldn't read the timeline.",
    before: {
      run: (title: string) => `Before “${title}”`,
      restore: (title: string) => `Before a restore in “${title}”`,
    },
    restore: "Restore this version",
    otherChanges: "Includes your own changes, or those of another program",
    same: "This is the file as it is now.",
    will: {
      write: "Restoring makes these changes.",
      create: "Restoring creates the file again.",
      remove: "There was no file yet: restoring moves it to the trash.",
    },
    restored: (path: string) => `Restored a version of ${path}`,
    undone: (path: string) => `Undone: ${path}`,
  },
  trashTitle: "Trash",
  trashNote:
    "Files the agent deleted or an undo removed. They stay here, outside the project, until you delete them permanently.",
  trashEmpty: "Trash is empty.",
  trashFailed: "Couldn't read the trash.",
  folder: (count: number) => `folder, ${files(count)}`,
  putBack: "Restore",
  removeForGood: "Delete permanently",
  removeAsk: (path: string) => `Permanently delete ${path}? This can't be undone.`,
  older: "Show older",
};
