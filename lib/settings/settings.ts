/** Default values of the user settings, and the program's limits. The first screen contains this file. */
import { ignoredFolders } from "./ignored-folders";
import type { SettingRow, settingTable } from "./setting-table";

/** "system" is light or dark, as the system is. */
export const themes = [
  "system",
  "light",
  "dark",
  "light-contrast",
  "dark-contrast",
  "light-warm",
  "dark-blue",
] as const;
/** Tool calling formats; auto depends on the model's capabilities. */
export const toolCallings = ["auto", "native", "react", "xml"] as const;
export const languages = ["system", "en", "zh-CN"] as const;

type Table = typeof settingTable;

export type SettingName = keyof Table;
export type Settings = { [Name in SettingName]: Table[Name] extends SettingRow<infer Value> ? Value : never };

export const settingsDefaults: Settings = {
  ollamaHost: "",
  model: "",
  connection: "",
  connectionOrder: [],
  contextMaxTokens: 0,
  modelTitles: false,
  sourceAssistedBy: false,
  reviewAcceptCommitted: true,
  think: true,
  thinkMaxTokens: 8_192,
  keepAliveMinutes: 30,
  engineProgram: "",
  engineMirror: "",
  modelHub: "",
  temperature: null,
  toolCalling: "auto",
  mode: "ask",
  maxOutputTokens: 16_384,
  maxSteps: 50,
  maxRunMinutes: 60,
  retries: 3,
  stallSeconds: 120,
  compactionPercent: 60,
  keptMessages: 8,
  autoFill: true,
  keepReadFiles: false,
  pinnedPercent: 20,
  memory: true,
  diary: false,
  bashTimeoutSeconds: 30,
  bashOutputBytes: 8_192,
  readLines: 500,
  grepMatches: 50,
  findEntries: 100,
  disabledTools: [],
  treeDepth: 5,
  treeFolderEntries: 50,
  blockedWords: [
    "rm",
    "rmdir",
    "unlink",
    "shred",
    "sudo",
    "su",
    "doas",
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "format",
    "mkfs",
    "fdisk",
    "dd",
    "del",
    "erase",
  ],
  protectedNames: [],
  ignoredFolders: [...ignoredFolders],
  shellEnvironment: [],
  theme: "system",
  textSize: "medium",
  density: "comfortable",
  codeFont: "",
  language: "system",
  sendKey: "enter",
  editorFontSize: 13,
  editorWrapLines: false,
  editorTabSize: 4,
  editorRulers: [],
  editorStickyScroll: false,
  editorFileIcons: true,
  editorKeymap: "default",
  editorWhitespace: "selection",
  editorAutosave: "off",
  editorTrimWhitespace: false,
  editorFinalNewline: false,
  editorFormatOnSave: false,
  terminalShell: "",
  terminalShellArguments: [],
  terminalFontSize: 13,
  terminalScrollbackLines: 5_000,
  terminalCursor: "block",
  terminalCursorBlink: true,
  terminalScreenReader: false,
  sandbox: "full_access",
  sandboxNetwork: false,
  sandboxWritable: [
    "~/.npm",
    "~/.cache",
    "~/.local/share/pnpm/store",
    "~/.yarn/berry",
    "~/.bun/install/cache",
    "~/.cargo/registry",
    "~/.cargo/git",
    "~/go/pkg/mod",
    "~/.m2/repository",
    "~/.gradle/caches",
    "~/.gradle/daemon",
    "~/.gradle/native",
    "~/.gradle/wrapper",
    "~/.nuget/packages",
    "~/Library/Caches",
  ],
  keymap: "default",
  shortcuts: [],
  noticeWaiting: ["tab", "push", "channel"],
  noticeDone: ["tab"],
  noticeFailed: ["tab", "push", "channel"],
  noticePaused: ["tab", "push", "channel"],
  noticeMessage: ["tab", "push", "channel"],
  noticeSound: false,
  quietHours: "",
};

/**
 * Limits that several modules share; a limit of one module is a constant in it. Names end in the unit: Ms, Bytes, Lines,
 * Chars, Tokens, Entries.
 */
export const limits = {
  // prompts and sessions
  promptMaxChars: 200_000,
  titleMaxChars: 120,
  /** A new or moved approval card ignores clicks and keys for this long. */
  approvalRestMs: 400,
  commandMaxChars: 20_000,
  imageMaxBytes: 5_000_000,
  /** A piece of such a file that is read at once; a multiple of three, so that pieces of base64 can be joined. */
  resultFilePieceBytes: 1_500_000,
  /** Images per user message. */
  messageImages: 8,
  /** References per user message. */
  messageReferences: 20,
  /** Name of a text among them. */
  referenceLabelChars: 200,
  /** Pinned files of a session. */
  pinnedFiles: 30,
  writeMaxBytes: 2_000_000,
  previewMaxLines: 2_000,
  // editor
  editorMaxBytes: 5_000_000,
  /** Paths of one operation, entries of the first page of a folder and of a folder's list for a model. */
  folderEntries: 2_000,
  /** Entries of a folder that the tree lists; more are only counted. */
  treeFolderEntries: 200_000,
  watchedFolders: 200,
  /** A file that the user uploads. */
  uploadBytes: 2_000_000_000,
  windowDefaultTokens: 16_384,
  windowMaxTokens: 1_048_576,
  /** Tokens that must remain for an answer before a request is sent. */
  windowReserveTokens: 256,
  /** A summary edited by the user, and the focus of a compaction. */
  summaryMaxChars: 20_000,
  focusMaxChars: 1_000,
  subagentSteps: 20,
  // server
  /** Text of `config.yaml`, which is normally a few kilobytes. */
  configMaxChars: 262_144,
  // history
  historyPageEntries: 100,
  labelMaxChars: 60,
  /** Size of an imported file. */
  importMaxChars: 60_000_000,
  /** Files per restore. */
  restoreFiles: 2_000,
} as const;
