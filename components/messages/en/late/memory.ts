/** Messages about the memory in the settings and on the cards of its tools. */
export const memory = {
  title: "Memory",
  about:
    "What new sessions are given besides the project: who you are, how the assistant behaves, and what earlier sessions noted. These are plain files on this machine; nothing is written before you or the model saves something.",
  noProject: "Notes belong to a project. Open a folder first.",
  failed: "Couldn't load the memory.",
  noAnswer: (folder: string, seconds: string) =>
    `The folder ${folder} didn't answer within ${seconds} s, so new sessions get no memory. Check the disk or network it is on.`,
  files: "Files",
  purposes: {
    "IDENTITY.md": "Name and role of the assistant",
    "SOUL.md": "Its character and tone",
    "USER.md": "Who you are and what you prefer",
    "TOOLS.md": "How to use tools and programs on this machine",
    "AGENTS.md": "Rules for work in all projects",
    "MEMORY.md": "Notes for all projects",
    project: "Notes of this project",
  },
  projectFile: "MEMORY.md of this project",
  empty: "Empty",
  /** Note on a file that a new session does not get whole. */
  cut: (sent: string, lines: string, window: string) =>
    `New sessions with a window of ${window} get only the first ${sent} of ${lines} lines.`,
  cutNotes: (sent: string, lines: string, window: string) =>
    `New sessions with a window of ${window} get only the newest ${sent} of ${lines} lines.`,
  cutWithinLine: (window: string) => `New sessions with a window of ${window} get less than one line of it.`,
  tokens: (tokens: string) => `${tokens} tokens`,
  edit: (name: string) => `Text of ${name}`,
  save: "Save",
  revert: "Discard changes",
  conflict: "The file changed on disk while you edited it. Load it again, or replace it with your text.",
  reload: "Load the file",
  replace: "Replace it",
  diaryTitle: "Diary",
  diaryEmpty: "No entries yet. With the diary on, each run that ends adds a line.",
  previousMonth: "Previous month",
  nextMonth: "Next month",
  dayWithEntries: (day: string) => `${day}, has entries`,
  closeDay: "Close the day",
  startTitle: "What a new session gets",
  startNote: "Exactly this text, in the first message. A session that has started keeps what it was given.",
  window: "Context window",
  share: (tokens: string, share: string) => `${tokens} of at most ${share} tokens`,
  nothing: "Nothing: the files are empty.",
  off: "Nothing: the memory is off.",
  ownerPart: "About you and the assistant",
  notesPart: "Notes and diary",
  problems: {
    too_large:
      "The file is too large to edit here. New sessions get its start or its newest lines. Shorten it in an editor.",
    outside: "The file is a link that leaves the memory's folder, so it isn't read. Replace it with a file.",
    binary: "This isn't a text file, so it isn't read. Replace it with a text.",
    bad_encoding: "The file isn't UTF-8, so it isn't read. Save it as UTF-8 in an editor.",
    not_a_file: "There is a folder of this name, so there is no file to read. Rename the folder.",
  },
  undo: "Forget it",
  undone: "Taken back",
  /** State of a note that was taken back, replaced or deleted earlier. */
  gone: "Not in the memory any more",
  undoFailed: "The note isn't there any more. Look for it in Settings > Memory.",
};
