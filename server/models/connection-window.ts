/** The window a session takes at a connection: what the user chose, what its server tells, or a careful default. Pure; called by connection-server. */
import type { ModelInfo, WindowPlan } from "@/lib/models";
import { limits } from "@/lib/settings";
import { planWindow } from "./window-plan";

/** `chosen` = tokens of the model's note, else of the connection; 0 = what the server tells. Nobody knows what fits there. */
export function connectionWindow({ name, contextLength }: ModelInfo, chosen: number): WindowPlan {
  const model = { name, ...(contextLength === undefined ? {} : { contextLength }) };
  if (chosen > 0) return planWindow({ model, wanted: chosen });
  const tokens = Math.min(contextLength ?? limits.connectionWindowTokens, limits.windowMaxTokens);
  return { ...planWindow({ model, wanted: tokens }), by: contextLength === undefined ? "default" : "model" };
}
