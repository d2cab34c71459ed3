/**
 * What only a model's own page tells (its shape, and with older servers more): asked once a digest, one model after the other,
 * behind everything else. Made by models.
 */
import type { ErrorCode } from "@/lib/error";
import type { ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import type { OllamaProvider } from "@/server/providers/ollama";
import { ProviderError } from "@/server/providers/provider";
import { canChat } from "@/lib/can-chat";

type Details = Awaited<ReturnType<OllamaProvider["show"]>>;

export interface Shapes {
  /** The model with what is known of it. */
  complete(model: ModelInfo): ModelInfo;
  /** Asks for those that are not known, in this order. */
  want(models: readonly ModelInfo[]): void;
  /** A page that was asked for otherwise. */
  took(model: ModelInfo, details: Details): void;
  /** Resolves when nothing is asked any more. */
  settled(): Promise<void>;
}

export interface ShapesOptions {
  readonly show: OllamaProvider["show"];
  /** Those that were wanted are known. */
  readonly onKnown: () => void;
}

/** `closing` ends the questions. */
export function makeShapes({ show, onKnown }: ShapesOptions, closing: AbortSignal): Shapes {
  /** null = it was asked for and told nothing. */
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
        // The server said no: this one is not asked for again, and has the window of a model of unknown shape.
        if (cause instanceof ProviderError && refusals.has(cause.error.code)) known.set(keyOf(model), null);
        // It did not answer: all others wait for the next list.
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
