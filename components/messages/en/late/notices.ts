/** Messages of notices that the server opens. */
export const notices = {
  paused: (name: string) => `The automation "${name}" failed several times in a row and is paused.`,
  /** Texts of notifications; the title is the session's. */
  sessions: {
    waiting: "Waiting for your approval",
    done: "Run finished",
    limit: "Run paused: it reached a limit",
    failed: "Run failed",
    interrupted: "Run was interrupted",
  },
  open: "Open",
};
