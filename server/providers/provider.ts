/** Interface of a model server, independent of its wire protocol. */
import type { ToolSchema } from "@/lib/models/stored-prompt";
import type { Json, ReasoningField, StopReason, Usage } from "@/lib/events/content";
import type { HistoryUse, Phase, Think } from "@/lib/events/event";
import type { AgentError } from "@/lib/events/error";
import type { CallId } from "@/lib/events/id";
import type { ConnectionStep, ModelInfo } from "@/lib/models/models";

/** Reasoning as a server sent it, apart from the text. */
interface SentReasoning {
  /** Provider id of that server. */
  readonly server: string;
  readonly field: ReasoningField;
  readonly text: string;
}

/** One message to a model server; images are base64 without a data: prefix. */
export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images?: readonly string[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      /** Thinking before calls that was read from the text; only the text tool modes send it. */
      readonly thinking?: string;
      /** Absent = there is none, or it is not sent back. */
      readonly reasoning?: SentReasoning;
      /**
       * `raw`: the part of the answer text that the call was parsed from, if it was text. `from`: the id that a server gave it.
       */
      readonly calls?: readonly {
        readonly callId: CallId;
        readonly name: string;
        readonly input: Json;
        readonly raw?: string;
        readonly from?: { readonly server: string; readonly id: string };
      }[];
    }
  | {
      readonly role: "tool";
      readonly callId: CallId;
      readonly name: string;
      readonly text: string;
      readonly images?: readonly string[];
    };

/** An answer that its server keeps writing and holds, whatever happens to the connection. */
export interface HeldAnswer {
  /** Unguessable: it is all that reading the answer requires. */
  readonly id: string;
  /** An earlier process requested it: it is only read, and fails if its server does not hold it any more. */
  readonly isRequested: boolean;
}

export interface ModelRequest extends HistoryUse {
  /** "ollama" or a connection's id. */
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  /** tokens; constant within a session and model, since a change reloads the model */
  readonly numCtx: number;
  readonly think: Think;
  /** minutes, -1 = never unload */
  readonly keepAliveMinutes: number;
  /** tokens */
  readonly maxOutputTokens: number;
  /** 0 to 2, set by the user for the model; absent = the server's default */
  readonly temperature?: number;
  /** ms without a byte, after the first one, after which the answer fails as stalled; absent = the provider's limit */
  readonly stallMs?: number;
  /** Only for a server that holds answers; absent = the answer ends with its connection. */
  readonly held?: HeldAnswer;
  /** Random id of the session, by which a router keeps its requests on one host; absent = none is sent. */
  readonly session?: string;
}

/** A part of a streamed answer. Consecutive parts of one kind form one block. */
export type ModelPart =
  /**
   * Sent before the first byte: queued (`ahead` = requests of this program before this one, `position` = place in the queue of the server), loading or reading (`expectMs` = estimated
   * from past requests; `read` of `tokens` have been read, by the server's own count). Later phases are evident from the
   * parts.
   */
  | {
      readonly type: "phase";
      readonly phase: Phase;
      readonly tokens?: number;
      readonly read?: number;
      readonly ahead?: number;
      readonly position?: number;
      readonly expectMs?: number;
    }
  /** `pieces`: number of merged server pieces; default 1. A local server sends about one token per piece. */
  | { readonly type: "text"; readonly text: string; readonly pieces?: number }
  /** `field` = the field it came in; absent = it was in the text. */
  | { readonly type: "thinking"; readonly text: string; readonly pieces?: number; readonly field?: ReasoningField }
  /** A call being generated: its name once known, then pieces of its input (only servers that stream them). */
  | { readonly type: "input"; readonly index: number; readonly name?: string; readonly text: string }
  /** A complete call. `id` as given by the server, if any. */
  | { readonly type: "call"; readonly id?: string; readonly name: string; readonly input: Json }
  /**
   * Sent once, before the first thinking, if the server may be able to end it. `endThinking` resolves with whether the same answer
   * continues without thinking; it never rejects.
   */
  | { readonly type: "control"; endThinking(signal: AbortSignal): Promise<boolean> }
  /** Last part of a stream that ended normally. `usage` lacks the estimate; a count of 0 = not reported. */
  | {
      readonly type: "finish";
      readonly stop: Extract<StopReason, "done" | "length">;
      readonly usage: Omit<Usage, "estimatedPromptTokens">;
      /** Tokens the server counted in this answer but did not send, if too many to be template marks. */
      readonly unseenTokens?: number;
      /** The server's own figures about reading the prompt; `usage` also has measured values. */
      readonly reading?: ServerReading;
    }
  /** Last part of a stream that failed. An abort by the given signal ends the stream without a last part. */
  | ({ readonly type: "failed" } & Failure);

/** Reported by a model server about reading one prompt; a value is absent if the server reports none. */
export interface ServerReading {
  /** ms */
  readonly promptMs?: number;
  /** tokens that were not read again */
  readonly cachedTokens?: number;
}

/**
 * `retryable`: the same request may succeed later. `retryAfterMs`: wait named by the server, at most a year.
 * `unparsed`: the end of the model's answer, which the server's parser could not read; "" = the server does not quote it.
 * `refusedSchema`: what a server writes that refuses the schema of a tool.
 */
export interface Failure {
  readonly error: AgentError;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly unparsed?: string;
  readonly refusedSchema?: string;
}

export type PhasePart = Extract<ModelPart, { type: "phase" }>;

/** The last part of a stream that ended with this failure. */
export const failedPart = ({ error, retryable, retryAfterMs, unparsed, refusedSchema }: Failure): ModelPart => ({
  type: "failed",
  error,
  retryable,
  retryAfterMs,
  ...(unparsed !== undefined && { unparsed }),
  ...(refusedSchema !== undefined && { refusedSchema }),
});

/** The refusal of a thinking level that the user chose. */
export const toLevelRefusal = (failure: Failure, level: Think): Failure => ({
  ...failure,
  error: { ...failure.error, code: "no_think_level", facts: { ...failure.error.facts, level } },
});

/** End of an answer for which no counts were reported. */
export const cutWithoutCounts: ModelPart = {
  type: "finish",
  stop: "length",
  usage: { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 0, outputMs: 0 },
};

export type { ModelInfo };

export interface Provider {
  readonly id: string;
  /** Throws a ProviderError with a code when the request fails. */
  models(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * Never throws: ends in finish or failed, or without a last part when `signal` aborts. Then a held answer is ended on its
   * server, unless the reason is `processEnds`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** A provider that can test its own connection. */
export interface CheckedProvider extends Provider {
  /**
   * Tests what a session needs, step by step, and ends after the first step whose failure makes the rest pointless.
   * Never throws; ends without a step when `signal` aborts.
   */
  check(model: string, signal: AbortSignal): AsyncIterable<ConnectionStep>;
}

/** Thrown by the non-streaming calls of a provider; callers decide by its code. */
export class ProviderError extends Error implements Failure {
  override readonly name = "ProviderError";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly unparsed: string | undefined;
  readonly refusedSchema: string | undefined;
  constructor(
    readonly error: AgentError,
    options: ErrorOptions & Partial<Omit<Failure, "error">> = {},
  ) {
    super(error.detail ?? error.code, options);
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.unparsed = options.unparsed;
    this.refusedSchema = options.refusedSchema;
  }
}
