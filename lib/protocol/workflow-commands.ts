/** Commands for workflows. */
import * as z from "zod/mini";
import { type WorkflowProblem, workflowLimits } from "../workflows/workflow";
import type { WorkflowsState, WorkflowText } from "../workflows/workflow-views";
import { defineCommand, hash, projectId } from "./command-input";

const name = z.string().check(z.minLength(1), z.maxLength(100));
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
};
