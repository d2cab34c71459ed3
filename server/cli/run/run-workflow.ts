/** Work of a job with a workflow: it is started once, also over several connections, and followed to its end. */
import type { CommandId } from "@/lib/events/id";
import { anyFacts, type AgentError } from "@/lib/events/error";
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
import type { WorkflowProblem } from "@/lib/workflows/workflow";
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";

const problems: { readonly [K in WorkflowProblem["kind"]]: (detail: string) => string } = {
  yaml: () => "it isn't valid YAML, or has an alias",
  too_large: () => "the file is larger than 64 KB; move a part of it into another workflow",
  bad_name: (name) => `${name} can't be a name; use small letters, digits, - and _`,
  missing: (key) => `${key} is missing`,
  unknown_key: (key) => `${key} has no meaning here`,
  wrong_value: (key) => `the value of ${key} isn't allowed`,
  no_kind: () => "the step does nothing; give it one of prompt, run, tool, ask and workflow",
  several_kinds: (kinds) => `a step does one thing, this one has ${kinds}`,
  repeated_id: (id) => `another step has the id ${id}`,
  bad_expression: (near) => (near === "" ? "the expression ends too early" : `the expression can't be read at ${near}`),
  unknown_name: (name) => `there is no ${name}; use inputs.NAME, steps.ID.output, or item in for_each`,
  later_step: (name) => `${name} is not done at this step`,
  expression_in_run: () => "a command takes no expressions; put the value under env",
  runs_commands: (tool) => `${tool} runs commands; use run instead of tool`,
  unknown_workflow: (name) => `there is no workflow ${name} without problems`,
  cycle: (name) => `${name} leads back to itself`,
  too_deep: (name) => `${name} is too deep; workflows run each other in four levels at most`,
  too_many: (name) => `with ${name} there are more than 200 steps`,
};

/**
 * Sentences of the terminal about workflows: what is wrong in a file, why a step failed, which names there are. What is
 * wrong in the file of a workflow, without a full stop.
 */
const workflowProblemText = (kind: string, detail: string): string =>
  new Map(Object.entries(problems)).get(kind)?.(detail) ?? "correct it in the browser, under Settings > Workflows";

/** Why a step failed, without a full stop. */
function stepErrorText(error: AgentError): string {
  const detail = printable(error.detail ?? "");
  if (error.code === "timeout") return "it took longer than its timeout; raise that, or divide the step";
  if (error.code === "too_many") return `for_each has more than ${detail} items; give it fewer`;
  if (error.code === "too_large") return "its values make its text longer than 30,000 characters; put in less of them";
  if (error.code === "bad_input") return `its value or expression ${detail} can't be used; correct the file`;
  return cliErrorText(error);
}

/** Why a workflow ended, without a full stop. */
const workflowErrorSentence = (error: AgentError): string =>
  error.code === "too_many"
    ? `it has more than ${printable(error.detail ?? "")} steps, each item counted; divide it`
    : cliErrorText(error);

/** Names the workflows that can be run instead. */
function unknownNameText(name: string, files: readonly Pick<WorkflowFileView, "name">[]): string {
  const names = [...new Set(files.map((file) => file.name))];
  return names.length === 0
    ? `there is no workflow ${name}, and no other one; write one in the browser, under Settings > Workflows`
    : `there is no workflow ${name}; there are ${names.join(", ")}`;
}

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
