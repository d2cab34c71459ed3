/** Work of a job with a workflow: it is started once, also over several connections, and followed to its end. */
import type { CommandId } from "@/lib/events/id";
import { anyFacts } from "@/lib/events/error";
import { toModelInput } from "@/lib/models/parse-model-name";
import type { SessionView } from "@/lib/view/view";
import type { WorkflowEnd } from "@/lib/workflows/workflow-events";
import { openQuestion, workflowRun } from "@/lib/workflows/workflow-run";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { randomId } from "@/server/base/id";
import type { RunArguments } from "../arguments/parse-arguments";
import { cliErrorText, RunFailure } from "../cli-error-text";
import { printable } from "../arguments/options";
import { type JobConnection, resolveNamedModel, runExitCode, type RunJob, startMode } from "./run-job";
import type { RunOutput } from "./run-printer";
import { workflowProblemText, stepErrorText, unknownNameText, workflowErrorSentence } from "./workflow-texts";

const runEnds = { done: "done", failed: "error", stopped: "aborted", interrupted: "interrupted" } as const;

export function followWorkflow(
  job: RunJob,
  { name, inputs }: NonNullable<RunArguments["workflow"]>,
): (connection: JobConnection) => Promise<number> {
  const commandId = randomId<CommandId>("c");
  const shown = new Set<string>();
  return async (connection) => {
    const { follower, link, output } = connection;
    const sessionId = job.sessionId ?? (await start(job, connection, { name, inputs, commandId }));
    job.sessionId = sessionId;
    job.sentSeq = 0;
    job.abort = () => link.call("workflows.stop", { sessionId });
    await follower.follow(link, sessionId);
    if (job.stopping) await job.abort();
    const end = await follower.until((view) => readEnd(view, output, shown), link.lost);
    if (end !== "unanswered") {
      job.isDenied ||= end === "denied";
      return runExitCode(job, end === "denied" ? "done" : runEnds[end]);
    }
    // No user can answer here.
    job.isDenied = true;
    await job.abort();
    return runExitCode(job, "done");
  };
}

async function start(
  job: RunJob,
  { must, link, output }: JobConnection,
  wanted: {
    readonly name: string;
    readonly inputs: { readonly [name: string]: string };
    readonly commandId: CommandId;
  },
) {
  const named = await resolveNamedModel(job, must, output);
  const { project } = await must("project.open", { path: job.command.cwd });
  const model = named === null ? {} : toModelInput(named);
  const input = { projectId: project.id, ...wanted, mode: startMode(job), ...model };
  const started = await link.call("workflows.start", input);
  if (started.ok) return started.value.row.id;
  const { code } = started.error;
  const { path, line, problem, detail, input: refused, why } = anyFacts(started.error);
  if (code === "not_found") {
    const listed = await link.call("workflows.list", { projectId: project.id });
    throw new RunFailure(unknownNameText(wanted.name, listed.ok ? listed.value.files : []));
  }
  if (code === "untrusted")
    throw new RunFailure(
      `the workflow ${wanted.name} is one of this folder, which isn't trusted; trust it with gopi-web init or in the browser, and run it again`,
      code,
    );
  if (code === "bad_input" && line !== undefined)
    throw new RunFailure(
      `the workflow ${wanted.name} has a problem in line ${line} of ${printable(String(path))}: ${workflowProblemText(String(problem), printable(String(detail)))}`,
    );
  if (code === "bad_input" && refused !== undefined)
    throw new RunFailure(`the input ${refused} is ${inputFaults.get(String(why)) ?? "wrong"}`);
  throw new RunFailure(cliErrorText(started.error), code);
}

const inputFaults: ReadonlyMap<string, string> = new Map([
  ["missing", "missing; give it as --input NAME=VALUE"],
  ["unknown", "none of this workflow"],
  ["number", "not a number"],
  ["boolean", "neither true nor false"],
  ["choice", "not one of its choices"],
  ["file", "not a file of the project"],
]);

/**
 * Prints the steps that have begun, and why they failed. unanswered = a question waits, and no user can answer it here;
 * denied = it failed at a request that no user could answer.
 */
function readEnd(
  view: SessionView,
  output: RunOutput,
  shown: Set<string>,
): WorkflowEnd | "unanswered" | "denied" | null {
  const run = workflowRun(view.workflow);
  if (run === null) return null;
  const once = (id: string, line: string): void => {
    if (!shown.has(id)) output.note(line);
    shown.add(id);
  };
  for (const { key, seq, title, state, error } of run.steps.values()) {
    if (state === "skipped") continue;
    once(`${seq}`, `· step ${key}: ${escapeInvisible(title)}`);
    if (error !== undefined) once(`failed ${seq}`, `· step ${key} failed: ${stepErrorText(error)}`);
  }
  if (run.end !== null) {
    if (view.run !== null) return null;
    const { reason, error } = run.end;
    if (error !== undefined) once("end", `gopi-web: the workflow ended: ${workflowErrorSentence(error)}`);
    return reason === "failed" && [...run.steps.values()].at(-1)?.error?.code === "denied" ? "denied" : reason;
  }
  const question = openQuestion(run);
  if (question === undefined) return null;
  once(`question ${question.seq}`, `· ${escapeInvisible(question.question?.text ?? "")} Answer in the browser.`);
  return output.ask === null ? "unanswered" : null;
}
