/** Messages of the overview of all running work. */
export const overview = {
  waiting: "Waiting for you",
  running: "Running",
  failed: "Ended early in the last three days",
  next: "Next automations",
  quiet: "Nothing is running",
  quietNote: "Sessions of all projects that work, wait for you or have failed appear here.",
  plan: (done: string, total: string) => `${done} of ${total} done`,
  subagent: (title: string) => `Subagent: ${title}`,
  opensIn: "It waits in its session.",
  moreWaiting: (count: number) =>
    count === 1 ? "One more waits; it appears here next." : `${count} more wait; they appear here next.`,
  removedProject: "Removed project",
};
