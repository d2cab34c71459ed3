/** Decides how a session uses a model: which one, window, thinking, prompt. Pure. */
import type { HistoryUse, Profile, Think, ToolMode } from "@/lib/events/event";
import type { ProjectId } from "@/lib/events/id";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelInfo, ModelNote, WindowPlan } from "@/lib/models/models";
import type { Settings } from "@/lib/settings/settings";
import { thinksInLevelsOnly } from "@/lib/models/thinking";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import type { ModelState } from "@/lib/view/view";
import { canChat } from "@/lib/models/can-chat";
import { chooseHistoryUse, pickHistoryUse } from "./history-use";
import { chooseModel, findModel } from "./choose-model";
import type { ModelChoice, WantedModel } from "../access/session-models";

/** Facts that the prompt of a session depends on. */
interface PromptParts extends Pick<ModelState, "profile" | "toolMode" | "numCtx"> {
  /** Project of the session; absent = the prompt is not for a session. */
  readonly projectId?: ProjectId;
}

export type PromptComposer = (parts: PromptParts) => StoredPrompt;

/** A model server and its models, as inputs of the choice. */
export interface ModelServerFacts {
  /** "ollama" or a connection's id. */
  readonly provider: string;
  readonly models: readonly ModelInfo[];
  /** Default model, from --model or the settings; empty = the best available. */
  readonly model: string;
  plan(model: ModelInfo): WindowPlan;
  /** Returns the form of earlier answers that the chat template of a model shows; absent = its server does not report it. */
  readonly template?: (model: string) => HistoryUse | undefined;
  /** Info for a model name that is not listed, assumed to have every capability; absent = the list is complete. */
  readonly unlisted?: (name: string) => ModelInfo;
}

/** The model for a session; undefined = the name is unknown, or no installed model fits. */
export const resolveModel = ({ models, model, unlisted }: ModelServerFacts, name: string): ModelInfo | undefined =>
  name === ""
    ? // Prompts to a connection may leave the machine: the user agreed by setting it up.
      (chooseModel(models, model) ?? (unlisted === undefined ? undefined : models.find(canChat)))
    : (findModel(models, name) ?? unlisted?.(name));

/**
 * Chooses the model and its settings. null = no installed model fits, or the server was never reached. The model's note
 * takes precedence over the settings.
 */
export function resolveModelChoice(
  server: ModelServerFacts,
  wanted: WantedModel,
  { think, toolCalling }: Pick<Settings, "think" | "toolCalling">,
  composePrompt: PromptComposer,
): ModelChoice | null {
  const model = resolveModel(server, wanted.name);
  if (model === undefined) return null;
  const { current } = wanted;
  const isUnchanged = current?.provider === server.provider && isSameModelName(current.model, model.name);
  const unchanged = isUnchanged ? current : undefined;
  const numCtx = unchanged !== undefined && wanted.numCtx === undefined ? unchanged.numCtx : server.plan(model).chosen;
  const toolMode = resolveToolMode(model, toolCalling);
  const profile = resolveProfile(model, numCtx);
  return {
    change: {
      provider: server.provider,
      model: model.name,
      digest: model.digest,
      toolMode,
      numCtx,
      think: resolveThink(server, model, wanted.think ?? unchanged?.think ?? model.note?.think ?? think),
      profile,
      // The form of an unchanged model stays, so that requests still begin with the same bytes.
      ...(unchanged === undefined ? chooseHistoryUse(model, server.template?.(model.name)) : pickHistoryUse(unchanged)),
    },
    prompt: composePrompt({ profile, toolMode, numCtx, projectId: wanted.projectId }),
  };
}

/** The same model in another tool mode. */
export function withToolMode(
  model: ModelState,
  toolMode: ToolMode,
  composePrompt: PromptComposer,
  projectId: ProjectId,
): ModelChoice {
  const { prompt: _prompt, ...change } = model;
  return { change: { ...change, toolMode }, prompt: composePrompt({ ...model, toolMode, projectId }) };
}

/**
 * The user's choice for this model, else the setting, else the mode learned from its server, else its listed
 * capabilities. Without listed capabilities native tools are assumed until a refusal; metadata never locks a model out.
 */
export function resolveToolMode(
  { note, capabilities }: Pick<ModelInfo, "note" | "capabilities">,
  setting: Settings["toolCalling"] = "auto",
): ToolMode {
  if (note?.toolMode?.by === "user") return note.toolMode.mode;
  if (setting !== "auto") return setting;
  if (note?.toolMode !== undefined) return note.toolMode.mode;
  return capabilities.length === 0 || capabilities.includes("tools") ? "native" : "react";
}

const smallWindowTokens = 4_096;
const largeModel = { parameters: 30e9, bytes: 16e9, windowTokens: 32_768 };

/** The full prompt is for large models, in windows with enough space for it. */
export function resolveProfile(
  { note, parameters, size }: Pick<ModelInfo, "parameters" | "size"> & { readonly note?: ModelNote },
  numCtx: number,
): Profile {
  if (note?.profile !== undefined) return note.profile;
  if (numCtx <= smallWindowTokens) return "small";
  const count = parseParameterCount(parameters);
  const isLarge = count === undefined ? (size ?? 0) >= largeModel.bytes : count >= largeModel.parameters;
  return isLarge && numCtx >= largeModel.windowTokens ? "full" : "default";
}

const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** Parses a parameter count: 8e9 of "8B", 56e9 of "8x7B"; undefined = missing. */
function parseParameterCount(parameters: string | undefined): number | undefined {
  const match = /^(?:(\d+)\s*x\s*)?([\d.]+)\s*([KMBT])/i.exec(parameters?.trim() ?? "");
  const count = Number(match?.[1] ?? 1) * Number(match?.[2]) * (units[match?.[3]?.toUpperCase() ?? ""] ?? Number.NaN);
  return Number.isFinite(count) && count > 0 ? count : undefined;
}

/** On a server without listed capabilities the wanted level is used; the server ignores what the model lacks. */
export const resolveThink = ({ unlisted }: ModelServerFacts, model: ModelInfo, wanted: Think): Think =>
  unlisted !== undefined && model.capabilities.length === 0 ? wanted : supportedThink(model, wanted);

/** For a model that cannot switch thinking off, the lowest level replaces off. */
function supportedThink(model: ModelInfo, wanted: Think): Think {
  if (!model.capabilities.includes("thinking")) return false;
  if (!thinksInLevelsOnly(model)) return wanted;
  if (typeof wanted === "boolean") return wanted ? "medium" : "low";
  return wanted === "max" ? "high" : wanted;
}
