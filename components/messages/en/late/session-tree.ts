/** Messages of the dialog with a session's branches. */
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const sessionTree = {
  title: "Branches",
  note: "Each row is a message and its results. Go to any of them. Nothing is lost.",
  start: "Start of session",
  here: "You are here",
  running: "Running",
  continued: "Continued",
  filter: "Show",
  all: "All",
  named: "Bookmarked",
  noneNamed: "No bookmarks yet.",
  failed: "Couldn't load branches.",
  goHere: "Go here",
  calls: (count: number) => plural(count, "call", "calls"),
  files: (count: number) => plural(count, "file", "files"),
  forkOf: (title: string) => `Fork: ${title}`,
  keys: "Arrow keys to move, Enter to go there",
};
