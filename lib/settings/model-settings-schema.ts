/** Schema of per-model settings, for commands, `models.yaml` and the store. Not loaded in the browser. */
import * as z from "zod/mini";
import { modelBounds } from "./model-settings";
import { toolCallings } from "./settings";
import { thinkLevels } from "../models/thinking";

const auto = z.literal("auto");
const boundedModelInteger = (name: keyof typeof modelBounds) =>
  z.int().check(z.gte(modelBounds[name].least), z.lte(modelBounds[name].most));

export const modelPatchSchema = z.object({
  /** Context window of new sessions, tokens. */
  numCtx: z.exactOptional(z.union([auto, boundedModelInteger("numCtx")])),
  /** Tool calling format of new sessions. */
  toolMode: z.exactOptional(z.enum(toolCallings)),
  /** Length of the instructions in new sessions. */
  profile: z.exactOptional(z.enum(["auto", "small", "default", "full"])),
  /** Thinking in new sessions. */
  think: z.exactOptional(z.union([auto, z.boolean(), z.enum(thinkLevels)])),
  /** Whether the chat template is asked to keep the thinking of all turns, in new sessions. */
  keepThinking: z.exactOptional(z.union([auto, z.boolean()])),
  /** From the next request on. */
  temperature: z.exactOptional(
    z.union([auto, z.number().check(z.gte(modelBounds.temperature.least), z.lte(modelBounds.temperature.most))]),
  ),
  /** Maximum tokens of one answer, from the next request on. */
  maxOutputTokens: z.exactOptional(z.union([auto, boundedModelInteger("maxOutputTokens")])),
  /** Time for which the model stays loaded after an answer, minutes; -1 = indefinitely. Sent to Ollama only. */
  keepAliveMinutes: z.exactOptional(z.union([auto, boundedModelInteger("keepAliveMinutes")])),
});
