/**
 * Settings the user can change, with their defaults, and every limit of the program by name. Data only: the browser
 * has this file, never zod; the schema stands in settings-schema.ts.
 */
import type * as z from "zod/mini";
import { ignoredFolders } from "./ignored-folders";
import type { settingsSchema } from "./settings-schema";

export const themes = ["system", "light", "dark"] as const;
/** How models call tools; auto goes by what each one can. */
export const toolCallings = ["auto", "native", "react", "xml"] as const;
export const languages = ["system", "en", "zh-CN"] as const;
/** Window steps in tokens; numCtx is chosen from these. */
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
  temperature: null,
  toolCalling: "auto",
  mode: "ask",
  maxSteps: 50,
  maxRunMinutes: 60,
  retries: 3,
  stallSeconds: 120,
  compactionPercent: 60,
  keptMessages: 8,
  bashTimeoutSeconds: 30,
  bashOutputBytes: 8_192,
  readLines: 500,
  grepMatches: 50,
  findEntries: 100,
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
  sandbox: false,
  sandboxNetwork: false,
};

/** What the whole numbers among the settings may be; units as in settings-schema.ts. */
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
  bashTimeoutSeconds: { least: 1, most: 600 },
  bashOutputBytes: { least: 1_024, most: 65_536 },
  readLines: { least: 20, most: 5_000 },
  grepMatches: { least: 5, most: 1_000 },
  findEntries: { least: 10, most: 1_000 },
  treeDepth: { least: 1, most: 5 },
  treeFolderEntries: { least: 5, most: 500 },
} as const;

/** Picked first when installed, in this order (Gopi). */
export const preferredModels = ["qwen2.5-coder:7b", "qwen3:8b"] as const;

/** Shown when no model is installed: size of the download, memory it needs with a 16k window, both GB. */
export const suggestedModels = [
  { name: "qwen3:8b", downloadGb: 5.2, memoryGb: 8, note: "balanced" },
  { name: "qwen2.5-coder:7b", downloadGb: 4.7, memoryGb: 7, note: "coding" },
  { name: "qwen3:4b", downloadGb: 2.5, memoryGb: 5, note: "light" },
  { name: "qwen3-coder:30b", downloadGb: 19, memoryGb: 24, note: "strong" },
] as const;

/** Names end in the unit: Ms, Bytes, Lines, Chars, Tokens, Entries. */
export const limits = {
  defaultPort: 4674,
  // prompt road
  promptMaxChars: 200_000,
  queueMaxEntries: 50,
  /** Sessions nobody looks at that stay in memory, with their shell's variables. */
  sessionsKept: 8,
  titleMaxChars: 120,
  snapshotWaitMs: 150,
  /** A disk that does not answer holds up a prompt at most this long; branch and guide are then missing. */
  guideWaitMs: 2_000,
  // log and screen
  checkpointMs: 400,
  /** A checkpoint waits at most this long for the database; the next one is not far. */
  checkpointBusyMs: 50,
  /** A log is read and folded so much at a time. */
  loadEvents: 500,
  /** What a log folds to is kept again when it has grown by so much. */
  keptViewEvents: 2_000,
  /** So many logs at once are read before they are asked for, and kept for this long. */
  preparedMax: 4,
  preparedMs: 5_000,
  openEntries: 200,
  pageEntries: 200,
  inlineOutputChars: 2_048,
  joinDeltasMs: 4,
  /** Before what comes behind the first screen is loaded: at most, and where a browser does not tell when it is idle. */
  laterAtMostMs: 2_000,
  laterBlindMs: 500,
  liveTailChars: 65_536,
  /** Of what a client has not read: more is not held for it, it opens the session anew. */
  resyncEvents: 500,
  resyncChars: 1_000_000,
  /** A card that appeared, or moved under a resting pointer, takes no press and no key for so long. */
  approvalRestMs: 400,
  // tools
  bashTimeoutMaxMs: 600_000,
  bashKillMs: 2_000,
  /** The same after Stop, which has to be done within a second (R44). */
  bashAbortKillMs: 300,
  /** After bash has ended: how long its pipe may be quiet, and go on at all, before background children are ended. */
  bashDrainMs: 60,
  bashDrainMaxMs: 250,
  /** What a background child has between SIGTERM and SIGKILL. */
  bashLeftoverMs: 200,
  /** An unfinished output line is shown after this long without a further byte. */
  bashQuietMs: 200,
  /** Exported variables kept between calls, all together. */
  bashVariablesBytes: 500_000,
  bashSpillBytes: 50_000_000,
  commandMaxChars: 20_000,
  // parts of one command, wrappers within wrappers included, and their words in all: more is not judged
  commandMaxParts: 500,
  commandMaxWords: 12_000,
  commandParseMs: 1_000,
  readMaxBytes: 2_000_000,
  readBytes: 65_536,
  readLineChars: 2_000,
  imageMaxBytes: 5_000_000,
  /** Images of one session's messages that are held in base64 while it runs. */
  encodedImageChars: 20_000_000,
  /** Images of one message of the user. */
  messageImages: 8,
  grepLineChars: 300,
  grepTimeoutMs: 10_000,
  grepContextLines: 20,
  grepBytes: 32_768,
  lsDepth: 5,
  lsEntries: 50,
  lsTotalEntries: 500,
  listBytes: 16_384,
  /** The answer of a tool that changes something. */
  answerBytes: 8_192,
  writeMaxBytes: 2_000_000,
  diffMaxLines: 400,
  previewMaxLines: 2_000,
  walkEntries: 20_000,
  readerWalkEntries: 5_000,
  callsAtOnce: 16,
  callsPerMessage: 64,
  // editor
  editorMaxBytes: 5_000_000,
  folderEntries: 2_000,
  watchedFolders: 200,
  watchBatchMs: 30,
  watchPollMs: 1_000,
  /** Lines of the project tree, and the time its walk may take. */
  treeEntries: 2_000,
  treeWalkMs: 2_000,
  // models
  queueHostMax: 1,
  /** The same for a service on the internet. */
  queueCloudMax: 4,
  outputTokensMax: 16_384,
  answerMaxChars: 2_000_000,
  windowDefaultTokens: 16_384,
  windowMaxTokens: 1_048_576,
  windowMinTokens: 2_048,
  /** Room that must be left for an answer before a request is made. */
  windowReserveTokens: 256,
  messageOverheadTokens: 4,
  imageTokens: 768,
  stallNoticeMs: 30_000,
  /** After the first byte: this long without another one ends the answer as stalled. */
  stallMs: 120_000,
  /** After an answer gave the reason of its end: how long its counts may take. */
  answerEndMs: 5_000,
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  serverPollMs: 5_000,
  /** How often an address nobody answers at is tried while somebody looks. */
  serverSearchMs: 1_000,
  /** Questions about the server's state; never the answers of a model. */
  serverAnswerMs: 5_000,
  serverListMs: 30_000,
  /** How long somebody who asks waits for the server's state, and for a server that is being started. */
  serverStateMs: 10_000,
  serverStartWaitMs: 60_000,
  serverStartMs: 20_000,
  /** Template, parameters and license of a model as its page shows them, each. */
  modelTextMaxChars: 20_000,
  // connections
  connectionsMax: 50,
  /** The window where neither the user nor the server tells one. */
  connectionWindowTokens: 32_768,
  /** A session's first message waits at most this long for the list of its server. */
  connectionListWaitMs: 3_000,
  connectionTestMs: 180_000,
  // a model's test: what one step may take at most
  doctorLoadMs: 240_000,
  doctorAnswerMs: 90_000,
  doctorTryMs: 90_000,
  doctorWindowMs: 150_000,
  /** The long prompt is no longer than the model reads in this time. */
  doctorReadMs: 60_000,
  /** A model whose size at the server is not known yet holds up its first session at most this long. */
  modelShapeWaitMs: 1_000,
  /** How often a server that was just started is asked. */
  serverStartPollMs: 100,
  /** Download progress is told at most this often. */
  pullTellMs: 250,
  /** Speed of a download is measured over this long. */
  pullSpeedMs: 10_000,
  /** One line of a streamed answer; a tool call is one line. */
  wireLineMaxBytes: 16_777_216,
  /** An event of a streamed answer is one line as a rule. */
  eventMaxLines: 1_000,
  /** Words that came together are handed on together up to this: guards look between two parts. */
  joinPieceChars: 1_024,
  errorBodyMaxBytes: 65_536,
  /** What is read of the words of a server's error: its first sentences tell all there is to tell. */
  errorWordsMaxChars: 16_384,
  /** The user's own words for a summary, and for what it has to keep. */
  summaryMaxChars: 20_000,
  focusMaxChars: 1_000,
  // shares of the context window
  toolResultShare: 1 / 8,
  messageResultsShare: 1 / 4,
  snapshotShare: 1 / 8,
  /** The same for windows up to `smallWindowTokens`, where everything else needs the room. */
  snapshotSmallShare: 1 / 16,
  smallWindowTokens: 8_192,
  // compaction; shares of the window
  compactionStepShare: 0.1,
  headShare: 1 / 8,
  summaryMaxTokens: 2_048,
  summaryMinTokens: 96,
  summaryRetries: 1,
  /** A server that counts less than this share of what was sent has cut it; smaller differences than these tokens say nothing. */
  promptCutShare: 0.6,
  promptCutMinTokens: 512,
  // guards of a run
  guardSteps: 64,
  guardPeriod: 4,
  /** Steps that come back, calls and results the same. */
  guardRepeats: 3,
  /** The same calls with other results each time. */
  guardChanging: 8,
  /** One part of a file read again, not in a row, while nobody changed it. */
  guardReads: 6,
  guardProseChars: 200,
  guardProseTimes: 3,
  /** Text of `config.yaml`; a file of settings is a few kilobytes. */
  configMaxChars: 262_144,
  // door
  signInMs: 600_000,
  cookieDays: 30,
  packetMaxBytes: 1_000_000,
  wrongTriesPerHour: 20,
  clientIdleExitMs: 5_000,
  /** A second start asks the server that holds the home for this long. */
  holderAnswerMs: 5_000,
  /** `run` waits this long for the server it started. */
  backgroundStartMs: 30_000,
  /** The log of servers in the background begins anew above this. */
  serverLogBytes: 1_000_000,
  /** A clean end takes at most this long. */
  shutdownMs: 5_000,
  // store
  /** Blobs up to this size stand in the database, larger ones in home/blobs. */
  blobInlineBytes: 65_536,
  backupsKept: 3,
  storeBusyMs: 5_000,
  /** How long the end of a run waits at most before it is written again. */
  storeRetryMaxMs: 5_000,
  // history
  historyPageEntries: 100,
  findHits: 200,
  /** What is searched of one message, and of the input and the output of one call each: their beginning and end. */
  searchMessageChars: 50_000,
  searchCallChars: 4_096,
  searchSnippetChars: 160,
  searchPageHits: 30,
  /** Texts that are read for one page to find out whether they are hits. */
  searchCandidates: 300,
  /** The history is indexed in steps of this length, with pauses while something runs; the first some seconds after the start. */
  indexStepMs: 2.5,
  indexPauseMs: 100,
  indexStartMs: 20_000,
  /** After a step that failed. */
  indexRetryMs: 30_000,
  /** A search waits at most this long for what was said last to be in the index. */
  indexWaitMs: 150,
  labelMaxChars: 60,
  /** What the tree of a session shows of a message. */
  treeTextMaxChars: 200,
  treeAnswerMaxChars: 120,
  /** A file that is imported, and the most that is sent for it. */
  importMaxChars: 60_000_000,
  importLineChars: 30_000_000,
  importSessions: 500,
  importBranches: 200,
  /** Files one restore may name. */
  restoreFiles: 2_000,
  /** Files and diff lines one change list shows. */
  changedFiles: 500,
  changesMaxLines: 20_000,
  // what a shell command may change: the state before is kept of so much
  imageFiles: 20_000,
  imageFileBytes: 5_000_000,
  imageTotalBytes: 500_000_000,
  /** A command waits at most so long for the state of the files before it. */
  imageWaitMs: 15_000,
  /** The look at the files holds the event loop so long at a stretch; in the background it rests so long in between. */
  imageSliceMs: 8,
  imageStartMs: 200,
  imageRestMs: 4,
  /** What was written so short a time before it was looked at is read again: its time may not tell a further write. */
  imageRacyMs: 2_000,
  /** Folders are watched for changes between two commands at most so long. */
  imageWatchIdleMs: 600_000,
  // sharing
  shareMaxHours: 720,
  shareViewers: 250,
  /** Connections at one address where links are answered. */
  shareConnections: 1_000,
  /** Streamed text of viewers is joined for at most so long. */
  shareJoinMs: 25,
  /** After a start: when the model server is asked for its models. */
  firstModelLookMs: 50,
  /** After a start: when the links of before are answered again. */
  shareResumeMs: 250,
  /** A packet of a viewer; what they ask is short. */
  viewerPacketBytes: 16_384,
  /** A connection without a link, and one whose link is over, are cut after so long. */
  viewerConnectMs: 5_000,
  connectionEndMs: 1_000,
  /** The list of who looks is told at most this often. */
  viewersTellMs: 250,
  /** What may be held back of streamed text while it could still become a secret. */
  redactHoldChars: 4_096,
  // guard
  decisionsKept: 20_000,
  /** Decisions are written together, so many at once or after this long. */
  decisionsBatch: 200,
  decisionsFlushMs: 500,
  decisionsPageEntries: 50,
  /** Rules of one project. */
  rulesMax: 500,
  decisionTargetChars: 1_000,
  trustFindings: 100,
  trustFileBytes: 262_144,
  /** One look for the fence, and the trial run of it. */
  sandboxTrialMs: 3_000,
  gitTimeoutMs: 10_000,
} as const;
