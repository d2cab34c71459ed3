/**
 * Fetches facts that only a model's details contain (its shape, and with older servers more): once per digest, one
 * model at a time, in the background.
 */
import type { ErrorCode } from "@/lib/error";
import type { ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import type { OllamaProvider } from "@/server/providers/ollama";
import { ProviderError } from "@/server/providers/provider";
import { canChat } from "@/lib/can-chat";

type Details = Awaited<ReturnType<OllamaProvider["show"]>>;

export interface Shapes {
  /** Adds the known facts to the model. */
  complete(model: ModelInfo): ModelInfo;
  /** Queues the models whose facts are missing, in this order. */
  want(models: readonly ModelInfo[]): void;
  /** Stores details that were fetched elsewhere. */
  took(model: ModelInfo, details: Details): void;
  /** Resolves when no query runs or waits. */
  settled(): Promise<void>;
}

export interface ShapesOptions {
  readonly show: OllamaProvider["show"];
  /** Called after the queued models were queried. */
  readonly onKnown: () => void;
}

/** `closing` ends the queries. */
export function makeShapes({ show, onKnown }: ShapesOptions, closing: AbortSignal): Shapes {
  /** null = the server refused to show the model */
  const known = new Map<string, Pick<ModelInfo, "contextLength" | "kvBytesPerToken"> | null>();
  let waiting: readonly ModelInfo[] = [];
  let working: Promise<void> | null = null;

  const keep = (model: ModelInfo, { contextLength, kvBytesPerToken }: Details): void => {
    known.set(keyOf(model), {
      ...(contextLength === undefined ? {} : { contextLength }),
      ...(kvBytesPerToken === undefined ? {} : { kvBytesPerToken }),
    });
  };
  async function work(): Promise<void> {
    for (let model = waiting[0]; model !== undefined && !closing.aborted; model = waiting[0]) {
      waiting = waiting.slice(1);
      if (known.has(keyOf(model))) continue;
      try {
        keep(model, await show(model.name, AbortSignal.any([closing, AbortSignal.timeout(limits.serverAnswerMs)])));
      } catch (cause) {
        // The server refused: do not retry; the model gets the window of an unknown shape.
        if (cause instanceof ProviderError && refusals.has(cause.error.code)) known.set(keyOf(model), null);
        // No answer: the rest waits for the next list.
        else waiting = [];
      }
    }
    if (!closing.aborted) onKnown();
  }

  return {
    complete(model) {
      const { contextLength, kvBytesPerToken } = known.get(keyOf(model)) ?? {};
      return {
        ...model,
        ...(model.contextLength === undefined && contextLength !== undefined ? { contextLength } : {}),
        ...(model.kvBytesPerToken === undefined && kvBytesPerToken !== undefined ? { kvBytesPerToken } : {}),
      };
    },
    want(models) {
      waiting = models.filter((model) => !known.has(keyOf(model)) && !model.cloud && canChat(model));
      if (waiting.length > 0) working ??= work().finally(() => (working = null));
    },
    took: keep,
    settled: () => working ?? Promise.resolve(),
  };
}

const refusals: ReadonlySet<ErrorCode> = new Set(["model_missing", "server_error", "bad_answer"]);

const keyOf = ({ digest, name }: ModelInfo): string => digest ?? name;
