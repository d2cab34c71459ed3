/** Durations that the channel keeps, ms. */
export interface TelegramTimings {
  /** The server answers a poll after this time at the latest. Whole seconds. */
  readonly pollMs: number;
  /** A poll without an answer counts as dead. */
  readonly deadPollMs: number;
  /** Every other request without an answer. */
  readonly requestMs: number;
  /** A request that shows an unfinished answer: messages wait for it. */
  readonly previewMs: number;
  /** A request that carries a file. */
  readonly fileMs: number;
  /** First and longest wait after failures in a row. */
  readonly backOffMs: number;
  readonly backOffMaxMs: number;
  /** First and longest wait while another program polls the bot. */
  readonly conflictMs: number;
  readonly conflictMaxMs: number;
  /** Between two messages, drafts or edits of one chat. */
  readonly chatPaceMs: number;
  /** Between two of all chats. */
  readonly allPaceMs: number;
  /** Between two edits of a message that shows a growing answer. */
  readonly editPaceMs: number;
  /** Unit of the waits that the server requests: seconds. */
  readonly secondMs: number;
}

export const telegramTimings: TelegramTimings = {
  pollMs: 30_000,
  deadPollMs: 120_000,
  requestMs: 60_000,
  previewMs: 10_000,
  fileMs: 600_000,
  backOffMs: 1_000,
  backOffMaxMs: 60_000,
  conflictMs: 30_000,
  conflictMaxMs: 300_000,
  chatPaceMs: 1_000,
  allPaceMs: 34,
  editPaceMs: 1_500,
  secondMs: 1_000,
};

/** Wait after this many failures in a row, at least one, ms. */
export const backOff = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
