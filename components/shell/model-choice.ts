/** Which model a new session gets, and how much of its window is in use. Pure. */
import type { ModelServerState } from "@/lib/models";
import { preferredModels, type Settings } from "@/lib/settings";
import type { SessionView } from "@/lib/view";

const canTalk = (capabilities: readonly string[]): boolean =>
  capabilities.length === 0 || capabilities.includes("completion");

/** The one the settings name, else the first installed of the preferred ones, else the first installed; "" = none. */
export function modelForNew(settings: Settings | undefined, server: ModelServerState | undefined): string {
  const installed = (server?.models ?? []).filter((model) => canTalk(model.capabilities)).map((model) => model.name);
  if (settings !== undefined && settings.model !== "") return settings.model;
  return preferredModels.find((name) => installed.includes(name)) ?? installed[0] ?? "";
}

/** Models that answer in a conversation. */
export const talkingModels = (server: ModelServerState | undefined): ModelServerState["models"] =>
  (server?.models ?? []).filter((model) => canTalk(model.capabilities));

export interface WindowUse {
  /** 0 to 1; null before the first answer. */
  readonly share: number | null;
  readonly windowTokens: number;
}

export function windowUse(view: Pick<SessionView, "model" | "usage">): WindowUse | null {
  if (view.model === null || view.model.numCtx <= 0) return null;
  const used = view.usage === null ? null : view.usage.promptTokens + view.usage.outputTokens;
  return { share: used === null ? null : Math.min(1, used / view.model.numCtx), windowTokens: view.model.numCtx };
}
