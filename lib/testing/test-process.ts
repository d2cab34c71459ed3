/** Processes that a test or a measurement ends. */

/**
 * Signals a process, or with a negative number its group. Throws without one: `process.kill(0)`, and so the number of an empty
 * text, ends the group of the test runner, which then leaves no report.
 */
export function killProcess(pid: number | null | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (!pid) throw new Error(`there is no process ${pid}`);
  process.kill(pid, signal);
}
