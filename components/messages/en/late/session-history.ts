/** Messages of the history page: filters and the import of sessions; and of two dialogs about a session. */
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const sessionHistory = {
  /** Title of a dialog on any page. */
  renameTitle: "Rename session",
  /** The dialog with the full output of a call. */
  output: {
    title: "Full output",
    save: "Save as file",
    cut: (shown: string, total: string) => `First ${shown} of ${total}`,
  },
  filters: {
    name: "Filters",
    project: "Project",
    allProjects: "All projects",
    model: "Model",
    allModels: "All models",
    date: "Date",
    anyTime: "Any time",
    span: { "1": "Today", "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days" },
    choose: "Custom range…",
    from: "From",
    to: "To",
    since: (day: string) => `Since ${day}`,
    until: (day: string) => `Until ${day}`,
    changed: "Has changes",
    shared: "Shared",
    shelf: { active: "Active", archived: "Archived", bin: "Trash" },
    shelfName: "Status",
    clear: "Clear filters",
  },
  import: {
    action: "Import",
    note: "Sessions of gopi-web, pi, Claude Code, Codex, Golem or Kimi-Go (.jsonl)",
    drop: (project: string) => `Drop .jsonl files to import them into ${project}`,
    busy: (name: string) => `Importing ${name}…`,
    done: (title: string) => `Imported “${title}”`,
    doneMany: (count: number) => `${plural(count, "session", "sessions")} imported`,
    open: "Open",
    failed: "Import failed",
    line: (line: string) => `Line ${line}`,
    noProject: "Open a project first. Every session belongs to one.",
    close: "Dismiss",
  },
  purge: {
    title: "Delete permanently?",
    note: (title: string) => `“${title}” and all its messages will be deleted. This can't be undone.`,
    manyNote: (count: number) =>
      `${plural(count, "session", "sessions")} and all their messages will be deleted. This can't be undone.`,
    emptyTitle: "Empty trash?",
    emptyNote: "All sessions in the trash and their messages will be deleted. This can't be undone.",
  },
  selection: {
    name: "Selected sessions",
    begin: "Select",
    one: (title: string) => `Select ${title}`,
    count: (count: number) => `${count} selected`,
    end: "Clear selection",
  },
  purged: (count: number) => `${plural(count, "session", "sessions")} permanently deleted`,
  restoredMany: (count: number) => `${plural(count, "session", "sessions")} restored`,
  noneHere: { archived: "No archived sessions", bin: "Trash is empty" },
  noneHereNote: {
    archived: "Archived sessions leave your lists. Find and open them here.",
    bin: "Deleted sessions stay here until you restore them or delete them permanently.",
  },
  search: {
    found: (hits: number, sessions: number) =>
      `${plural(hits, "match", "matches")} in ${plural(sessions, "session", "sessions")}`,
    foundMore: (hits: number, sessions: number) =>
      `Latest ${plural(hits, "match", "matches")}, in ${plural(sessions, "session", "sessions")}`,
    indexed: (percent: string) => `${percent} of your history is searchable so far`,
    none: (query: string) => `No results for “${query}”`,
    noneNote: "Try fewer or different words.",
    failed: "Search failed.",
    place: { title: "Title", user: "You", assistant: "Answer", tool: "Tool" },
    hidden: "on another branch",
  },
  /** Sessions that the side list shows. */
  shown: { all: "All sessions", running: "Running", waiting: "Waiting for you", failed: "Failed" },
};
