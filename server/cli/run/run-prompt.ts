/**
 * `gopi-web run`: a prompt, the requests of a script, or a workflow, without a browser. A client of the home's server, over the same
 * socket as the page. Its commands carry ids, so after a lost connection it repeats everything.
 */
import type { Environment } from "../arguments/options";
import type { RunArguments } from "../arguments/parse-arguments";
import { readPrompt } from "../arguments/prompt";
import { makeRunJob, type RunJob, sendOnePrompt, withoutUnusedSession } from "./run-job";
import { runAutomationNow } from "./run-automation-now";
import { makeRunOutput } from "./run-output";
import type { RunOutput } from "./run-printer";
import { followScript } from "./run-script";
import { reportFailures, runUntilDone } from "./run-until-done";
import { followWorkflow } from "./run-workflow";
import { openScriptInput } from "./script-input";
import { unansweredDenial } from "./terminal-approval";

/** Exit code: 0 done, 1 error, 2 usage, 3 stopped at a limit, 4 done but a request was denied unseen, 130 aborted. */
export function runPrompt(command: RunArguments, environment: Environment): Promise<number> {
  const job = makeRunJob(command);
  // Standard input is interactive only if it is a terminal and the prompt did not come from it.
  const isPromptRead = command.prompt === null && command.workflow === null && command.automation === null;
  const interactive = process.stdin.isTTY && process.stderr.isTTY && !isPromptRead;
  const output = makeRunOutput({ json: command.json, interactive }, environment);
  return reportFailures(output, async () => {
    if (command.automation !== null) return runAutomationNow(job, command.automation, output);
    if (command.stdin) return runScript(job, output);
    if (command.workflow !== null) return runUntilDone(job, output, followWorkflow(job, command.workflow));
    const prompt = command.prompt ?? (await readPrompt(process.stdin));
    return runUntilDone(job, output, withoutUnusedSession(job, sendOnePrompt(job, prompt)));
  });
}

/** The requests of a session's cards are on standard output, those of its subagents are not. */
async function runScript(job: RunJob, output: RunOutput): Promise<number> {
  const input = openScriptInput(process.stdin);
  const report = (line: number, error: object): void =>
    void process.stdout.write(`${JSON.stringify({ line, error })}\n`);
  const ask: RunOutput["ask"] = async (_call, _approval, sessionId, signal) => {
    if (sessionId === job.sessionId) await input.ended(signal);
    return unansweredDenial;
  };
  try {
    return await runUntilDone(
      job,
      { ...output, ask },
      withoutUnusedSession(job, followScript(job, input, job.command.prompt, report)),
      input.close,
    );
  } finally {
    input.close();
  }
}
