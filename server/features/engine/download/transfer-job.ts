/** A transfer in the background: stopped and started again, with the step that it is at. */
import { type AgentError, fail, type Result, thrownText } from "@/lib/events/error";

interface TransferJob<Step> {
  /** null = nothing runs. */
  step(): Step | null;
  /** Begins the work at its first step; nothing while other work runs. */
  start(first: Step, work: TransferWork<Step>): void;
  /** Resolves when nothing runs any more. */
  ended(): Promise<void>;
  /** The same, if it is being stopped. */
  untilStopped(): Promise<void>;
  /** Ends the work; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

interface TransferWork<Step> {
  /** Reports its steps. */
  run(report: (step: Step) => void, signal: AbortSignal): Promise<Result<unknown>>;
  /** Called at the end, at its last step; failure null = it succeeded or was stopped. */
  ended(failure: AgentError | null, isStopped: boolean): Promise<void>;
}

/** A change other than that of the status is reported this long after it, ms. */
const intervalMs = 250;

export function makeTransferJob<Step extends { readonly status: string }>(onChange: () => void): TransferJob<Step> {
  let step: Step | null = null;
  let stop = new AbortController();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const reportNow = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    onChange();
  };
  const report = (next: Step): void => {
    const before = step?.status;
    step = next;
    if (next.status === before) timer ??= setTimeout(reportNow, intervalMs);
    else reportNow();
  };
  return {
    step: () => step,
    start(first, { run, ended }) {
      if (running !== null) return;
      stop = new AbortController();
      const { signal } = stop;
      step = first;
      running = run(report, signal)
        .catch((cause: unknown) => (signal.aborted ? fail("aborted") : fail("internal", thrownText(cause))))
        .then((result) => {
          const isStopped = !result.ok && result.error.code === "aborted";
          return ended(result.ok || isStopped ? null : result.error, isStopped);
        })
        .finally(() => {
          running = null;
          step = null;
          reportNow();
        });
      reportNow();
    },
    ended: async () => void (await running),
    async untilStopped() {
      while (running !== null && stop.signal.aborted) await running;
    },
    async stop() {
      stop.abort();
      await running;
    },
  };
}
