/** What a setting of one model may be. Parsed at the door, in the file, and when the store is read; never in the browser. */
import * as z from "zod/mini";
import { modelBounds } from "./model-settings";
import { toolCallings } from "./settings";
import { thinkLevels } from "./thinking";

const auto = z.literal("auto");
const whole = (name: keyof typeof modelBounds) =>
  z.int().check(z.gte(modelBounds[name].least), z.lte(modelBounds[name].most));

export const modelPatchSchema = z.object({
  /** Context window of new sessions, tokens. */
  numCtx: z.exactOptional(z.union([auto, whole("numCtx")])),
  /** How it calls tools, in new sessions. */
  toolMode: z.exactOptional(z.enum(toolCallings)),
  /** Length of its instructions, in new sessions. */
  profile: z.exactOptional(z.enum(["auto", "small", "default", "full"])),
  /** Thinking of new sessions. */
  think: z.exactOptional(z.union([auto, z.boolean(), z.enum(thinkLevels)])),
  /** From the next request on. */
  temperature: z.exactOptional(
    z.union([auto, z.number().check(z.gte(modelBounds.temperature.least), z.lte(modelBounds.temperature.most))]),
  ),
  /** Most tokens of one answer, from the next request on. */
  maxOutputTokens: z.exactOptional(z.union([auto, whole("maxOutputTokens")])),
  /** How long it stays loaded after an answer, minutes; -1 = for ever. Only Ollama is told. */
  keepAliveMinutes: z.exactOptional(z.union([auto, whole("keepAliveMinutes")])),
});
