/** Limits that several modules of the server share. Those that a page reads as well are in settings.ts. */
export const serverLimits = {
  // log and views
  /** Events of a log that are read and folded in one slice. */
  loadEvents: 250,
  // tools
  /** Total size of the exported variables retained between calls. */
  bashVariablesBytes: 500_000,
  bashSpillBytes: 50_000_000,
  readMaxBytes: 2_000_000,
  readBytes: 65_536,
  /** A file in the result of a tool of another program; a larger one is not stored. */
  resultFileMaxBytes: 10_000_000,
  lsDepth: 5,
  lsEntries: 50,
  listBytes: 16_384,
  /** Result text of tools that change files. */
  answerBytes: 8_192,
  /** Longest description of an external tool in a prompt, characters. */
  nativeDescriptionChars: 100,
  walkEntries: 20_000,
  /** Time limit of a walk for the project tree. */
  treeWalkMs: 2_000,
  // models
  /** Answers of a model server at once. */
  queueHostMax: 1,
  /** The same for cloud services. */
  queueCloudMax: 4,
  outputTokensMax: 16_384,
  answerMaxChars: 2_000_000,
  windowMinTokens: 2_048,
  messageOverheadTokens: 4,
  imageTokens: 768,
  /** After the first byte: an answer without data for this long fails as stalled. */
  stallMs: 120_000,
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  /** Longest wait that a busy server may request; a run ends rather than wait longer. */
  requestedWaitMaxMs: 600_000,
  /** Timeout of requests for server state; not for model answers. */
  serverAnswerMs: 5_000,
  serverListMs: 30_000,
  /** Maximum wait of a command for server state. */
  serverStateMs: 10_000,
  /** Maximum wait of a model's first session for its size at the server. */
  modelShapeWaitMs: 1_000,
  /** Poll interval for a server that was just started. */
  serverStartPollMs: 100,
  // shares of the context window
  toolResultShare: 1 / 8,
  smallWindowTokens: 8_192,
  headShare: 1 / 8,
  /** Answer of a subagent to the session that started it. */
  subagentAnswerShare: 1 / 16,
  // subagents
  /** Least context window of a session that can start them, tokens. */
  subagentMinWindow: 16_384,
  subagentMinutes: 30,
  subagentsPerRun: 4,
  /** Timeout of ending an answer that its server holds: Stop waits for it. */
  heldAnswerEndMs: 1_000,
  /** Timeout of requests from a second process to the server that holds the home lock. */
  holderAnswerMs: 5_000,
  /** Maximum duration of stopping the features at shutdown. */
  featureStopMs: 2_000,
  storeBusyMs: 5_000,
  findHits: 200,
  /** Delay of the first indexing step after start. */
  indexStartMs: 20_000,
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
