/** Messages of the rows of the palette, of the dialog of the shortcuts, and of the status bar for the text in the editor. */
const characters = (count: number): string => (count === 1 ? "1 character selected" : `${count} characters selected`);

export const palette = {
  editor: {
    caret: (line: number, column: number, selected: number) =>
      `Ln ${line}, Col ${column}${selected === 0 ? "" : ` (${characters(selected)})`}`,
    carets: (count: number, selected: number) =>
      `${count} cursors${selected === 0 ? "" : ` (${characters(selected)})`}`,
    indentation: "Indentation",
    indent: (indentation: "tab" | number) => (indentation === "tab" ? "Tabs" : `Spaces: ${indentation}`),
    lineEnding: "Line endings",
    lineEndings: { LF: "Linux, macOS", CRLF: "Windows" },
    encoding: "Encoding",
    encodings: { reopen: "Reopen with encoding…", save: "Save with encoding…" },
    language: "Language",
    plainText: "Plain text",
  },
  none: "No matches",
  groups: { sessions: "Sessions", view: "View", files: "Files", settings: "Settings" },
  recentCommands: "Recently used",
  recent: "Opened lately",
  goToLine: (line: number) => `Go to line ${line}`,
  lineNote: "Type the number of a line of the open file.",
  noFile: "No file is open in the editor.",
  noSymbols: "No symbols found in this file.",
  kinds: {
    function: "function",
    method: "method",
    class: "class",
    type: "type",
    variable: "variable",
    module: "module",
    heading: "heading",
    key: "key",
    rule: "rule",
  },
  changeShortcuts: "Change shortcuts",
  /** Keys that work only in one part of the screen. */
  places: {
    send: "Send message",
    newline: "New line in message",
    followUp: "Queue until the run ends",
    pullQueued: "Edit the last queued message (empty field)",
    tree: "Show branches (empty field)",
    mode: "Switch mode (message field)",
    answer: "Answer the focused approval",
    rename: "Rename (file tree)",
    findInFile: "Find in file",
    togglePreview: "Switch between text and preview (editor)",
    findInTerminal: "Find in terminal",
  },
};
