/** Work of a job with a workflow: it is started once, also over several connections, and followed to its end. */
import type { CommandId } from "@/lib/events/id";
import { toModelInput } from "@/lib/models/parse-model-name";
import type { SessionView } from "@/lib/view/view";
import type { WorkflowEnd } from "@/lib/workflows/workflow-events";
import { openQuestion, workflowRun } from "@/lib/workflows/workflow-run";
import { randomId } from "@/server/base/id";
import type { RunArguments } from "../arguments/parse-arguments";
import { cliErrorText, RunFailure } from "../cli-error-text";
import { escapeInvisible } from "../terminal-text";
import { type JobConnection, resolveNamedModel, runExitCode, type RunJob, startMode } from "./run-job";
import type { RunOutput } from "./run-printer";

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
    if (end !== "unanswered") return runExitCode(job, runEnds[end]);
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
  const { code, facts = {} } = started.error;
  if (code === "not_found")
    throw new RunFailure(`there is no workflow ${wanted.name}; gopi-web lists them in Settings`);
  if (code === "bad_input" && facts.line !== undefined)
    throw new RunFailure(
      `the workflow ${wanted.name} has a problem in line ${String(facts.line)} of ${String(facts.path)}`,
    );
  if (code === "bad_input" && facts.input !== undefined)
    throw new RunFailure(`the input ${String(facts.input)} is ${inputFaults.get(String(facts.why)) ?? "wrong"}`);
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

/** Prints the steps that have begun. unanswered = a question waits, and no user can answer it here. */
function readEnd(view: SessionView, output: RunOutput, shown: Set<string>): WorkflowEnd | "unanswered" | null {
  const run = workflowRun(view.workflow);
  if (run === null) return null;
  for (const { key, seq, title, state } of run.steps.values()) {
    if (shown.has(`${seq}`) || state === "skipped") continue;
    shown.add(`${seq}`);
    output.note(`· step ${key}: ${escapeInvisible(title)}`);
  }
  if (run.end !== null) return view.run === null ? run.end.reason : null;
  const question = openQuestion(run);
  if (question === undefined) return null;
  const key = `question ${question.seq}`;
  if (!shown.has(key)) output.note(`· ${escapeInvisible(question.question?.text ?? "")} Answer in the browser.`);
  shown.add(key);
  return output.ask === null ? "unanswered" : null;
}
