/** What a model server must give: the agent loop knows this interface and nothing of any wire. */
import type { Json, StopReason, Usage } from "@/lib/content";
import type { Phase, Think } from "@/lib/event";
import type { AgentError } from "@/lib/error";
import type { CallId } from "@/lib/id";
import type { ConnectionStep, ModelInfo } from "@/lib/models";

/** One message as a model server takes it; images are base64 without a data: prefix. */
export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images?: readonly string[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thinking?: string;
      /** `raw`: the words of the answer that the call was read from, where it stood there as text. */
      readonly calls?: readonly {
        readonly callId: CallId;
        readonly name: string;
        readonly input: Json;
        readonly raw?: string;
      }[];
    }
  | {
      readonly role: "tool";
      readonly callId: CallId;
      readonly name: string;
      readonly text: string;
      readonly images?: readonly string[];
    };

/** A tool as the model is told of it; `parameters` is a JSON Schema object. Order and bytes are part of the prompt. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

export interface ModelRequest {
  /** "ollama" or a connection's id. */
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  /** tokens; the same in every request of a session and model, since a change reloads the model */
  readonly numCtx: number;
  readonly think: Think;
  /** minutes, -1 = for ever */
  readonly keepAliveMinutes: number;
  /** tokens */
  readonly maxOutputTokens: number;
  /** 0 to 2, as the user set it for the model; absent = that of its server */
  readonly temperature?: number;
  /** ms without a byte, after the first one, that end the answer as stalled; absent = the provider's own limit */
  readonly stallMs?: number;
}

/** Start, delta and end are told by order: parts of one kind that follow each other are one block. */
export type ModelPart =
  /**
   * Told before the first byte: queued (`ahead` = requests before this one), loading or reading (`expectMs` = by the
   * model's own past). What follows shows itself by its parts.
   */
  | {
      readonly type: "phase";
      readonly phase: Phase;
      readonly tokens?: number;
      readonly ahead?: number;
      readonly expectMs?: number;
    }
  /** `pieces`: the server sent so many, which came together; 1 by default. A local server sends about a token a piece. */
  | { readonly type: "text"; readonly text: string; readonly pieces?: number }
  | { readonly type: "thinking"; readonly text: string; readonly pieces?: number }
  /** A call that is being written: the name as soon as it is known, then pieces of its input (servers that stream them). */
  | { readonly type: "input"; readonly index: number; readonly name?: string; readonly text: string }
  /** A complete call. `id` as the server gave it, if it did. */
  | { readonly type: "call"; readonly id?: string; readonly name: string; readonly input: Json }
  /** The last part of a stream that ended well. `usage` without the estimate, which is ours; a count of 0 = not told. */
  | {
      readonly type: "finish";
      readonly stop: Extract<StopReason, "done" | "length">;
      readonly usage: Omit<Usage, "estimatedPromptTokens">;
      /** Tokens that the server counted in this answer and sent nothing of, where they are too many to be marks of the template. */
      readonly unseenTokens?: number;
    }
  /** The last part of a stream that did not. Aborts by our own signal end the stream without a last part. */
  | ({ readonly type: "failed" } & Failure);

/** `retryable`: the same request may succeed later. `retryAfterMs`: the server named the wait; at most limits.retryMaxMs. */
export interface Failure {
  readonly error: AgentError;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** The end of an answer whose counts were never told. */
export const cutWithoutCounts: ModelPart = {
  type: "finish",
  stop: "length",
  usage: { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 0, outputMs: 0 },
};

export type { ModelInfo };

export interface Provider {
  readonly id: string;
  /** Throws a ProviderError with a code when the server cannot be asked. */
  models(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Never throws: ends in finish or failed, or silently when `signal` aborted it. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** A provider that can test its own connection. */
export interface CheckedProvider extends Provider {
  /**
   * Tries what a session will need, step by step, and ends after the first step that makes the rest pointless. Never throws;
   * ends silently when `signal` aborted it.
   */
  check(model: string, signal: AbortSignal): AsyncIterable<ConnectionStep>;
}

/** Thrown by the calls of a provider that are not streams; decided by code. */
export class ProviderError extends Error implements Failure {
  override readonly name = "ProviderError";
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  constructor(
    readonly error: AgentError,
    options: ErrorOptions & { readonly retryable?: boolean; readonly retryAfterMs?: number } = {},
  ) {
    super(error.detail ?? error.code, options);
    this.retryable = options.retryable ?? false;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}
