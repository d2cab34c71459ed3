/** The model_change event: the model, its window and the exact prompt, fixed until the user changes the model. */
import { isDeepStrictEqual } from "node:util";
import { anyFacts, fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { ProjectId } from "@/lib/events/id";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import { isRunOf } from "@/lib/view/newest-run";
import { type ModelState, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { historyUseAfter } from "@/server/agent/context/history-use";
import type { AgentHost } from "@/server/agent/host";
import type { SessionServices } from "./services";
import type { ModelChoice, WantedModel } from "@/server/models/access/session-models";

/**
 * Fails with server_unreachable when the model's server does not answer, with no_model when there is no model, with
 * model_missing when the named model does not exist.
 */
export function modelChange(
  services: SessionServices,
  wanted: WantedModel,
  projectId: ProjectId,
): Result<DurableEvent> {
  const choice = services.chooseModel({ ...wanted, projectId });
  if (choice !== null) return ok(toModelChange(services, choice));
  const error = services.noModelError(wanted);
  if (error !== null) return { ok: false, error };
  return wanted.name === "" ? fail("no_model") : fail("model_missing", wanted.name);
}

/** Whether the session's model has answered in it since it was chosen, or was given another prompt after a failure. */
function isSettled(view: SessionView, model: ModelState): boolean {
  let settled = false;
  for (const entry of pathEntriesBackward(view)) {
    const { tools, toolMode } = anyFacts(entry.kind === "retry" ? entry.error : undefined);
    if (tools !== undefined || toolMode !== undefined) settled = true;
    if (entry.kind === "message" && entry.role === "assistant" && entry.usage !== undefined) settled = true;
    // The entries before it, going backward, are of its run.
    if (entry.kind !== "run_start") continue;
    if (!isRunOf(entry, model)) return false;
    if (settled) return true;
  }
  return settled;
}

/**
 * The change to what is known of the session's model now, unless requests have to begin with what they began with before:
 * those of a subagent begin as its parent's do. null = nothing differs.
 */
export function refreshedModel(services: SessionServices, model: ModelState, view: SessionView): DurableEvent | null {
  if (view.parent?.relation === "subagent" || isSettled(view, model)) return null;
  const { prompt: _prompt, ...before } = model;
  const { model: name, provider: connection, think } = model;
  const choice = services.chooseModel({ name, connection, think, projectId: view.projectId });
  if (choice === null || isDeepStrictEqual(withoutAbsent(choice.change), withoutAbsent(before))) return null;
  return toModelChange(services, choice);
}

const withoutAbsent = (members: object): unknown => JSON.parse(JSON.stringify(members));

/** Stores the prompt as a blob, so that a new program version does not change existing sessions. */
export function toModelChange({ store }: SessionServices, choice: ModelChoice): DurableEvent {
  const prompt = store.blobs.put(Buffer.from(JSON.stringify(choice.prompt), "utf8"));
  return { type: "model_change", ...choice.change, prompt };
}

/** Returns the change to the same model with a prompt without these tools. */
export const changeWithoutTools = (
  services: SessionServices,
  { prompt: _prompt, ...change }: ModelState,
  { system, tools }: StoredPrompt,
  names: readonly string[],
): DurableEvent =>
  toModelChange(services, { change, prompt: { system, tools: tools.filter(({ name }) => !names.includes(name)) } });

/** Records for the model in which form earlier answers go back after a refusal; null = a refusal decided that before. */
export function learnHistoryUse(
  services: SessionServices,
  model: ModelState,
  refusal: Parameters<AgentHost["changeHistoryUse"]>[0],
): DurableEvent | null {
  const use = historyUseAfter(model, refusal);
  if (use === null) return null;
  services.saveHistoryUse(model, use);
  return { type: "model_change", ...model, ...use };
}
