/** Reports to the hub when this server was last used, so that the hub's culler ends no server in use. */
import type { HubClient } from "./hub-client";

interface ActivityOptions {
  readonly client: Pick<HubClient, "reportActivity">;
  /** Time between two reports, ms; 0 = no reports. */
  readonly everyMs: number;
  /** Returns the time at which a person last used this server, ms epoch. */
  readonly lastUsed: () => number;
  /** A run, an automation or a command works now. */
  readonly isWorking: () => boolean;
  readonly now: () => number;
  /** From 0 to 1: all servers of a hub shall not report at once. */
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** Returns the function that ends the reports. They do not keep the process running. */
export function startActivityReports(options: ActivityOptions): () => void {
  const { client, everyMs, lastUsed, isWorking, now, random, log } = options;
  if (everyMs === 0) return () => {};
  const stop = new AbortController();
  let reported = 0;
  let isFailing = false;
  const report = async (): Promise<void> => {
    const at = isWorking() ? now() : lastUsed();
    if (at > reported) {
      const answer = await client.reportActivity(at, stop.signal);
      if (stop.signal.aborted) return;
      if (answer === "done") reported = at;
      else if (!isFailing)
        log(
          answer === "refused"
            ? "JupyterHub refuses the reports of activity, so it may stop this server while it is used. Compare the clock of this machine with the hub's, and look at the hub's log."
            : "JupyterHub doesn't answer. gopi-web goes on, and reports its activity again later.",
        );
      isFailing = answer !== "done";
    }
    timer = setTimeout(() => void report(), everyMs * (0.9 + 0.2 * random())).unref();
  };
  let timer = setTimeout(() => void report(), 0).unref();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
