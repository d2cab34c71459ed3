/** Prints a run to standard output and standard error. */
import type { Environment } from "../arguments/options";
import { makeRunPrinter, type RunOutput } from "./run-printer";
import { promptApproval } from "./terminal-approval";

/** Output of the terminal or the pipe. `interactive` = the user at the terminal is asked for approvals. */
export function makeRunOutput(
  { json, interactive }: { readonly json: boolean; readonly interactive: boolean },
  environment: Environment,
): RunOutput {
  const printer = makeRunPrinter({
    text: (text) => void process.stdout.write(text),
    lines: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY,
    colours: process.stderr.isTTY && !environment.NO_COLOR && environment.TERM !== "dumb",
  });
  const show = (text: string): void => void process.stderr.write(text);
  const ask: RunOutput["ask"] = interactive
    ? (call, approval, _sessionId, signal) => promptApproval(call, approval, show, signal)
    : null;
  if (!json) return { ...printer, events: () => {}, ask };
  const events: RunOutput["events"] = (envelopes) =>
    void process.stdout.write(envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(""));
  return { ...printer, show: () => {}, events, ask };
}
