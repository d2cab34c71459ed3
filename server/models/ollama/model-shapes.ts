/**
 * Fetches facts that only a model's details contain (its shape, and with older servers more): once per digest, one
 * model at a time, in the background.
 */
import type { ErrorCode } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { ProviderError } from "@/server/providers/provider";
import { canChat } from "@/lib/models/can-chat";

type Details = Awaited<ReturnType<OllamaProvider["show"]>>;

export interface ModelShapes {
  /** Adds the known facts to the model. */
  complete(model: ModelInfo): ModelInfo;
  /** Queues the models whose facts are missing, in this order. */
  enqueue(models: readonly ModelInfo[]): void;
  /** Stores details that were fetched elsewhere. */
  record(model: ModelInfo, details: Details): void;
  /** Resolves when no query runs or waits. */
  settled(): Promise<void>;
}

interface ModelShapesOptions {
  readonly show: OllamaProvider["show"];
  /** Called after the queued models were queried. */
  readonly onKnown: () => void;
}

/** `closing` ends the queries. */
export function makeModelShapes({ show, onKnown }: ModelShapesOptions, closing: AbortSignal): ModelShapes {
  /** null = the server refused to show the model */
  const shapes = new Map<string, Pick<ModelInfo, "contextLength" | "kvBytesPerToken"> | null>();
  let waiting: readonly ModelInfo[] = [];
  let working: Promise<void> | null = null;

  const keep = (model: ModelInfo, { contextLength, kvBytesPerToken }: Details): void => {
    shapes.set(shapeKey(model), {
      contextLength,
      kvBytesPerToken,
    });
  };
  async function work(): Promise<void> {
    for (let model = waiting[0]; model !== undefined && !closing.aborted; model = waiting[0]) {
      waiting = waiting.slice(1);
      if (shapes.has(shapeKey(model))) continue;
      try {
        keep(model, await show(model.name, timeLimit(serverLimits.serverAnswerMs, closing)));
      } catch (cause) {
        // The server refused: do not retry; the model gets the window of an unknown shape.
        if (cause instanceof ProviderError && refusals.has(cause.error.code)) shapes.set(shapeKey(model), null);
        // No answer: the rest waits for the next list.
        else waiting = [];
      }
    }
    if (!closing.aborted) onKnown();
  }

  return {
    complete(model) {
      const { contextLength, kvBytesPerToken } = shapes.get(shapeKey(model)) ?? {};
      return {
        ...model,
        ...(model.contextLength === undefined && contextLength !== undefined ? { contextLength } : {}),
        ...(model.kvBytesPerToken === undefined && kvBytesPerToken !== undefined ? { kvBytesPerToken } : {}),
      };
    },
    enqueue(models) {
      waiting = models.filter((model) => !shapes.has(shapeKey(model)) && !model.cloud && canChat(model));
      if (waiting.length > 0) working ??= work().finally(() => (working = null));
    },
    record: keep,
    settled: () => working ?? Promise.resolve(),
  };
}

const refusals: ReadonlySet<ErrorCode> = new Set(["model_missing", "server_error", "bad_answer"]);

const shapeKey = ({ digest, name }: ModelInfo): string => digest ?? name;
