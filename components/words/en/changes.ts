/** Words of the Changes view, of restoring files, and of the trash. */
const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

export const changes = {
  title: "Changes",
  scope: "What is compared",
  run: "Last run",
  session: "This session",
  tree: "Working tree",
  refresh: "Look again",
  trash: "Trash",
  files,
  more: (count: number) => `and ${files(count)} more`,
  kind: { created: "new", changed: "changed", deleted: "deleted" },
  /** In place of counted lines. */
  state: { binary: "binary", empty: "empty" },
  why: {
    binary: "This is not text, so there is nothing to show line by line.",
    too_large: "This is too large to show line by line.",
    not_kept: "What was there before was not kept.",
  },
  changedSince: "changed since",
  changedSinceNote: "Somebody else changed this file after the agent did. What is shown is what the agent did.",
  open: (path: string) => `Open ${path} in the editor`,
  fold: (path: string) => `Show or hide ${path}`,
  loading: "Comparing files",
  failed: "The changes could not be read.",
  empty: {
    run: "The last run changed no files.",
    session: "This session has not changed any files.",
    tree: "Nothing differs from the last commit.",
    none: "Open a session to see what it changed.",
  },
  noRepository: "This folder is not a git repository. The session's own changes are still here.",
  noGit: "git is not installed on this machine. The session's own changes are still here.",
  untrusted: "git obeys settings of the folder it runs in, and they can run programs. Trust this folder first.",
  trust: "Look and trust…",
  restoreToHere: "Undo these changes…",
  restore: {
    title: "Put files back",
    titleRemove: "Remove files",
    note: "Files go back to how they were at this point. What stands there now is kept, so this can be undone.",
    limits: "What .gitignore names, links and empty folders are not kept and do not come back.",
    looking: "Looking what would change",
    nothing: "The files are already as they were then.",
    what: "How far to go back",
    filesOnly: "Files only",
    both: "Files and conversation",
    bothNote: "The conversation goes back to this point too. Nothing is lost: Redo brings it back.",
    action: { write: "goes back", create: "comes back", remove: "goes to the trash" },
    conflict: "Changed since, not by this session. Choose it only if that may be replaced.",
    lost: { too_large: "It was too large to be kept.", not_kept: "What was there was not kept." },
    show: (path: string) => `Show what changes in ${path}`,
    /** Files that go back to what they were, and files that go to the trash. */
    submit: (back: number, removed: number) =>
      removed === 0
        ? `Put back ${files(back)}`
        : back === 0
          ? `Remove ${files(removed)}`
          : `Put back ${files(back)}, remove ${removed}`,
    submitNone: "Put back",
    conversationOnly: "Go back",
    done: (back: number, removed: number) =>
      removed === 0
        ? `${files(back)} put back`
        : back === 0
          ? `${files(removed)} moved to the trash`
          : `${files(back)} put back, ${removed} moved to the trash`,
    undo: "Undo",
    failed: "These stay as they are",
    busy: "The session is still running. Stop it first, then put files back.",
  },
  trashTitle: "Trash",
  trashNote: "What the agent deleted, and what an undo removed, kept outside the project until you delete it for good.",
  trashEmpty: "The trash is empty.",
  trashFailed: "The trash could not be read.",
  folder: (count: number) => `folder, ${files(count)}`,
  putBack: "Put back",
  removeForGood: "Delete for good",
  removeAsk: (path: string) => `Delete ${path} for good? It cannot be brought back.`,
  older: "Show older",
};
