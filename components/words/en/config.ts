/** Words of the settings of runs, context and tools, and of their file. */
export const config = {
  agent: {
    runs: "Runs",
    context: "Context",
    tools: "Tools",
    fields: {
      maxSteps: { label: "Step limit", note: "A run pauses after this many steps and offers to continue. 1 to 500." },
      maxRunMinutes: {
        label: "Time limit",
        note: "In minutes; time spent waiting for you doesn't count. 0 means no limit.",
      },
      retries: { label: "Retries", note: "Attempts after the model server fails, with growing pauses. 0 to 10." },
      stallSeconds: {
        label: "Stall limit",
        note: "Seconds of silence in the middle of an answer before it's given up. 0 means no limit.",
      },
      compactionPercent: {
        label: "Compact at",
        note: "Percent of the context window. Older messages are summarized beyond it. 30 to 85.",
      },
      keptMessages: {
        label: "Messages to keep",
        note: "The newest messages stay word for word when older ones are summarized. 1 to 40.",
      },
      treeDepth: { label: "Project tree depth", note: "Folder levels the model sees in its first message. 1 to 5." },
      treeFolderEntries: { label: "Entries per folder", note: "In the same tree. 5 to 500." },
      bashTimeoutSeconds: {
        label: "Command timeout",
        note: "In seconds, when the model doesn't ask for more. 1 to 600.",
      },
      bashOutputBytes: {
        label: "Command output",
        note: "Bytes the model gets, from the start and the end. The full output stays one click away.",
      },
      readLines: { label: "Lines per read", note: "20 to 5,000." },
      grepMatches: { label: "Matches per search", note: "5 to 1,000." },
      findEntries: { label: "Files per find", note: "10 to 1,000." },
    },
  },
  file: {
    title: "config.yaml",
    note: "Everything you change in Settings is saved in this file. Edit it here or in any editor; changes take effect right away.",
    placeholder: "# tools:\n#   bash_timeout: 60s",
    copyPath: "Copy path",
    save: "Save",
    discard: "Discard changes",
    changedMeanwhile: "The file changed on disk since you opened it. Discard your changes to load the new version.",
    line: (line: number) => `Line ${line}`,
    problems: {
      bad_syntax: "Not valid YAML, so nothing in the file takes effect.",
      bad_value: "can't have this value.",
      unknown_key: "isn't a setting and has no effect.",
      too_large: "The file is too large.",
    },
  },
};
