/** How a session will use a model: which one, its window, its thinking, its prompt. Pure over what is known of the server. */
import type { ModelInfo, ModelServerState } from "@/lib/models";
import type { Think } from "@/lib/event";
import type { Settings } from "@/lib/settings";
import { chooseModel, chooseNumCtx, findModel } from "./models/choose-model";
import { promptFor } from "./prompts/prompts";
import type { ModelChoice } from "./session/services";
import { builtinTools, toolSchemas } from "./tools/registry";

interface Wanted {
  readonly name: string;
  /** Just this one, or nothing. */
  readonly exact: boolean;
  readonly settings: Pick<Settings, "contextMaxTokens" | "think">;
  readonly think?: boolean;
}

const smallWindowTokens = 4_096;

/** null = nothing installed fits, or the server was never reached. */
export function pickModel(state: ModelServerState, wanted: Wanted): ModelChoice | null {
  const model = wanted.exact ? findModel(state.models, wanted.name) : chooseModel(state.models, wanted.name);
  if (model === undefined) return null;
  const numCtx = chooseNumCtx(model, wanted.settings.contextMaxTokens);
  const profile = numCtx <= smallWindowTokens ? "small" : "default";
  return {
    change: {
      provider: "ollama",
      model: model.name,
      ...(model.digest === undefined ? {} : { digest: model.digest }),
      toolMode: "native",
      numCtx,
      think: thinkOf(model, wanted.think ?? wanted.settings.think),
      profile,
    },
    prompt: { system: promptFor(profile).system, tools: toolSchemas(builtinTools, profile) },
  };
}

/** gpt-oss takes levels only and cannot be turned off (field D21). */
function thinkOf(model: ModelInfo, wanted: boolean): Think {
  if (!model.capabilities.includes("thinking")) return false;
  if (/gpt-?oss/i.test(model.family ?? model.name)) return wanted ? "medium" : "low";
  return wanted;
}
