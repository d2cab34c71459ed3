/** Messages of the history of a repository: its log, a commit, and who wrote the lines of a file. */
import type { LogPage } from "@/lib/workspace/source-history";

const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

export const sourceHistory = {
  title: "History",
  list: "Commits",
  ofFile: (path: string) => `History of ${path}`,
  search: "Search commits",
  placeholder: {
    text: "Search messages",
    author: "Search authors",
    path: "Search paths",
    content: "Search changed text",
  },
  scope: "Search in",
  scopes: { text: "Message", author: "Author", path: "Path", content: "Changed text" },
  allBranches: "All branches",
  refresh: "Refresh",
  more: "Load more",
  stop: "Stop",
  searching: "Searching…",
  loading: "Reading the history…",
  failed: "Couldn't read the history.",
  noRepository: "This folder isn't a git repository.",
  none: "There are no commits yet.",
  nothingFound: "No commit matches.",
  ended: {
    timeout: "The search ended after 10 seconds. These commits were found until then.",
    stopped: "The search was stopped. These commits were found until then.",
    too_large: "There is too much to read. These commits were found until then.",
    shallow:
      "This clone is shallow, so older commits are missing. Run git fetch --unshallow in a terminal to get them.",
  } satisfies Record<NonNullable<LogPage["ended"]>, string>,
  refs: { head: "Checked out", branch: "Branch", remote: "Remote branch", tag: "Tag" },
  commit: (id: string) => `Commit ${id}`,
  compared: (from: string, to: string) => `${from} compared with ${to}`,
  compare: "Compare with another commit",
  chooseOther: (id: string) => `Choose the commit to compare with ${id}.`,
  copyId: "Copy the commit's id",
  author: "Author",
  committer: "Committed by",
  parents: "Parents",
  files,
  sameFiles: "The files are the same.",
  noLines: "No lines differ.",
  renamedFrom: (path: string) => `from ${path}`,
  fileHistory: "Commits of this file",
  blame: "Toggle blame",
  blameCommit: "Show the commit of this line",
  notCommitted: "Not committed",
  noHistory: "This file has no commits yet.",
};
