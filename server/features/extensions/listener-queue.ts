/** One listener in one project: its waiting events, and the process that gets them. */
import type { Json } from "@/lib/events/content";
import { pause } from "@/server/base/abort";
import type { ScriptListener } from "./definition/read-definition";
import type { ProjectExtensions, StatedExtension } from "./extensions";
import type { RunLog } from "./run-logs";
import { type MarkedScript, startScript } from "./run-script";
import { describeStartProblem } from "./script-output";
import type { ScriptRuns } from "./script-runs";

export const listenerLimits = {
  /** Events that wait; older ones are dropped. */
  queued: 100,
  /** Time of a script for one event, ms. */
  runMs: 10_000,
  /** Delay of the next start of a kept process after its first end, ms; doubled by each further one, to the maximum. */
  backOffMs: 1_000,
  backOffMaxMs: 16_000,
  /** Ends of a kept process within this time count, ms; after too many it is not started again before it is changed. */
  failureWindowMs: 600_000,
  failures: 5,
} as const;

/** Bytes that a kept process may leave unread before its events wait. */
const maxUnreadBytes = 1_000_000;
const unreadPollMs = 200;

export interface ListenerQueue {
  add(payload: Json): void;
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly extension: StatedExtension;
  readonly project: ProjectExtensions;
  readonly listener: ScriptListener;
  readonly runs: ScriptRuns;
  readonly log: RunLog;
  /** Monotonic, ms. */
  now(): number;
  /** Waits; false = the signal fired. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  reportBug(error: unknown): void;
}

export const realTime = { now: () => performance.now(), wait: pause };

/** The title of a listener in the log. */
const titleOf = ({ events, run }: ScriptListener): string => `listener ${events.join(", ")}: ${run.file}`;

export function makeListenerQueue(options: ListenerOptions): ListenerQueue {
  const { listener, log, reportBug } = options;
  const stop = new AbortController();
  const waiting: Json[] = [];
  let dropped = 0;
  let running: Promise<void> | null = null;
  const take = (): Json | undefined => {
    if (dropped > 0)
      log.note(`${titleOf(listener)}: ${dropped} events were dropped, more than ${listenerLimits.queued} waited`);
    dropped = 0;
    return waiting.shift();
  };
  const keptProcess = listener.isKept ? makeKeptProcess(options, stop.signal) : null;
  const work = async (): Promise<void> => {
    for (let payload = take(); payload !== undefined && !stop.signal.aborted; payload = take()) {
      if (keptProcess !== null) await keptProcess.send(payload);
      else await runOnce(options, payload, stop.signal);
    }
  };
  return {
    add(payload) {
      if (stop.signal.aborted) return;
      waiting.push(payload);
      if (waiting.length > listenerLimits.queued) {
        waiting.shift();
        dropped += 1;
      }
      running ??= work()
        .catch((error: unknown) => {
          if (!stop.signal.aborted) reportBug(error);
        })
        .finally(() => (running = null));
    },
    async close() {
      stop.abort();
      await running;
      await keptProcess?.ended();
    },
  };
}

async function runOnce({ extension, project, listener, runs }: ListenerOptions, input: Json, signal: AbortSignal) {
  const { run } = listener;
  const title = titleOf(listener);
  await runs.run({ extension, project, run, title, input, timeoutMs: listenerLimits.runMs }, signal);
}

/** A process for all events, one line each; started by the first one, and again after it ended, later each time. */
function makeKeptProcess(options: ListenerOptions, signal: AbortSignal) {
  const { extension, project, listener, runs, log, now, wait } = options;
  const title = titleOf(listener);
  let current: MarkedScript | null = null;
  let ending: Promise<unknown> = Promise.resolve();
  let failures: readonly number[] = [];

  const start = async (): Promise<MarkedScript | null> => {
    const prepared = await runs.prepare({ extension, project, run: listener.run, title }, signal);
    if (!prepared.ok) return null;
    const onOutput = (chunk: Buffer): void => log.output(chunk.toString("utf8"));
    const streams = { keepsInput: true, onOutput, onErrorOutput: log.output };
    const started = await startScript(prepared.value.start, streams, signal);
    if (!started.ok) {
      log.note(`${title} could not be started: ${describeStartProblem(started.error)}`);
      return null;
    }
    log.note(`${title} was started`);
    const script = started.value;
    // Nothing more is written to it, also while what it left is being ended.
    void script.process.result.then(() => {
      if (current === script) current = null;
    });
    ending = script.result.then((result) => {
      failures = [...failures, now()];
      log.note(result.ok ? `${title} ended` : `${title} could not be started: ${describeStartProblem(result.error)}`);
    });
    return script;
  };
  /** null = it is not started any more. */
  const get = async (): Promise<MarkedScript | null> => {
    if (current !== null) return current;
    failures = failures.filter((at) => now() - at < listenerLimits.failureWindowMs);
    if (failures.length >= listenerLimits.failures) return null;
    const delayMs = Math.min(listenerLimits.backOffMs * 2 ** (failures.length - 1), listenerLimits.backOffMaxMs);
    if (failures.length > 0 && !(await wait(delayMs, signal))) return null;
    const started = await start();
    if (started === null) failures = [...failures, now()];
    if (failures.length === listenerLimits.failures)
      log.note(`${title} is not started again before the extension is changed or enabled again`);
    current = started;
    return started;
  };
  return {
    async send(payload: Json): Promise<void> {
      const script = await get();
      if (script === null) return;
      while (current === script && script.process.unreadBytes() > maxUnreadBytes)
        if (!(await wait(unreadPollMs, signal))) return;
      script.process.write(`${JSON.stringify(payload)}\n`);
    },
    ended: async (): Promise<void> => void (await ending),
  };
}
