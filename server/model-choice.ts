/** How a session will use a model: which one, its window, its thinking, its prompt. Pure over what is known of the server. */
import type { Profile, Think, ToolMode } from "@/lib/event";
import type { ModelInfo, ModelNote, WindowPlan } from "@/lib/models";
import type { Settings } from "@/lib/settings";
import { thinksInLevelsOnly } from "@/lib/thinking";
import type { ModelState } from "@/lib/view";
import { canChat } from "@/lib/can-chat";
import { chooseModel, findModel } from "./models/choose-model";
import { storedPromptFor } from "./agent/stored-prompt";
import type { ModelChoice, WantedModel } from "./session/services";
import { builtinTools } from "./tools/registry";

/** What is known of a model server and its models. */
export interface KnownServer {
  /** "ollama" or a connection's id. */
  readonly provider: string;
  readonly models: readonly ModelInfo[];
  /** Taken where none is named: of --model or the settings; empty = the best there is. */
  readonly model: string;
  plan(model: ModelInfo): WindowPlan;
  /** What its list does not name is taken all the same, as this, and it can what its list does not deny; absent = the list is the truth. */
  readonly unlisted?: (name: string) => ModelInfo;
}

/** The model a session gets; undefined = what was named is not there, or nothing installed fits. */
export const wantedModel = ({ models, model, unlisted }: KnownServer, name: string): ModelInfo | undefined =>
  name === ""
    ? // Prompts to a connection may leave the machine: whoever set it up wants that.
      (chooseModel(models, model) ?? (unlisted === undefined ? undefined : models.find(canChat)))
    : (findModel(models, name) ?? unlisted?.(name));

/**
 * null = nothing installed fits, or the server was never reached. The model's note has what the user set for it; the settings have
 * what holds for the others.
 */
export function pickModel(
  server: KnownServer,
  wanted: WantedModel,
  { think, toolCalling }: Pick<Settings, "think" | "toolCalling">,
): ModelChoice | null {
  const model = wantedModel(server, wanted.name);
  if (model === undefined) return null;
  const { current } = wanted;
  const has = current?.provider === server.provider && current.model === model.name ? current : undefined;
  const numCtx = has !== undefined && wanted.numCtx === undefined ? has.numCtx : server.plan(model).chosen;
  const toolMode = toolModeOf(model, toolCalling);
  const profile = profileOf(model, numCtx);
  return {
    change: {
      provider: server.provider,
      model: model.name,
      ...(model.digest === undefined ? {} : { digest: model.digest }),
      toolMode,
      numCtx,
      think: thinkAt(server, model, wanted.think ?? has?.think ?? model.note?.think ?? think),
      profile,
    },
    prompt: storedPromptFor(profile, toolMode, builtinTools),
  };
}

/** The same model in another tool mode, all else as it is. */
export function inMode(model: ModelState, toolMode: ToolMode): ModelChoice {
  const { prompt: _prompt, ...change } = model;
  return { change: { ...change, toolMode }, prompt: storedPromptFor(model.profile, toolMode, builtinTools) };
}

/**
 * What the user chose for this model, else the setting, else what its server did, else what it says it can. A server that tells nothing is believed to take
 * native tools until it refuses them; a model is never locked out by its metadata (field C5).
 */
export function toolModeOf(
  { note, capabilities }: Pick<ModelInfo, "note" | "capabilities">,
  setting: Settings["toolCalling"] = "auto",
): ToolMode {
  if (note?.toolMode?.by === "user") return note.toolMode.mode;
  if (setting !== "auto") return setting;
  if (note?.toolMode !== undefined) return note.toolMode.mode;
  return capabilities.length === 0 || capabilities.includes("tools") ? "native" : "react";
}

const smallWindowTokens = 4_096;
const large = { parameters: 30e9, bytes: 16e9, windowTokens: 32_768 };

/** The full prompt is for models that follow it, in windows that have room for it. */
export function profileOf(
  { note, parameters, size }: Pick<ModelInfo, "parameters" | "size"> & { readonly note?: ModelNote },
  numCtx: number,
): Profile {
  if (note?.profile !== undefined) return note.profile;
  if (numCtx <= smallWindowTokens) return "small";
  const count = countOf(parameters);
  const isLarge = count === undefined ? (size ?? 0) >= large.bytes : count >= large.parameters;
  return isLarge && numCtx >= large.windowTokens ? "full" : "default";
}

const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** 8e9 of "8B", 56e9 of "8x7B"; undefined where nobody said. */
function countOf(parameters: string | undefined): number | undefined {
  const match = /^(?:(\d+)\s*x\s*)?([\d.]+)\s*([KMBT])/i.exec(parameters?.trim() ?? "");
  const count = Number(match?.[1] ?? 1) * Number(match?.[2]) * (units[match?.[3]?.toUpperCase() ?? ""] ?? Number.NaN);
  return Number.isFinite(count) && count > 0 ? count : undefined;
}

/** A server that does not tell whether a model can think gets what the user wants of it, and leaves out what the model cannot do. */
export const thinkAt = ({ unlisted }: KnownServer, model: ModelInfo, wanted: Think): Think =>
  unlisted !== undefined && model.capabilities.length === 0 ? wanted : thinkOf(model, wanted);

/** Where a model cannot be without thinking, the lowest level stands for off. */
export function thinkOf(model: ModelInfo, wanted: Think): Think {
  if (!model.capabilities.includes("thinking")) return false;
  if (!thinksInLevelsOnly(model)) return wanted;
  if (typeof wanted === "boolean") return wanted ? "medium" : "low";
  return wanted === "max" ? "high" : wanted;
}
