/** Reads lines from the terminal, in its own line editor. */
import { createInterface } from "node:readline";

/** Time in which a terminal passes on what was typed before, ms. */
const typedMs = 50;
const controlC = 3;

/**
 * Discards what was typed before a question is shown, because it was not meant for it. Returns whether there was any. A
 * Ctrl+C among it remains a signal.
 */
export function discardTyped(): Promise<boolean> {
  const { stdin } = process;
  if (!stdin.isTTY || !stdin.readable) return Promise.resolve(false);
  return new Promise((resolve) => {
    let isFound = false;
    let isInterrupted = false;
    const end = (): void => {
      stdin.off("data", onData).pause();
      stdin.setRawMode(false);
      if (isInterrupted) process.kill(process.pid, "SIGINT");
      resolve(isFound);
    };
    const timer = setTimeout(end, typedMs);
    const onData = (typed: Buffer): void => {
      isFound = true;
      isInterrupted ||= typed.includes(controlC);
      timer.refresh();
    };
    // A terminal passes on a line without its end only in raw mode.
    stdin.setRawMode(true);
    stdin.on("data", onData).resume();
  });
}

/**
 * Reads one line of standard input, null at its end. The terminal mode is unchanged, so Ctrl+C remains a signal. Rejects with
 * the signal's reason.
 */
export function readLine(signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  // An ended input emits no further events, not even close.
  if (!process.stdin.readable) return Promise.resolve(null);
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason);
      lines.close();
    };
    signal.addEventListener("abort", stop, { once: true });
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", stop);
      process.stdin.pause();
      resolve(null);
    });
  });
}
