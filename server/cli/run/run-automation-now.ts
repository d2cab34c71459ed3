/** `gopi-web run --automation NAME`: starts an automation with standard input as data, and follows its run to the end. */
import { automationDataMaxChars } from "@/lib/automations/automation";
import { abortable } from "@/server/base/abort";
import { printable, UsageError } from "../arguments/options";
import { RunFailure } from "../cli-error-text";
import { type JobConnection, type RunJob, runExitCode } from "./run-job";
import type { RunOutput } from "./run-printer";
import { runUntilDone } from "./run-until-done";
import { unansweredDenial } from "./terminal-approval";

/** Exit code as of a prompt. Its cards wait for the owner's page, and are denied by the automation after their time. */
export async function runAutomationNow(job: RunJob, name: string, output: RunOutput): Promise<number> {
  const data = process.stdin.isTTY ? "" : await readData(process.stdin);
  job.mode = null;
  job.model = null;
  const ask: RunOutput["ask"] = async (_call, _approval, _sessionId, signal) => {
    await abortable(new Promise<never>(() => {}), signal);
    return unansweredDenial;
  };
  return runUntilDone(job, { ...output, ask }, (connection) => followAutomation(job, connection, name, data));
}

async function followAutomation(
  job: RunJob,
  { follower, link, must, openSession }: JobConnection,
  name: string,
  data: string,
): Promise<number> {
  if (job.sessionId === null) {
    const { automations } = await must("automations.list", {});
    const automation = automations.find((one) => one.name === name);
    if (automation === undefined)
      throw new RunFailure(`There is no automation ${printable(name)}; gopi-web get automations lists them`);
    const input = { id: automation.id, ...(data === "" ? {} : { data }) };
    const started = await link.call("automations.run", input);
    if (!started.ok) throw new RunFailure(startErrorText(started.error.code) ?? started.error.code);
    job.sessionId = started.value.sessionId;
    job.sentSeq = 0;
  }
  await openSession();
  return runExitCode(job, await follower.end(link.lost));
}

const startErrorText = (code: string): string | undefined =>
  ({
    not_approved: "This automation was not rehearsed yet; do it in Settings, Automations",
    busy: "This automation is running already",
    no_change:
      "It looked first: nothing is open or has changed in HEARTBEAT.md, or you worked within the last 5 minutes",
  })[code];

/** Reads standard input, without the final line end. Throws UsageError for more than an automation takes. */
async function readData(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  input.setEncoding("utf8");
  for await (const part of input) {
    text += part;
    if (text.length > automationDataMaxChars)
      throw new UsageError(`Standard input has more than ${automationDataMaxChars} characters`);
  }
  return text.replace(/\r?\n$/, "");
}
