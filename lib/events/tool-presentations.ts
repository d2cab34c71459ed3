/**
 * The kinds of tools as data: how a call is presented, and what its output is. A call is stored with the name of its
 * kind; a name that is not in the table (of an older or newer program) is presented as `other`.
 */

export interface ToolPresentation {
  readonly icon:
    | "book"
    | "tree"
    | "file-search"
    | "search"
    | "pencil"
    | "new-file"
    | "trash"
    | "terminal"
    | "agent"
    | "wrench";
  /** Card of the call: its output, its output and the diffs of its changes, its command with both, or the diffs. */
  readonly body: "output" | "report" | "terminal" | "diff";
  /** Target of the call: a file that can be opened, another path, or any text. */
  readonly target: "file" | "path" | "text";
  /** Text of the output: numbered lines of one file, matching lines of a search, or anything else. */
  readonly output: "file" | "matches" | "text";
}

const toolPresentations = {
  read: { icon: "book", body: "output", target: "file", output: "file" },
  list: { icon: "tree", body: "output", target: "path", output: "text" },
  find: { icon: "file-search", body: "output", target: "text", output: "text" },
  search: { icon: "search", body: "output", target: "text", output: "matches" },
  edit: { icon: "pencil", body: "diff", target: "file", output: "text" },
  write: { icon: "new-file", body: "diff", target: "file", output: "text" },
  delete: { icon: "trash", body: "output", target: "path", output: "text" },
  shell: { icon: "terminal", body: "terminal", target: "text", output: "text" },
  agent: { icon: "agent", body: "report", target: "text", output: "text" },
  lookup: { icon: "wrench", body: "output", target: "text", output: "text" },
  other: { icon: "wrench", body: "output", target: "text", output: "text" },
} as const satisfies Readonly<Record<string, ToolPresentation>>;

/** Kind of a tool; also the key of its verbs in the catalogues, which present a kind without verbs by the tool's name. */
export type ToolKind = keyof typeof toolPresentations;

const byKind: ReadonlyMap<string, ToolPresentation> = new Map(Object.entries(toolPresentations));

export const presentationOf = (kind: string): ToolPresentation => byKind.get(kind) ?? toolPresentations.other;

/** Whether calls of this kind run a command in the session's shell. */
export const isCommandKind = (kind: string): boolean => presentationOf(kind).body === "terminal";

/** Whether the output of calls of this kind is a part of a file. */
export const isFileKind = (kind: string): boolean => presentationOf(kind).output === "file";
