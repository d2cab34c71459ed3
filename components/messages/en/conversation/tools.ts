/** Messages of tool calls: a verb per kind and state, and facts. */
import type { ToolKind } from "@/lib/events/tool-presentations";

type ToolVerbs = Readonly<Record<Exclude<ToolKind, "other">, string>>;

const plural = (count: number, one: string, many: string, sign = ""): string =>
  `${count}${sign} ${count === 1 ? one : many}`;

export const tools = {
  /** Before the target of a call that was not executed: pending, denied or failed. */
  wants: {
    read: "Read",
    list: "List",
    find: "Find",
    search: "Search",
    edit: "Change",
    write: "Write",
    delete: "Delete",
    shell: "Run",
    agent: "Start a subagent:",
    lookup: "Look up",
  } satisfies ToolVerbs,
  /** Before the target of a running call. */
  doing: {
    read: "Reading",
    list: "Listing",
    find: "Finding",
    search: "Searching",
    edit: "Changing",
    write: "Writing",
    delete: "Deleting",
    shell: "Running",
    agent: "Subagent:",
    lookup: "Looking up",
  } satisfies ToolVerbs,
  /** Before the target of an ended call. */
  did: {
    read: "Read",
    list: "Listed",
    find: "Found",
    search: "Searched",
    edit: "Changed",
    write: "Wrote",
    delete: "Deleted",
    shell: "Ran",
    agent: "Subagent:",
    lookup: "Looked up",
  } satisfies ToolVerbs,
  state: {
    queued: "queued",
    waiting: "waiting for you",
    running: "running",
    ok: "done",
    error: "failed",
    denied: "denied",
    aborted: "stopped",
    unknown: "outcome unknown",
  },
  deniedMark: "Denied",
  /** Not attempted: forbidden by a rule of the program. */
  refused: "refused",
  unknownNote: "gopi-web stopped while this was running. It may have had an effect.",
  times: (count: number) => `${count} times`,
  reads: (count: number) => `Read ${plural(count, "file", "files")}`,
  exit: (code: number) => `exit ${code}`,
  signal: (name: string) => `killed by ${name}`,
  /** `sign` = "+" if there are more, else "". */
  matches: (count: number, sign: string) => plural(count, "match", "matches", sign),
  entries: (count: number, sign: string) => plural(count, "entry", "entries", sign),
  /** Range of lines read, and the total if that is not all. */
  lines: (from: number, to: number, total: number) =>
    `${from === to ? from : `${from}–${to}`}${to - from + 1 < total ? ` of ${total}` : ""}`,
  ended: {
    timeout: "stopped at its time limit",
    aborted: "stopped",
    output_limit: "stopped: too much output",
    user: "ended by you",
  },
  endCommand: "End command",
  killed: (count: number) => `${plural(count, "background process", "background processes")} also stopped`,
  /** Suffix of the first item of a long list. */
  moreFiles: (count: number) => `and ${plural(count, "more file", "more files")}`,
  limited:
    "Ran without an approval, so with limits for memory and file size, and reached one; Full access has no such limits",
  noUndo: "can't be undone",
  loose: {
    endings: "matched ignoring line endings",
    quotes: "matched ignoring quote style",
    indent: "matched ignoring indentation",
  },
  repaired: "The model's arguments were repaired",
  repairedMark: "repaired",
  rawNote: "The model wrote this call as text. It was read from this part of its answer:",
  answeredInTerminal: "answered in the terminal",
  answeredBy: (name: string) => `answered by ${name}`,
  byRule: (rule: string) => `allowed by rule ${rule}`,
  created: "new file",
  noHunks: "The diff is too large to show.",
  restore: "Restore",
  restored: "Restored",
  noOutput: "No output",
  notShared: "Output isn't shared",
  cut: (shown: string, total: string) => `${shown} of ${total} shown`,
  openFull: "Open full output",
  loadFailed: "Couldn't load the output.",
  reason: (text: string) => `You said: ${text}`,
  emptyTarget: "the project",
  input: "Input",
  output: "Output",
  folder: (path: string) => `in ${path}`,
  ranFenced: "sandboxed",
  deniedByRule: "Denied by a project rule.",
  badInput: "The model passed wrong parameters.",
  /** Cause of a refusal. `part` = the part of a longer command that contains it. */
  refusedBy: {
    blocked_word: (word: string) => `“${word}” is a blocked command.`,
    rule_denies: (rule: string) => `The project rule “${rule}” denies this.`,
    protected: (name: string) => `“${name}” is protected because it may contain secrets.`,
    gate: (name: string, words: string) => `The gate of ${name} denies this${words === "" ? "." : `: ${words}`}`,
    part: (part: string) => `Found in: ${part}`,
  },
  /** Links to the settings. */
};
