/** Commands for workflows. */
import * as z from "zod/mini";
import { type WorkflowProblem, workflowLimits } from "../workflows/workflow";
import type { WorkflowsState, WorkflowText } from "../workflows/workflow-views";
import { modes } from "../permissions/policy";
import { commandId, connectionId, defineCommand, hash, json, modelName, projectId, sessionId } from "./command-input";
import type { SessionRow } from "./session-row";

const name = z.string().check(z.minLength(1), z.maxLength(100));
const step = z.string().check(z.minLength(1), z.maxLength(400));
const text = z.string().check(z.maxLength(workflowLimits.bytes));
const file = { projectId, place: z.enum(["project", "home"]), name };

export const workflowCommands = {
  /** Reads the files of workflows now. Fails with the codes of opening a project. */
  "workflows.list": defineCommand<WorkflowsState>()(z.object({ projectId })),
  /** Fails with not_found, untrusted, too_large. */
  "workflows.read": defineCommand<WorkflowText>()(z.object(file)),
  /** Returns the problems of a text that is not stored. */
  "workflows.check": defineCommand<{ readonly problems: readonly WorkflowProblem[] }>()(
    z.object({ projectId, name, text }),
  ),
  /** Writes a file whose hash is still `before`. Fails with bad_path, untrusted, changed_meanwhile, exists and the codes of writing. */
  "workflows.write": defineCommand<WorkflowText>()(z.object({ ...file, text, before: z.nullable(hash) })),
  /** Returns a text with the prompts of a session. Fails with not_found (also without a prompt), not_idle. */
  "workflows.draft": defineCommand<{ readonly text: string }>()(z.object({ sessionId })),
  /**
   * Starts a workflow in a session of its own. Fails with not_found, untrusted, bad_input (`line` of a problem, or `input` and
   * `why`) and the codes of session.create.
   */
  "workflows.start": defineCommand<{ readonly row: SessionRow }>()(
    z.object({
      projectId,
      commandId,
      name,
      inputs: z.record(name, json),
      mode: z.optional(z.enum(modes)),
      model: z.optional(modelName),
      connection: z.optional(connectionId),
    }),
  ),
  "workflows.stop": defineCommand<null>()(z.object({ sessionId })),
  /** Fails with not_found, not_idle, conflict (`step` is unknown: `unknown` says what to do), untrusted, bad_input. */
  "workflows.continue": defineCommand<null>()(
    z.object({ sessionId, commandId, unknown: z.optional(z.enum(["again", "skip"])) }),
  ),
  /** Runs one step again. Fails with not_found, not_idle, conflict, untrusted, bad_input. */
  "workflows.rerun": defineCommand<null>()(z.object({ sessionId, commandId, step })),
  /** Answers the question that waits. Fails with not_found, gone, bad_input, untrusted. */
  "workflows.answer": defineCommand<null>()(
    z.object({
      sessionId,
      commandId,
      step,
      answer: z.string().check(z.minLength(1), z.maxLength(workflowLimits.outputChars)),
    }),
  ),
};
