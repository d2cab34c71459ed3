/** Schema of per-model settings, for commands, `models.yaml` and the store. Not loaded in the browser. */
import * as z from "zod/mini";
import { modelSettingTable as table, type ModelSettingName } from "./model-settings";
import { thinkLevels } from "../models/thinking";

const auto = z.literal("auto");
/** A number, whole or not, in the range of its row. */
const numberOf = (kind: z.ZodMiniNumber, { least, most }: { readonly least: number; readonly most: number }) =>
  z.exactOptional(z.union([auto, kind.check(z.gte(least), z.lte(most))]));

export const modelPatchSchema = z.object({
  numCtx: numberOf(z.int(), table.numCtx.wanted),
  toolMode: z.exactOptional(z.enum(table.toolMode.wanted.values)),
  profile: z.exactOptional(z.enum(table.profile.wanted.values)),
  think: z.exactOptional(z.union([auto, z.boolean(), z.enum(thinkLevels)])),
  keepThinking: z.exactOptional(z.union([auto, z.boolean()])),
  temperature: numberOf(z.number(), table.temperature.wanted),
  maxOutputTokens: numberOf(z.int(), table.maxOutputTokens.wanted),
  keepAliveMinutes: numberOf(z.int(), table.keepAliveMinutes.wanted),
} satisfies { readonly [Name in ModelSettingName]: unknown });
