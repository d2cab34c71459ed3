/** The user's answer to the question of a workflow, with which it continues. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandInput } from "@/lib/protocol/command";
import { openQuestion } from "@/lib/workflows/workflow-run";
import { makePausedWorkflows, type PausedWorkflowParts } from "./paused-workflow";

/** Returns the function that answers the question which waits. It fails with not_found, not_allowed (an imported session), gone, bad_input (not one of the answers), changed_meanwhile (see resume), and those of finding the workflow. */
export function makeQuestionAnswer(parts: PausedWorkflowParts) {
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
