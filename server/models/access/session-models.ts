/** The model functions that sessions use: choose a model, stream its answers, learn from them. */
import type { Usage } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { DurableEvent, HistoryUse, Profile, Think, ToolMode } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { LateSplit } from "@/lib/models/models";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { ModelState } from "@/lib/view/view";
import type { CacheUse } from "@/server/providers/cache-use";
import type { ModelPart, ModelRequest, PhasePart } from "@/server/providers/provider";

/** Use of a model by a session, chosen once: all of model_change except the prompt, and the prompt itself. */
export interface ModelChoice {
  readonly change: Omit<Extract<DurableEvent, { type: "model_change" }>, "type" | "prompt">;
  readonly prompt: StoredPrompt;
}

/**
 * `name` empty = the best available; an absent field is chosen by the program, "auto" also clears an earlier choice.
 */
export interface WantedModel {
  readonly name: string;
  /** Id of a connection; absent = Ollama. */
  readonly connection?: string;
  readonly think?: Think;
  readonly toolMode?: ToolMode | "auto";
  readonly profile?: Profile | "auto";
  /** tokens; 0 = what fits */
  readonly numCtx?: number;
  /** Project of the session; absent = it is not for a session. */
  readonly projectId?: ProjectId;
  /** The session's current model: for the same model, its window and thinking are kept unless given. */
  readonly current?: ModelState;
}

export interface SessionModels {
  /** Waits in the queue of the model's server, then streams; phases of the wait arrive as parts. */
  stream(request: ModelRequest, signal: AbortSignal, sessionId: SessionId): AsyncIterable<ModelPart>;
  /** Returns how a request uses the cache of its server now. */
  cacheUse(request: ModelRequest): CacheUse;
  /**
   * Loads the model where its server lists that it is not loaded, so that a request can be made for its true window.
   * `onPhase` is called only then. Resolves with whether its server loads models, so that another choice may fit now.
   * Never rejects.
   */
  readyModel(
    model: Pick<ModelRequest, "provider" | "model" | "numCtx">,
    onPhase: (part: PhasePart) => void,
    signal: AbortSignal,
    sessionId: SessionId,
  ): Promise<boolean>;
  /**
   * Tokens of the whole prompt of a request, by its server's count; null = it has none. Without `mayWake` only for a model in
   * memory. Never rejects.
   */
  countTokens(
    request: ModelRequest,
    mayWake: boolean,
    signal: AbortSignal,
    sessionId: SessionId,
  ): Promise<number | null>;
  /** Ends an answer that the server of a provider may hold. Never rejects. */
  endHeldAnswer(provider: string, id: string, sessionId: SessionId): Promise<void>;
  /** null = no model is available now. */
  chooseModel(wanted: WantedModel): ModelChoice | null;
  /** Error of a server that does not answer; null = it answers. */
  noModelError(wanted: WantedModel): AgentError | null;
  modelFacts(model: Omit<ModelState, "prompt">): ModelFacts;
  /** `counted` = new text of the prompt with the server's count of it; null = it has images. Must not throw. */
  learn(model: ModelState, usage: Usage, counted: CountedText | null): void;
  /** Learns from the count of a prompt that the server refused. Must not throw. */
  learnCount(model: ModelState, counted: CountedText): void;
  /**
   * Returns the choice with calls in text; null = the user chose native. "model" = the server refuses native tools, which is
   * remembered.
   */
  textToolMode(model: ModelState, projectId: ProjectId, scope: "model" | "session"): ModelChoice | null;
  /** Remembers, for later sessions of the model, the form that its server does not refuse. */
  saveHistoryUse(model: ModelState, use: HistoryUse): void;
  /** Remembers what of the model's thinking arrives as text; null = nothing. */
  saveLateSplit(model: ModelState, split: LateSplit | null): void;
  /** Returns whether the model can see images on this server; another server may have one of the same name. */
  seesImages(model: Pick<ModelState, "provider" | "model"> | null): boolean;
}
