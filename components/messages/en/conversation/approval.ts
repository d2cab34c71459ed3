/** Messages of the approval card. */
export const approval = {
  /** The sentence in its header. */
  run: "Run this command",
  runIn: (folder: string) => `in ${folder}`,
  create: "Create",
  change: (lines: number) => `Change ${lines} ${lines === 1 ? "line" : "lines"} in`,
  changeFile: "Change",
  remove: "Delete",
  removeFolder: (files: number) => `Delete the folder with ${files} ${files === 1 ? "file" : "files"},`,
  use: (tool: string) => `Use ${tool}`,
  /** Titles of tools of this program. */
  own: {
    spawn: "Start a subagent that may change files",
    remember: "Save a note in memory",
    message: "Send a message to a person",
    web_search: "Search the web",
    web_fetch: "Read a page of the web",
  },
  toTrash: "It moves to the trash, where you can restore it.",
  loose: {
    endings: "The text matched only when line endings were ignored.",
    quotes: "The text matched only when quote style was ignored.",
    indent: "The text matched only when indentation was ignored.",
  },
  once: "Allow once",
  network: "Allow the network for this session",
  withoutNetwork: "Run without the network",
  always: "Always allow",
  edits: "Accept edits in this session",
  deny: "Deny",
  denyWhy: "Deny and say why",
  reason: "What should it do instead?",
  sendReason: "Deny",
  rule: "Rule",
  ruleHelp:
    "Commands that start with these words run without asking in this project. A trailing * matches any further words.",
  ruleEmpty: "A rule needs at least one word.",
  saveRule: "Save rule and allow",
  timeLimit: (duration: string) => `stops after ${duration}`,
  parts: "Parts of this command",
  risk: { rule: "allowed by a rule", refused: "blocked" },
  /** Suffix of a part that occurs in the command more than once. */
  times: (count: number) => `× ${count}`,
  /** Effect of a command part. */
  effects: {
    elevates: "runs as administrator",
    writes_outside: "writes outside the project",
    force_pushes: "overwrites a remote branch",
    discards: "discards changes",
    deletes: "deletes",
    system: "changes the system",
    publishes: "publishes",
    pushes: "pushes",
    installs: "installs packages",
    stops: "stops processes",
    network: "network",
    local_network: "connects to this machine",
    unclear: "can't be checked",
    permissions: "changes permissions",
    repository: "changes the repository",
    writes: "writes files",
    reads_outside: "reads outside the project",
    reads: "only reads",
  },
  /** A part that requires approval although only read access is known for it. */
  usuallyReads: "usually only reads",
  noPreview: "No preview for this call.",
  hiddenCharacters: (count: number) => `${count} hidden ${count === 1 ? "character" : "characters"}, highlighted`,
  waiting: "Waiting for you",
  count: (index: number, total: number) => `${index} of ${total}`,
  show: "Show",
  hide: "Hide",
  fenced: "Sandboxed: can write to the project, no network",
  needsNetwork: "This command needs the network, which the sandbox doesn't have.",
  fencedNetwork: "Sandboxed: can write to the project and use the network",
  readOnly: "This file is read-only: its permissions let nobody write it. They stay as they are.",
  noUndo:
    "What it changes can't be undone: this project has too many files to keep copies. In a trusted git repository, gopi-web takes earlier versions from git.",
  notFenced: "Not sandboxed: the sandbox you turned on doesn't work here",
  /** A gate of an extension asks. */
  gate: {
    asks: (gate: string) => `The gate of ${gate} asks you`,
    late: (gate: string) => `The gate of ${gate} did not answer in 5 s, so it asks`,
    broken: (gate: string) => `The gate of ${gate} failed, so it asks`,
    changed: (gate: string) =>
      `The gate of ${gate} changed since you enabled it, so every call asks. Review it under Extensions.`,
    not_loaded: () => "The extensions could not be read, so every call asks",
  },
  /** The file with what the user enabled cannot be read, or not the entry of a gate; `gate`: "" = the file. */
  gateFile: (file: string, gate: string) =>
    gate === ""
      ? `${file} could not be read, so every call asks. Correct the file, or move it away and enable your extensions again.`
      : `The entry of ${gate} in ${file} could not be read, so every call asks. Enable or disable ${gate} under Extensions.`,
};
