/** Enter in the terminal of a running server: gives the user a fresh sign-in link without a restart. */
import type { Readable } from "node:stream";
import { runProcess } from "@/server/base/run-process";

const lookMs = 5_000;

/** Returns whether this process is in the foreground of its terminal; false also where the system cannot tell. */
export async function isInForeground(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  let state = "";
  await runProcess(
    {
      program: "ps",
      arguments: ["-o", "stat=", "-p", String(process.pid)],
      environment,
      timeoutMs: lookMs,
      onOutput(chunk) {
        state += chunk.toString();
        return "more";
      },
    },
    signal,
  );
  return state.includes("+");
}

/**
 * Calls `onEnter` for each line that the user enters, until the signal aborts. Reads only while the process is in the
 * foreground: a process that reads its terminal in the background is stopped by the system. Resolves with whether Enter
 * works now.
 */
export async function listenForEnter(
  input: Readable,
  look: () => Promise<boolean>,
  onEnter: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await look()) || signal.aborted) return false;
  const readLine = (chunk: Buffer): void => {
    if (chunk.includes("\n")) onEnter();
  };
  // The shell continues the process with `bg` or with `fg`.
  const lookAgain = async (): Promise<void> => {
    input.pause();
    if ((await look()) && !signal.aborted) input.resume();
  };
  const onContinue = (): void => void lookAgain();
  const end = (): void => {
    process.off("SIGCONT", onContinue);
    input.off("data", readLine);
    input.pause();
  };
  process.on("SIGCONT", onContinue);
  signal.addEventListener("abort", end, { once: true });
  // The terminal is gone; the server runs on.
  input.on("error", end);
  input.on("data", readLine);
  return true;
}
