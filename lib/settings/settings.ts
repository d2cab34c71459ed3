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
  bashTimeoutSeconds: { least: 1, most: 600 },
  bashOutputBytes: { least: 1_024, most: 65_536 },
  readLines: { least: 20, most: 5_000 },
  grepMatches: { least: 5, most: 1_000 },
  findEntries: { least: 10, most: 1_000 },
  treeDepth: { least: 1, most: 5 },
  treeFolderEntries: { least: 5, most: 500 },
} as const;

/** Default model: the first of these that is installed (same list as Gopi). */
export const preferredModels = ["qwen2.5-coder:7b", "qwen3:8b"] as const;

/** Suggested if no model is installed: download size and memory with a 16k window, both in GB. */
export const suggestedModels = [
  { name: "qwen3:8b", downloadGb: 5.2, memoryGb: 8, note: "balanced" },
  { name: "qwen2.5-coder:7b", downloadGb: 4.7, memoryGb: 7, note: "coding" },
  { name: "qwen3:4b", downloadGb: 2.5, memoryGb: 5, note: "light" },
  { name: "qwen3-coder:30b", downloadGb: 19, memoryGb: 24, note: "strong" },
] as const;

/** Limits of the program. Names end in the unit: Ms, Bytes, Lines, Chars, Tokens, Entries. */
export const limits = {
  defaultPort: 4674,
  // prompts and sessions
  promptMaxChars: 200_000,
  queueMaxEntries: 50,
  /** Idle sessions without clients that stay in memory, with their shell state. */
  sessionsKept: 8,
  titleMaxChars: 120,
  snapshotWaitMs: 150,
  /** Maximum delay of a prompt for reading branch and guide file; without them afterwards. */
  guideWaitMs: 2_000,
  // log and views
  checkpointMs: 400,
  /** Lock timeout of a checkpoint; short, because the next checkpoint follows soon. */
  checkpointBusyMs: 50,
  /** Events of a log that are read and folded in one slice. */
  loadEvents: 500,
  /** Growth of a log, in events, after which its folded view is stored again. */
  keptViewEvents: 2_000,
  /** Number of logs loaded ahead of use, and how long each is retained. */
  preparedMax: 4,
  preparedMs: 5_000,
  openEntries: 200,
  pageEntries: 200,
  inlineOutputChars: 2_048,
  joinDeltasMs: 4,
  /** Delay before deferred code is loaded: maximum, and in browsers without requestIdleCallback. */
  laterAtMostMs: 2_000,
  laterBlindMs: 500,
  liveTailChars: 65_536,
  /** Maximum unread data per client and topic; beyond it the client must query the state again. */
  resyncEvents: 500,
  resyncChars: 1_000_000,
  /** Maximum subscriptions of a client per topic; beyond it the oldest ends. */
  clientSubjects: 200,
  /** A new or moved approval card ignores clicks and keys for this long. */
  approvalRestMs: 400,
  // tools
  bashTimeoutMaxMs: 600_000,
  bashKillMs: 2_000,
  /** The same after Stop, which must complete within a second (R44). */
  bashAbortKillMs: 300,
  /** After bash exits: idle time and maximum time of its pipe before background children are terminated. */
  bashDrainMs: 60,
  bashDrainMaxMs: 250,
  /** Time between SIGTERM and SIGKILL for background children. */
  bashLeftoverMs: 200,
  /** An incomplete output line is shown after this long without new data. */
  bashQuietMs: 200,
  /** Total size of the exported variables retained between calls. */
  bashVariablesBytes: 500_000,
  bashSpillBytes: 50_000_000,
  commandMaxChars: 20_000,
  // parts of one command, including nested wrappers, and their total words: larger commands are not classified
  commandMaxParts: 500,
  commandMaxWords: 12_000,
  commandParseMs: 1_000,
  readMaxBytes: 2_000_000,
  readBytes: 65_536,
  readLineChars: 2_000,
  imageMaxBytes: 5_000_000,
  /** Cached base64 images of one session during a run. */
  encodedImageChars: 20_000_000,
  /** Images per user message. */
  messageImages: 8,
  grepLineChars: 300,
  grepTimeoutMs: 10_000,
  grepContextLines: 20,
  grepBytes: 32_768,
  lsDepth: 5,
  lsEntries: 50,
  lsTotalEntries: 500,
  listBytes: 16_384,
  /** Result text of tools that change files. */
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
  /** Lines of the project tree, and the time limit of its walk. */
  treeEntries: 2_000,
  treeWalkMs: 2_000,
  // models
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
  stallNoticeMs: 30_000,
  /** After the first byte: an answer without data for this long fails as stalled. */
  stallMs: 120_000,
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  serverPollMs: 5_000,
  /** Retry interval for an unreachable address while a client shows model state. */
  serverSearchMs: 1_000,
  /** Timeout of requests for server state; not for model answers. */
  serverAnswerMs: 5_000,
  serverListMs: 30_000,
  /** Maximum wait of a command for server state, and for a server being started. */
  serverStateMs: 10_000,
  serverStartWaitMs: 60_000,
  serverStartMs: 20_000,
  // connections
  connectionsMax: 50,
  /** Default window if neither the user nor the server specifies one. */
  connectionWindowTokens: 32_768,
  /** Maximum wait of a session's first message for the server's model list. */
  connectionListWaitMs: 3_000,
  connectionTestMs: 180_000,
  // model test: timeout of each step
  doctorLoadMs: 240_000,
  doctorAnswerMs: 90_000,
  doctorTryMs: 90_000,
  doctorWindowMs: 150_000,
  /** The long prompt is limited to what the model can read in this time. */
  doctorReadMs: 60_000,
  /** Maximum wait of a model's first session for its size at the server. */
  modelShapeWaitMs: 1_000,
  /** Poll interval for a server that was just started. */
  serverStartPollMs: 100,
  /** Minimum interval between download progress updates. */
  pullTellMs: 250,
  /** Time span over which download speed is measured. */
  pullSpeedMs: 10_000,
  /** A summary edited by the user, and the focus of a compaction. */
  summaryMaxChars: 20_000,
  focusMaxChars: 1_000,
  // shares of the context window
  toolResultShare: 1 / 8,
  messageResultsShare: 1 / 4,
  snapshotShare: 1 / 8,
  /** The same for windows up to `smallWindowTokens`. */
  snapshotSmallShare: 1 / 16,
  smallWindowTokens: 8_192,
  // compaction; shares of the window
  compactionStepShare: 0.1,
  headShare: 1 / 8,
  summaryMaxTokens: 2_048,
  summaryMinTokens: 96,
  summaryRetries: 1,
  /**
   * A server that counts less than this share of the estimate has truncated the prompt; differences below
   * promptCutMinTokens are ignored.
   */
  promptCutShare: 0.6,
  promptCutMinTokens: 512,
  // guards of a run
  guardSteps: 64,
  guardPeriod: 4,
  /** Repetitions of identical calls with identical results. */
  guardRepeats: 3,
  /** Repetitions of identical calls with different results. */
  guardChanging: 8,
  /** Non-consecutive reads of the same part of an unchanged file. */
  guardReads: 6,
  guardProseChars: 200,
  guardProseTimes: 3,
  /** Text of `config.yaml`, which is normally a few kilobytes. */
  configMaxChars: 262_144,
  // sign-in and listeners
  signInMs: 600_000,
  cookieDays: 30,
  packetMaxBytes: 1_000_000,
  wrongTriesPerHour: 20,
  clientIdleExitMs: 5_000,
  /** Timeout of requests from a second process to the server that holds the home lock. */
  holderAnswerMs: 5_000,
  /** Maximum wait of `run` for the server it started. */
  backgroundStartMs: 30_000,
  /** Size at which the log of background servers is truncated. */
  serverLogBytes: 1_000_000,
  /** Maximum duration of a clean shutdown, and of stopping the features within it. */
  shutdownMs: 5_000,
  featureStopMs: 2_000,
  // store
  /** Blobs up to this size are stored in the database, larger ones in home/blobs. */
  blobInlineBytes: 65_536,
  backupsKept: 3,
  storeBusyMs: 5_000,
  /** Maximum delay between attempts to write the end of a run. */
  storeRetryMaxMs: 5_000,
  // history
  historyPageEntries: 100,
  findHits: 200,
  /** Indexed characters of one message, and of the input and output of one call each: beginning and end. */
  searchMessageChars: 50_000,
  searchCallChars: 4_096,
  searchSnippetChars: 160,
  searchPageHits: 30,
  /** Candidate texts read for one page of hits. */
  searchCandidates: 300,
  /** Duration of an indexing step, pause between steps during a run, delay of the first step after start. */
  indexStepMs: 2.5,
  indexPauseMs: 100,
  indexStartMs: 20_000,
  /** Delay after a failed step. */
  indexRetryMs: 30_000,
  /** Maximum wait of a search for the newest events to be indexed. */
  indexWaitMs: 150,
  labelMaxChars: 60,
  /** Characters of a message shown in the session tree. */
  treeTextMaxChars: 200,
  treeAnswerMaxChars: 120,
  /** Size of an imported file, and of one of its lines. */
  importMaxChars: 60_000_000,
  importLineChars: 30_000_000,
  importSessions: 500,
  importBranches: 200,
  /** Files per restore. */
  restoreFiles: 2_000,
  /** Files and diff lines per change list. */
  changedFiles: 500,
  changesMaxLines: 20_000,
  // file snapshots taken before shell commands
  imageFiles: 20_000,
  imageFileBytes: 5_000_000,
  imageTotalBytes: 500_000_000,
  /** Maximum wait of a command for the snapshot before it. */
  imageWaitMs: 15_000,
  /**
   * A snapshot scan blocks the event loop for imageSliceMs at a time and pauses imageRestMs between slices in the
   * background.
   */
  imageSliceMs: 8,
  imageStartMs: 200,
  imageRestMs: 4,
  /** A file modified less than this before its scan is read again: another write may not change its timestamp. */
  imageRacyMs: 2_000,
  /** Maximum time folders are watched for changes between two commands. */
  imageWatchIdleMs: 600_000,
  // sharing
  shareMaxHours: 720,
  shareViewers: 250,
  /** Connections per address that serves share links. */
  shareConnections: 1_000,
  /** Time streamed text to viewers is batched. */
  shareJoinMs: 25,
  /** Delay after start before the model server is queried. */
  firstModelLookMs: 50,
  /** Delay after start before existing share links are served. */
  shareResumeMs: 250,
  /** Packet size from viewers, whose commands are short. */
  viewerPacketBytes: 16_384,
  /**
   * Time after which a connection without a valid share link is closed; time until a socket is destroyed if the peer
   * does not close it.
   */
  viewerConnectMs: 5_000,
  connectionEndMs: 1_000,
  /** Minimum interval between viewer list updates. */
  viewersTellMs: 250,
  /** Streamed text held back while it may be the start of a secret. */
  redactHoldChars: 4_096,
  // guard
  decisionsKept: 20_000,
  /** Decisions are written in batches of this size or after this delay. */
  decisionsBatch: 200,
  decisionsFlushMs: 500,
  decisionsPageEntries: 50,
  /** Rules of one project. */
  rulesMax: 500,
  decisionTargetChars: 1_000,
  trustFindings: 100,
  trustFileBytes: 262_144,
  /** Timeout of sandbox detection and of its trial run. */
  sandboxTrialMs: 3_000,
  gitTimeoutMs: 10_000,
} as const;
