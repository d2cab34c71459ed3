/** Lets a client control workflows: start one, stop it, continue it, run a step again, answer its question. */
import type { Json } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandId, ProjectId, SessionId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import { hasMoreRights } from "@/lib/permissions/policy";
import type { SessionRow } from "@/lib/protocol/session-row";
import { readWorkflowInputs } from "@/lib/workflows/input-values";
import { findStep } from "@/lib/workflows/next-step";
import type { WorkflowSet } from "@/lib/workflows/resolve-workflow";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { isStepWithin, type WorkflowRun, openQuestion } from "@/lib/workflows/workflow-run";
import { makeMutex } from "@/server/base/concurrency";
import { randomId } from "@/server/base/id";
import type { SessionClient, SessionService } from "@/server/session/service/session-service";
import {
  makePausedWorkflows,
  type PausedWorkflowParts,
  type SessionCommand,
  workflowStartEvent,
} from "./paused-workflow";

/**
 * The user's answer to the question of a workflow, with which it continues. Returns the function that answers the
 * question which waits. It fails with not_found, not_allowed (an imported session), gone, bad_input (not one of the
 * answers), changed_meanwhile (see resume), and those of finding the workflow.
 */
function makeQuestionAnswer(parts: PausedWorkflowParts) {
  const { library, runs } = parts;
  const { read, restartEvent } = makePausedWorkflows(parts);
  return async (
    { sessionId: id, commandId, step: key, answer: value }: CommandInput<"workflows.answer">,
    signal: AbortSignal,
  ): Promise<Result<null>> => {
    const before = read(id);
    if (before?.view.imported === true) return fail("not_allowed");
    const found =
      before === null ? fail("not_found") : await library.find(before.view.projectId, before.run.name, signal);
    if (!found.ok) return found;
    const run = read(id)?.run;
    const question = run === undefined || run.end !== null ? undefined : openQuestion(run);
    if (question?.key !== key) return fail("gone");
    const { options = [] } = question.question ?? {};
    if (value.trim() === "" || (options.length > 0 && !options.includes(value))) return fail("bad_input");
    // It continues by the file as it is now, which the log has to say.
    const isSame = run?.hash === found.value.hash && run.place === found.value.place;
    const restarted = run === undefined || isSame ? null : restartEvent(run, found.value, [], run.only);
    if (restarted?.ok === false) return restarted;
    const answered = { type: "step_end", step: key, outcome: "ok", output: value, outputs: {} } as const;
    const stored = runs.record(id, [...(restarted === null ? [] : [restarted.value]), answered], commandId);
    if (!stored.ok) return stored;
    runs.drive(id, found.value.set);
    return ok(null);
  };
}

/** Input for the start of a workflow. */
interface WorkflowStart {
  readonly projectId: ProjectId;
  readonly name: string;
  readonly inputs: { readonly [name: string]: Json };
  readonly commandId: CommandId;
  readonly mode?: CommandInput<"session.create">["mode"];
  readonly model?: string;
  readonly connection?: string;
}

interface ControlParts extends PausedWorkflowParts {
  readonly sessions: Pick<SessionService, "get" | "create" | "update">;
}

export function makeWorkflowControl(parts: ControlParts) {
  const { sessions, library, runs } = parts;
  const { read, paused, continueWith, settleUnknown } = makePausedWorkflows(parts);
  const answer = makeQuestionAnswer(parts);
  const once = makeOnce(sessions);
  return {
    /**
     * Starts a workflow in a session of its own, in Ask mode by default; a remote client has no more. The same commandId
     * returns the same session. Fails with the codes of finding it (not_found, untrusted, bad_input with `line`), with
     * bad_input (`input`, `why`), and those of creating a session.
     */
    async start(
      { name, inputs: values, ...wanted }: WorkflowStart,
      client: SessionClient,
      signal: AbortSignal,
    ): Promise<Result<{ readonly row: SessionRow }>> {
      const { mode = "ask" } = wanted;
      if (client.origin !== undefined && "name" in client.origin && hasMoreRights(mode, "ask"))
        return fail("not_allowed");
      const found = await library.find(wanted.projectId, name, signal);
      if (!found.ok) return found;
      const inputs = readWorkflowInputs(found.value.set.root.inputs, values);
      if (!inputs.ok) return fail("bad_input", undefined, { input: inputs.fault.input, why: inputs.fault.why });
      const created = await sessions.create({ ...wanted, mode }, client);
      if (!created.ok) return created;
      const { id } = created.value.row;
      const session = sessions.get(id);
      if (!session.ok || session.value.view.workflow.length > 0) return created;
      sessions.update({ sessionId: id, commandId: randomId<CommandId>("k"), title: name }, client);
      const stored = runs.record(id, [{ ...workflowStartEvent(name, found.value), inputs: inputs.values }]);
      if (!stored.ok) return stored;
      runs.drive(id, found.value.set);
      return created;
    },
    /** Fails with not_found. */
    async stop(id: SessionId): Promise<Result<null>> {
      await runs.stop(id);
      return sessions.get(id).ok ? ok(null) : fail("not_found");
    },
    /**
     * Continues after a stop, a failure or a restart: with the steps that failed, by the file as it is now. Fails with
     * not_found, not_idle, conflict (a step is unknown, and `unknown` does not say what to do), changed_meanwhile (`step`: one
     * that has run has another in its place), and the codes of finding it.
     */
    resume: once<CommandInput<"workflows.continue">>(async (command, signal) => {
      const { sessionId: id, unknown } = command;
      const now = await paused(id, signal);
      if (!now.ok) return now;
      const { found } = now.value;
      const settled = settleUnknown(id);
      if (!settled.ok) return settled;
      const open = settled.value;
      if (open.length > 0 && unknown === undefined) return fail("conflict", open[0], { step: open[0] ?? "" });
      if (unknown === "skip") runs.record(id, open.map(skipEvent));
      const run = read(id)?.run ?? now.value.run;
      return continueWith(command, run, found, [...failedSteps(run, found.set), ...(unknown === "again" ? open : [])]);
    }),
    /** Runs one step again, with those below it. Fails with not_found, not_idle, conflict (another one is unknown). */
    rerun: once<CommandInput<"workflows.rerun">>(async (command, signal) => {
      const { sessionId: id, step: key } = command;
      const now = await paused(id, signal);
      if (!now.ok) return now;
      const { found } = now.value;
      const settled = settleUnknown(id);
      if (!settled.ok) return settled;
      const run = read(id)?.run ?? now.value.run;
      if (!run.steps.has(key) || findStep(key, found.set.root, found.set.workflows) === undefined)
        return fail("not_found");
      const open = settled.value.filter((one) => !isStepWithin(one, key));
      if (open.length > 0) return fail("conflict", open[0], { step: open[0] ?? "" });
      return continueWith(command, run, found, [key], key);
    }),
    answer: once(answer),
  };
}

/** Returns a function that does a command unless it was done before: a page repeats one after a lost connection. */
function makeOnce(sessions: Pick<SessionService, "get">) {
  const mutex = makeMutex();
  return <C extends SessionCommand>(work: (command: C, signal: AbortSignal) => Promise<Result<null>>) =>
    (command: C, signal: AbortSignal): Promise<Result<null>> => {
      const { sessionId, commandId } = command;
      const doOnce = async (): Promise<Result<null>> => {
        const session = sessions.get(sessionId);
        return session.ok && session.value.hasDone(commandId) ? ok(null) : work(command, signal);
      };
      return mutex.hold(sessionId, doOnce, signal);
    };
}

const skipEvent = (step: string): WorkflowEvent => ({
  type: "step_end",
  step,
  outcome: "skipped",
  output: "",
  outputs: {},
});

/** The innermost steps that failed or were stopped, without those that may fail. */
function failedSteps({ steps }: WorkflowRun, { root, workflows }: WorkflowSet): readonly string[] {
  const failed = [...steps.values()].flatMap(({ key, state }) =>
    state === "failed" || state === "stopped" ? [key] : [],
  );
  const mayFail = (key: string): boolean =>
    key
      .split("/")
      .some((_, index, parts) => findStep(parts.slice(0, index + 1).join("/"), root, workflows)?.mayFail === true);
  return failed.filter((key) => !mayFail(key) && !failed.some((other) => other !== key && isStepWithin(other, key)));
}
