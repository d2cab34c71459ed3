// Runs one long child process as a named step: progress on stderr, its process group ended with this process, and the
// tail of its log on failure. Node built-ins only.
import { spawn } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";

// A log that is kept needs fewer lines.
const progressEveryMs = process.stderr.isTTY ? 5_000 : 30_000;
const tickMs = 250;
const killAfterMs = 2_000;
const tailBytes = 16_384;
const tailLines = 30;
const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const children = new Set();
let ending = false;

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}

/** Ends a child made by `spawnGroup` and everything it started; resolves when the child has exited. */
export function endGroup(child) {
  if (child.exitCode !== null || child.signalCode !== null) {
    signalGroup(child, "SIGKILL");
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), killAfterMs);
    child.once("exit", () => {
      clearTimeout(timer);
      signalGroup(child, "SIGKILL");
      resolve();
    });
    signalGroup(child, "SIGTERM");
  });
}

async function endAll(signal) {
  if (ending) return;
  ending = true;
  await Promise.all([...children].map(endGroup));
  process.exit(signalExitCodes[signal]);
}

function endAllAtOnce() {
  for (const child of children) signalGroup(child, "SIGKILL");
}

const handlers = Object.keys(signalExitCodes).map((signal) => [signal, () => void endAll(signal)]);

// Handlers are installed only while a child runs, so that a program started later in this process receives its own
// signals.
function track(child) {
  if (children.size === 0) {
    for (const [signal, handler] of handlers) process.on(signal, handler);
    process.on("exit", endAllAtOnce);
  }
  children.add(child);
}

function untrack(child) {
  children.delete(child);
  if (children.size > 0 || ending) return;
  for (const [signal, handler] of handlers) process.off(signal, handler);
  process.off("exit", endAllAtOnce);
}

/** Returns whether this process received a signal and is ending its children. */
export function isEnding() {
  return ending;
}

/**
 * Spawns a child in its own process group, which is ended with everything it started when this process receives a
 * signal.
 */
export function spawnGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  if (child.pid !== undefined) {
    track(child);
    child.once("exit", () => untrack(child));
  }
  return child;
}

/** Error of a failed step. `log` is the tail of its output; `code` its exit code, null after a signal. */
export class StepError extends Error {
  constructor(message, { code = null, log = "", cause } = {}) {
    super(message, { cause });
    this.code = code;
    this.log = log;
  }
}

/** Returns the last lines of a log for display. */
export function lastLines(log, count = tailLines) {
  return log.trimEnd().split("\n").slice(-count).join("\n");
}

/** Formats a duration: "0.4 s", "35 s", "2 min 5 s". */
export function duration(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the first line of a step with its usual duration, if that has been measured. */
function firstLine(title, usualMs) {
  if (usualMs === undefined) return `${title} …`;
  const seconds = Math.ceil(usualMs / 1000);
  return `${title}, about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} …`;
}

/** Returns a line about a running step. `reason` says why it is far over its usual duration; "" = unknown. */
export function progressLine(title, usualMs, elapsedMs, reason) {
  const time = duration(elapsedMs);
  if (usualMs === undefined || elapsedMs <= usualMs) return `${firstLine(title, usualMs)} ${time}`;
  if (elapsedMs < usualMs * 2) return `${title} … ${time}`;
  return `${title} … ${time}, slower than usual${reason && `: ${reason}`}`;
}

const busyReason = () => (loadavg()[0] > 2 * availableParallelism() ? "the machine is busy" : "");

/**
 * Runs `command` and resolves when it succeeds; throws StepError when it fails. `title` is printed with `usualMs`, its
 * duration on a quiet machine (optional); `whySlow` says what takes longer than that, if it is not a busy machine. With
 * `show` the output is passed on to stderr.
 */
export function runStep({ title, usualMs, whySlow, command, args, cwd, env, show = false }) {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  let lastLineAt = startedAt;
  let log = "";
  const print = (line) => {
    lastLineAt = performance.now();
    process.stderr.write(`${line}\n`);
  };
  const collect = (chunk) => {
    log = (log + chunk).slice(-tailBytes);
    if (show) {
      lastLineAt = performance.now();
      process.stderr.write(chunk);
    }
  };
  print(firstLine(title, usualMs));
  return new Promise((resolve, reject) => {
    const child = spawnGroup(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const ticker = setInterval(() => {
      if (performance.now() - lastLineAt >= progressEveryMs - tickMs)
        print(progressLine(title, usualMs, elapsed(), whySlow ?? busyReason()));
    }, tickMs);
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.once("error", (cause) => {
      clearInterval(ticker);
      reject(new StepError(`${title} could not start: ${cause.message}`, { log, cause }));
    });
    child.once("close", (code, signal) => {
      clearInterval(ticker);
      if (ending) return;
      if (code !== 0) {
        const end = signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`;
        return reject(new StepError(`${title} ${end} after ${duration(elapsed())}`, { code, log }));
      }
      print(`${title}: done in ${duration(elapsed())}`);
      resolve();
    });
  });
}
