/** Context window at a connection: the user's choice, the server's value, or a conservative default. Pure. */
import type { ModelInfo, ModelNote, WindowPlan } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { planWindow } from "./notes/window-plan";

/** Default window if neither the user nor the server specifies one, tokens. */
export const connectionWindowTokens = 32_768;

/**
 * Plans the tokens of the model's note, else those of the connection (`numCtx`); 0 = the server's value, else at most the
 * default, since a possible maximum is no window. Memory limits of the server are unknown, unless `memoryBytes` is given:
 * then the window is the largest that fits.
 */
export function planConnectionWindow(
  { name, contextLength, possibleContext, size, kvBytesPerToken }: ModelInfo,
  note: Pick<ModelNote, "numCtx">,
  numCtx: number,
  memoryBytes?: number,
): WindowPlan {
  const chosen = note.numCtx ?? numCtx;
  if (memoryBytes !== undefined)
    return planWindow({ model: { name, contextLength, size, kvBytesPerToken }, memoryBytes, wanted: chosen });
  const model = { name, contextLength: possibleContext ?? contextLength };
  if (chosen > 0) return planWindow({ model, wanted: chosen });
  const unknown = Math.min(possibleContext ?? connectionWindowTokens, connectionWindowTokens);
  const tokens = Math.min(contextLength ?? unknown, limits.windowMaxTokens);
  return { ...planWindow({ model, wanted: tokens }), by: contextLength === undefined ? "default" : "model" };
}
