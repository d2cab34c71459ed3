/**
 * Default values and ranges of the user settings, and the program's limits. Data only, since the browser bundle
 * contains this file and must not contain zod; the schema is in settings-schema.ts.
 */
import type * as z from "zod/mini";
import { ignoredFolders } from "./ignored-folders";
import type { settingsSchema } from "./settings-schema";

export const themes = ["system", "light", "dark"] as const;
/** Tool calling formats; auto depends on the model's capabilities. */
export const toolCallings = ["auto", "native", "react", "xml"] as const;
/** Which white space the editor draws as signs. */
export const whitespaceDisplays = ["off", "selection", "all"] as const;
/** When the editor saves by itself: a moment after the last key, or when it loses the focus. */
export const autosaves = ["off", "delay", "focus"] as const;
export const cursorStyles = ["block", "bar", "underline"] as const;
export const keymaps = ["default", "vscode"] as const;
export const languages = ["system", "en", "zh-CN"] as const;
/** Context window sizes offered for numCtx, tokens. */
export const windowSteps = [4096, 8192, 16384, 32768, 65536, 131072] as const;

export type Settings = z.infer<typeof settingsSchema>;

export const settingsDefaults: Settings = {
  ollamaHost: "",
  model: "",
  connection: "",
  connectionOrder: [],
  contextMaxTokens: 0,
  think: true,
  thinkMaxTokens: 8_192,
  keepAliveMinutes: 30,
  engineProgram: "",
  engineMirror: "",
  modelHub: "",
  temperature: null,
  toolCalling: "auto",
  mode: "ask",
  maxSteps: 50,
  maxRunMinutes: 60,
  retries: 3,
  stallSeconds: 120,
  compactionPercent: 60,
  keptMessages: 8,
  autoFill: true,
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
  language: "system",
  sendKey: "enter",
  editorFontSize: 13,
  editorWrapLines: false,
  editorTabSize: 4,
  editorRulers: [],
  editorStickyScroll: false,
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
  sandbox: false,
  sandboxNetwork: false,
  sandboxWritable: [
    "~/.npm",
    "~/.cache",
    "~/.local/share/pnpm/store",
    "~/.bun/install/cache",
    "~/.cargo/registry",
    "~/.cargo/git",
    "~/go/pkg/mod",
    "~/.m2/repository",
    "~/.gradle/caches",
    "~/.nuget/packages",
    "~/Library/Caches",
  ],
  keymap: "default",
  shortcuts: [],
  noticeWaiting: true,
  noticeDone: true,
  noticeFailed: true,
  noticeSound: false,
  quietHours: "",
};

/** Ranges of the integer settings; units as in settings-schema.ts. */
export const settingBounds = {
  contextMaxTokens: { least: 0, most: 262_144 },
  thinkMaxTokens: { least: 0, most: 262_144 },
  keepAliveMinutes: { least: -1, most: 1_440 },
  maxSteps: { least: 1, most: 500 },
  maxRunMinutes: { least: 0, most: 1_440 },
  retries: { least: 0, most: 10 },
  stallSeconds: { least: 0, most: 3_600 },
  compactionPercent: { least: 30, most: 85 },
  keptMessages: { least: 1, most: 40 },
  pinnedPercent: { least: 5, most: 40 },
  bashTimeoutSeconds: { least: 1, most: 600 },
  bashOutputBytes: { least: 1_024, most: 65_536 },
  readLines: { least: 20, most: 5_000 },
  grepMatches: { least: 5, most: 1_000 },
  findEntries: { least: 10, most: 1_000 },
  treeDepth: { least: 1, most: 5 },
  treeFolderEntries: { least: 5, most: 500 },
  editorFontSize: { least: 10, most: 32 },
  editorTabSize: { least: 1, most: 8 },
  terminalFontSize: { least: 8, most: 32 },
  terminalScrollbackLines: { least: 0, most: 100_000 },
} as const;

/** Default model: the first of these that is installed. Gopi's come first, then newer families. */
export const preferredModels = ["qwen2.5-coder:7b", "qwen3:8b", "qwen3.5:9b", "gpt-oss:20b", "qwen3.5:4b"] as const;

/** Suggested if no model is installed: download size and memory with a 16k window, both in GB. */
export const suggestedModels = [
  { name: "qwen3.5:9b", downloadGb: 6.6, memoryGb: 9, note: "balanced" },
  { name: "qwen3.5:4b", downloadGb: 3.4, memoryGb: 5, note: "light" },
  { name: "gpt-oss:20b", downloadGb: 14, memoryGb: 16, note: "strong" },
  { name: "qwen3-coder:30b", downloadGb: 19, memoryGb: 24, note: "coding" },
] as const;

/**
 * Limits that several modules share; a limit of one module is a constant in it. Names end in the unit: Ms, Bytes, Lines,
 * Chars, Tokens, Entries.
 */
export const limits = {
  // editor
  rulers: 10,
  /** Last column of a ruler. */
  rulerColumn: 400,
  // prompts and sessions
  promptMaxChars: 200_000,
  titleMaxChars: 120,
  // log and views
  /** Events of a log that are read and folded in one slice. */
  loadEvents: 500,
  /** A new or moved approval card ignores clicks and keys for this long. */
  approvalRestMs: 400,
  // tools
  /** Total size of the exported variables retained between calls. */
  bashVariablesBytes: 500_000,
  bashSpillBytes: 50_000_000,
  commandMaxChars: 20_000,
  readMaxBytes: 2_000_000,
  readBytes: 65_536,
  imageMaxBytes: 5_000_000,
  /** A file in the result of a tool of another program; a larger one is not stored. */
  resultFileMaxBytes: 10_000_000,
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
  lsDepth: 5,
  lsEntries: 50,
  listBytes: 16_384,
  /** Result text of tools that change files. */
  answerBytes: 8_192,
  /** Longest description of an external tool in a prompt, characters. */
  nativeDescriptionChars: 100,
  writeMaxBytes: 2_000_000,
  previewMaxLines: 2_000,
  walkEntries: 20_000,
  // editor
  editorMaxBytes: 5_000_000,
  /** Paths of one operation, entries of the first page of a folder and of a folder's list for a model. */
  folderEntries: 2_000,
  /** Entries of a folder that the tree lists; more are only counted. */
  treeFolderEntries: 200_000,
  watchedFolders: 200,
  /** A file that the user uploads. */
  uploadBytes: 2_000_000_000,
  /** Time limit of a walk for the project tree. */
  treeWalkMs: 2_000,
  // models
  /** Answers of a model server at once. */
  queueHostMax: 1,
  /** The same for cloud services. */
  queueCloudMax: 4,
  outputTokensMax: 16_384,
  answerMaxChars: 2_000_000,
  windowDefaultTokens: 16_384,
  windowMaxTokens: 1_048_576,
  windowMinTokens: 2_048,
  /** Tokens that must remain for an answer before a request is sent. */
  windowReserveTokens: 256,
  messageOverheadTokens: 4,
  imageTokens: 768,
  /** After the first byte: an answer without data for this long fails as stalled. */
  stallMs: 120_000,
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  /** Timeout of requests for server state; not for model answers. */
  serverAnswerMs: 5_000,
  serverListMs: 30_000,
  /** Maximum wait of a command for server state. */
  serverStateMs: 10_000,
  /** Maximum wait of a model's first session for its size at the server. */
  modelShapeWaitMs: 1_000,
  /** Poll interval for a server that was just started. */
  serverStartPollMs: 100,
  /** A summary edited by the user, and the focus of a compaction. */
  summaryMaxChars: 20_000,
  focusMaxChars: 1_000,
  // shares of the context window
  toolResultShare: 1 / 8,
  smallWindowTokens: 8_192,
  headShare: 1 / 8,
  /** What a subagent answers to the session that started it. */
  subagentAnswerShare: 1 / 16,
  // subagents
  /** Least context window of a session that can start them, tokens. */
  subagentMinWindow: 16_384,
  subagentSteps: 20,
  subagentMinutes: 30,
  subagentsPerRun: 4,
  // server
  /** Text of `config.yaml`, which is normally a few kilobytes. */
  configMaxChars: 262_144,
  /** Timeout of requests from a second process to the server that holds the home lock. */
  holderAnswerMs: 5_000,
  /** Maximum duration of stopping the features at shutdown. */
  featureStopMs: 2_000,
  storeBusyMs: 5_000,
  // history
  historyPageEntries: 100,
  findHits: 200,
  /** Delay of the first indexing step after start. */
  indexStartMs: 20_000,
  labelMaxChars: 60,
  /** Size of an imported file. */
  importMaxChars: 60_000_000,
  /** Files per restore. */
  restoreFiles: 2_000,
  /** Files per change list. */
  changedFiles: 500,
  // file snapshots taken before shell commands
  imageFileBytes: 5_000_000,
  // sharing
  /**
   * Time after which a connection without a valid share link is closed; time until a socket is destroyed if the peer
   * does not close it.
   */
  viewerConnectMs: 5_000,
  connectionEndMs: 1_000,
  /** Streamed text held back while it may be the start of a secret. */
  redactHoldChars: 4_096,
  decisionTargetChars: 1_000,
} as const;
