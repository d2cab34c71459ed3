/** Messages of subagents: their line below the call, and their own page. */
export const subagent = {
  waiting: "Waiting for the model server",
  step: (step: number, limit: number) => `Step ${step} of ${limit}`,
  steps: (count: number) => `${count} ${count === 1 ? "step" : "steps"}`,
  tokens: (count: string) => `${count} tokens`,
  unfinished: {
    limit: "stopped at its limit",
    time: "stopped at its time limit",
    loop: "stopped: it repeated itself",
    stopped: "stopped by you",
  },
  /** Tokens that the model server had to read once more in the session's next request. */
  readAgain: (count: string) => `this session then read ${count} tokens again`,
  readNothingAgain: "this session then read nothing again",
  open: "Open",
  openNamed: (task: string) => `Open the subagent: ${task}`,
  stop: "Stop",
  stopNamed: (task: string) => `Stop the subagent: ${task}`,
  /** Above the approval cards of a subagent. */
  asks: "The subagent needs your decision",
  /** At the top of a subagent's page. */
  bar: "This is a subagent.",
  toParent: "Back to the session that started it",
};
