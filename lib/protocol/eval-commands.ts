/** Commands for evals: tasks that compare models. */
import * as z from "zod/mini";
import type { EvalOverview, EvalRun } from "../evals/evals";
import { connectionId, defineCommand, idText, modelName, noInput } from "./command-input";

/** Without `connection`: a model of the Ollama server in the settings. */
const evalModel = z.object({ name: modelName, connection: z.optional(connectionId) });

/** Most models and tasks of one run. */
const maxModels = 20;
const maxTasks = 500;

export const evalCommands = {
  "evals.list": defineCommand<EvalOverview>()(noInput),
  /**
   * Starts a run; progress is pushed. Without `tasks`: all of them. Fails with busy while another run is active, with
   * not_found for an unknown task or connection, and with model_missing, server_unreachable.
   */
  "evals.start": defineCommand<EvalRun>()(
    z.object({
      models: z.array(evalModel).check(z.minLength(1), z.maxLength(maxModels)),
      tasks: z.optional(z.array(idText).check(z.minLength(1), z.maxLength(maxTasks))),
    }),
  ),
  "evals.stop": defineCommand<null>()(noInput),
  /** The session of a stored result as Markdown. Fails with not_found. */
  "evals.transcript": defineCommand<{ readonly text: string }>()(z.object({ model: evalModel, task: idText })),
} as const;
