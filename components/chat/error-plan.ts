/** What a card of an error says and offers, decided by its code. Pure; drawn by error-card.tsx. */
import type { Words } from "@/components/words/words";
import type { Json } from "@/lib/content";
import type { AgentError, ErrorCode } from "@/lib/error";
import type { ModelServerState } from "@/lib/models";
import type { ModelState } from "@/lib/view";
import type { ConversationFacts } from "./actions";

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
  | "model_settings"
  | "connection_settings";

/** A guard paused the run: nothing is broken. */
const guards: readonly ErrorCode[] = [
  "step_limit",
  "time_limit",
  "loop_detected",
  "repeated_text",
  "think_limit",
  "output_limit",
];

export const isGuard = (code: ErrorCode): boolean => guards.includes(code);

const windowCodes: readonly ErrorCode[] = ["prompt_cut", "window_full", "message_too_large"];

export interface ErrorSituation extends Pick<ConversationFacts, "isOllama" | "model" | "server"> {
  /** Continue takes it; else the model is asked in words to go on. */
  readonly canContinue: boolean;
}

/** What helps, the likeliest first. */
export function remediesOf(error: AgentError, situation: ErrorSituation): readonly Remedy[] {
  const onward: Remedy = situation.canContinue ? "resume" : "go_on";
  if (isMended(error, situation)) return [onward];
  switch (error.code) {
    case "prompt_cut":
    case "message_too_large":
      return ["window_up"];
    case "window_full":
      return ["compact", "window_up"];
    case "out_of_memory":
      return situation.isOllama ? ["window_down", "model_settings"] : ["connection_settings"];
    case "model_missing":
      return situation.isOllama ? ["pull", "model_settings"] : ["connection_settings"];
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
      return ["connection_settings"];
    case "loop_detected":
    case "repeated_text":
      return ["steer", onward];
    case "step_limit":
    case "time_limit":
    case "think_limit":
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

function unreachable({ isOllama, server }: ErrorSituation): readonly Remedy[] {
  if (!isOllama) return ["go_on", "connection_settings"];
  return server?.canStart === true ? ["start_server", "find_server"] : ["find_server", "model_settings"];
}

/** The cause is gone by now: the window is larger, the model is there, the server answers. */
function isMended({ code, facts }: AgentError, { isOllama, model, server }: ErrorSituation): boolean {
  if (model === null) return false;
  // What was asked for when the server showed that its own is smaller: only a larger wish changes that.
  const window = numberOf(facts?.asked) ?? numberOf(facts?.window);
  if (windowCodes.includes(code)) return window !== null && windowInForce(model, server) > window;
  if (code === "out_of_memory") return window !== null && model.numCtx < window;
  if (!isOllama || server?.status !== "ready") return false;
  if (code === "model_missing") return server.models.some((one) => one.name === model.model);
  return code === "server_unreachable";
}

/** What was asked for, or less when the server has allocated less. */
const windowInForce = ({ model, numCtx }: ModelState, server: ModelServerState | undefined): number =>
  Math.min(numCtx, server?.loaded.find((one) => one.name === model)?.contextLength ?? numCtx);

/** The server allocates less than is asked for: a larger wish changes nothing. Tokens; null = it does not. */
export function cappedAt({
  model,
  server,
  isOllama,
}: Pick<ConversationFacts, "model" | "server" | "isOllama">): number | null {
  if (!isOllama || model === null) return null;
  const inForce = windowInForce(model, server);
  return inForce < model.numCtx ? inForce : null;
}

const numberOf = (fact: Json | undefined): number | null => (typeof fact === "number" && fact > 0 ? fact : null);
const textOf = (fact: Json | undefined): string => (typeof fact === "string" ? fact : "");

/** One plain sentence with the figures the program knows; the general one of the code without them. */
export function sentenceOf(error: AgentError, words: Words, host?: string): string {
  const { chat, errors, figures } = words;
  const { code, facts = {} } = error;
  const general = errors.sentences[code];
  const window = numberOf(facts.window);
  switch (code) {
    case "prompt_cut": {
      const sent = numberOf(facts.sent);
      const read = numberOf(facts.read);
      return sent === null || read === null ? general : chat.cut(figures.tokens(sent), figures.tokens(read));
    }
    case "loop_detected":
      return loopSentence(facts, words) ?? general;
    case "think_limit": {
      const tokens = numberOf(facts.tokens);
      return tokens === null ? general : chat.thoughtTooLong(figures.tokens(tokens));
    }
    case "step_limit": {
      const steps = numberOf(facts.steps);
      return steps === null ? general : chat.limit(steps);
    }
    case "window_full":
    case "message_too_large": {
      const tokens = numberOf(facts.tokens);
      return tokens === null || window === null
        ? general
        : chat.tooLarge[code](figures.tokens(tokens), figures.tokens(window));
    }
    case "server_unreachable":
      return host === undefined || host === "" ? general : chat.unreachable(host);
    case "model_missing": {
      const model = textOf(facts.model);
      // Named only where there is no server of that id any more.
      if (textOf(facts.provider) !== "") return chat.connectionGone;
      return model === "" ? general : chat.missing(model);
    }
    default:
      return general;
  }
}

/** A whole script is no part of a sentence; the details have it. */
const callMaxChars = 120;

/** "It called read src/a.ts 3 times with the same result." */
function loopSentence(facts: NonNullable<AgentError["facts"]>, words: Words): string | null {
  const times = numberOf(facts.times);
  const call = [textOf(facts.tool), textOf(facts.target)].filter((part) => part !== "").join(" ");
  if (times === null || call === "") return null;
  const told = call.length > callMaxChars ? `${call.slice(0, callMaxChars)}…` : call;
  const period = numberOf(facts.period) ?? 1;
  if (facts.same === false) return words.chat.loop.changing(told, times);
  return period === 1 ? words.chat.loop.one(told, times) : words.chat.loop.several(period, times, told);
}
