/** Sentence and remedies of an error card, chosen by error code. Pure. */
import type { ConversationMessages } from "../../messages/conversation-messages";
import { type AgentError, anyFacts, type ErrorCode } from "@/lib/events/error";
import type { ErrorFacts, FactName } from "@/lib/events/error-facts";
import { errorSentence } from "@/lib/events/error-sentences";
import { engineConnectionId } from "@/lib/models/engine";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import type { ModelState } from "@/lib/view/view";
import type { ConversationFacts } from "../actions";

export type Remedy =
  | "window_up"
  | "window_down"
  | "pull"
  | "find_server"
  | "start_server"
  | "compact"
  | "steer"
  | "resume"
  | "go_on"
  | "text_calls"
  | "model_settings"
  | "connection_settings"
  | "tool_settings";

/** Codes of notices without a failure; with most of them a guard paused the run. */
const guardCodes: readonly ErrorCode[] = [
  "step_limit",
  "time_limit",
  "loop_detected",
  "repeated_text",
  "think_limit",
  "output_limit",
  "lost_arguments",
];

export const isGuardCode = (code: ErrorCode): boolean => guardCodes.includes(code);

const windowCodes: readonly ErrorCode[] = ["prompt_cut", "window_full", "message_too_large"];

export interface RemedyContext extends Pick<ConversationFacts, "isOllama" | "model" | "server"> {
  /** Continue accepts it; otherwise a message asks the model to continue. */
  readonly canContinue: boolean;
}

/** Returns the remedies for an error, the most likely first. */
export function findRemedies(error: AgentError, situation: RemedyContext): readonly Remedy[] {
  const onward: Remedy = situation.canContinue ? "resume" : "go_on";
  if (isCauseFixed(error, situation)) return [onward];
  const { model } = situation;
  switch (error.code) {
    case "prompt_cut":
    case "message_too_large":
      return ["window_up"];
    case "window_full":
      return ["compact", "window_up"];
    case "out_of_memory":
      return situation.isOllama || isEngineModel(situation.model)
        ? ["window_down", "model_settings"]
        : ["connection_settings"];
    case "model_missing":
      if (isEngineModel(situation.model)) return ["model_settings"];
      return situation.isOllama ? ["pull", "model_settings"] : ["connection_settings"];
    case "engine_missing":
    case "engine_incompatible":
    case "model_file_broken":
    case "model_unsupported":
    case "graphics_failed":
    case "engine_ended":
      return ["model_settings", onward];
    case "lost_arguments":
      return model?.toolMode === "native" ? ["text_calls"] : [];
    case "tool_refused":
      return ["tool_settings", onward];
    case "unparsed_answer":
      return [onward, situation.isOllama || isEngineModel(model) ? "model_settings" : "connection_settings"];
    case "no_model":
    case "no_tools":
    case "no_thinking":
    case "no_think_level":
    case "no_vision":
      return ["model_settings"];
    case "server_unreachable":
      return unreachable(situation);
    case "key_refused":
    case "quota_used":
    case "wrong_address":
    case "wrong_scheme":
      return ["connection_settings"];
    case "loop_detected":
    case "repeated_text":
      return ["steer", onward];
    case "step_limit":
    case "time_limit":
    case "think_limit":
    case "start_failed":
    case "connection_lost":
    case "stalled":
    case "server_busy":
    case "server_error":
    case "bad_answer":
    case "incomplete":
    case "empty_answer":
    case "lost_call":
    case "output_limit":
      return [onward];
    default:
      return [];
  }
}

/** Window that a message needs which is too large for the one in use, tokens; 0 = any larger window may help. */
export function windowNeed(error: AgentError): number {
  const { tokens } = error.code === "message_too_large" ? anyFacts(error) : {};
  return tokens ? tokens + limits.windowReserveTokens : 0;
}

/** The built-in engine runs it, on this machine. */
export const isEngineModel = (model: ModelState | null): boolean => model?.provider === engineConnectionId;

function unreachable({ isOllama, server }: RemedyContext): readonly Remedy[] {
  if (!isOllama) return ["go_on", "connection_settings"];
  return server?.canStart === true ? ["start_server", "find_server"] : ["find_server", "model_settings"];
}

/** Whether the cause is gone: the window is larger, the model is installed, the server responds. */
function isCauseFixed(error: AgentError, { isOllama, model, server }: RemedyContext): boolean {
  if (model === null) return false;
  const { code } = error;
  // `asked` = the requested window, logged when the server allocated less: only a larger request changes that.
  const { asked, window: reported } = anyFacts(error);
  const window = asked || reported || Number.POSITIVE_INFINITY;
  if (windowCodes.includes(code)) return effectiveWindow(model, server) > window;
  if (code === "out_of_memory") return Number.isFinite(window) && model.numCtx < window;
  if (!isOllama || server?.status !== "ready") return false;
  if (code === "model_missing") return server.models.some((one) => isSameModelName(model.model, one.name));
  return code === "server_unreachable";
}

/** The requested window, or the smaller one that the server has allocated; tokens. */
const effectiveWindow = ({ model, numCtx }: ModelState, server: ModelServerState | undefined): number =>
  Math.min(numCtx, server?.loaded.find((one) => isSameModelName(model, one.name))?.contextLength ?? numCtx);

/** Returns the server's window in tokens if it is below the requested one, so that raising is futile; else null. */
export function findServerWindowCap({
  model,
  server,
  isOllama,
}: Pick<ConversationFacts, "model" | "server" | "isOllama">): number | null {
  if (!isOllama || model === null) return null;
  const inForce = effectiveWindow(model, server);
  return inForce < model.numCtx ? inForce : null;
}

/** Maximum length of a call in a sentence, UTF-16 units; the details show it in full. */
const callMaxChars = 120;

/** Formats an error as one sentence with its figures, or as the general sentence of its code if they are missing. */
export function formatErrorSentence(
  error: AgentError,
  { chat, errorFacts, errors, figures }: ConversationMessages,
  host = "",
): string {
  const { tool = "", target = "" } = anyFacts(error);
  const label = [tool, target].filter((part) => part !== "").join(" ");
  const call = label.length > callMaxChars ? `${label.slice(0, callMaxChars)}…` : label;
  return errorSentence(errorFacts, error, { chat, tokens: figures.tokens, host, call }) ?? errors.sentences[error.code];
}

/** Facts with a sentence that is more specific than the general one, by code. */
const lateFacts: { readonly [Code in ErrorCode]?: readonly (FactName & keyof ErrorFacts[Code])[] } = {
  out_of_memory: ["signal"],
  model_missing: ["file"],
  engine_missing: ["program"],
  engine_ended: ["program"],
  engine_incompatible: ["library", "program"],
  model_unsupported: ["architecture"],
  start_failed: ["takenPort"],
  key_refused: ["wants", "keyFile"],
  server_unreachable: ["router"],
  server_busy: ["retryAt"],
  stalled: ["cure"],
  unparsed_answer: ["toolMode"],
  lost_arguments: ["model"],
  tool_refused: ["tools"],
};

/** Returns whether an error has a sentence, loaded late, that is more specific than the general one. */
export const hasLateSentence = (error: AgentError): boolean =>
  lateFacts[error.code]?.some((name) => (anyFacts(error)[name] ?? "") !== "") === true;
