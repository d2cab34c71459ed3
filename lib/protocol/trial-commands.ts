/** Commands for trials of tools of other programs. */
import * as z from "zod/mini";
import type { Json } from "../events/content";
import type { OwnToolRow, ToolOffer, ToolTrial, ToolTrialPreview } from "../tools/trials";
import { defineCommand, hash, idText, json, projectId } from "./command-input";

/** By its name in the catalogue. */
const ofTool = { projectId, tool: z.string().check(z.minLength(1), z.maxLength(400)) };
const ofCall = { ...ofTool, input: json };

export const trialCommands = {
  /** Returns the tools of this program and of enabled extensions, also those that are switched off. */
  "tools.own": defineCommand<{ readonly tools: readonly OwnToolRow[] }>()(z.object({ projectId })),
  /** Returns the tools of the catalogue that can be called, for mentions. */
  "tools.offers": defineCommand<{ readonly tools: readonly ToolOffer[] }>()(z.object({ projectId })),
  /** Returns what the model gets when it asks for the parameters of a tool. Fails with not_found if it cannot be called. */
  "tools.describe": defineCommand<{ readonly text: string }>()(z.object(ofTool)),
  /** Returns the parameters of a tool, in the subset that models get. Fails with not_found, and with changed_meanwhile. */
  "trials.tool": defineCommand<{ readonly parameters: Json }>()(z.object(ofTool)),
  /**
   * Returns what an input would call; nothing is started. Fails with not_found, with
   * changed_meanwhile if it cannot be called now, and with bad_input if the input does not fit (`detail` = why).
   */
  "trials.preview": defineCommand<ToolTrialPreview>()(z.object(ofCall)),
  /**
   * Calls a tool as it was shown, on the road of a model's call. `trial` = a new id; the same one again has the result of the
   * first. Fails as `trials.preview`, with changed_meanwhile if its definition is another, with aborted after `trials.stop`,
   * and with the codes of the tool (`detail` = what a model would get).
   */
  "trials.run": defineCommand<ToolTrial>()(z.object({ ...ofCall, definition: hash, trial: idText })),
  /** Stops a trial that runs. */
  "trials.stop": defineCommand<null>()(z.object({ trial: idText })),
};
