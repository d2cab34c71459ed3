/** Requests to a llama-server that has many models, and to one with a single model (llama.cpp, tools/server/README.md). */
import * as z from "zod/mini";
import { lenient, optionalText } from "../wire/lenient-fields";
import { ProviderError } from "../provider";
import { parseAnswer } from "../wire/wire-errors";
import type { OpenAiClients } from "./openai-client";
import { type LlamaProperties, parseLlamaProperties } from "./openai-models";
import { makeEventReader } from "./stream/openai-sse";

/** Event of a server while a model changes. The list has the state: the order of events and their names differ by version. */
interface RouterEvent {
  readonly model: string;
  /** Progress of loading the model. */
  readonly progress?: LoadProgress;
}

export interface LoadProgress {
  /** Part of the model that is being loaded, as the server names it. */
  readonly stage: string;
  /** Share of that part that is loaded, 0 to 1. */
  readonly share: number;
}

interface SlotCounts {
  readonly all: number;
  /** Slots that are working on a request. */
  readonly busy: number;
}

/** No request loads a model or wakes one that sleeps. All throw as `Provider.models` does. */
export interface LlamaRouter {
  /** Returns what the server has allocated, or has for one of its models. */
  properties(signal: AbortSignal, model?: string): Promise<LlamaProperties>;
  /** Starts to load a model, or unloads it, which also ends its download. */
  changeLoad(change: "load" | "unload", model: string, signal: AbortSignal): Promise<void>;
  /** Starts to download `user/repository:quantization`. */
  download(model: string, signal: AbortSignal): Promise<void>;
  /** Deletes the files of a downloaded model. */
  remove(model: string, signal: AbortSignal): Promise<void>;
  /** Yields until the server ends the connection. */
  events(signal: AbortSignal): AsyncIterable<RouterEvent>;
  slots(model: string, signal: AbortSignal): Promise<SlotCounts>;
  /** Whether it runs commands of its machine for its own page. */
  runsCommands(signal: AbortSignal): Promise<boolean>;
  /** Whether it can hold answers whose connection has ended. */
  holdsAnswers(signal: AbortSignal): Promise<boolean>;
  /** Ends an answer that it holds. */
  endHeldAnswer(id: string, session: string, signal: AbortSignal): Promise<void>;
}

const eventSchema = z.object({
  model: z.string(),
  data: lenient(z.object({ progress: lenient(z.object({ current: optionalText, value: lenient(z.number()) })) })),
});
const toolsSchema = z.array(z.object({ tool: optionalText }));
const slotsSchema = z.array(z.object({ is_processing: lenient(z.boolean()) }));

/** Without loading the model. */
const queryOf = (model: string): string => `?model=${encodeURIComponent(model)}&autoload=false`;

export function makeLlamaRouter(
  clients: Pick<OpenAiClients, "get" | "post" | "remove" | "stream" | "held">,
): LlamaRouter {
  return {
    properties: async (signal, model) =>
      parseLlamaProperties(await clients.get(`//props${model === undefined ? "" : queryOf(model)}`, signal)),
    changeLoad: async (change, model, signal) => void (await clients.post(`//models/${change}`, { model }, signal)),
    download: async (model, signal) => void (await clients.post("//models", { model }, signal)),
    remove: async (model, signal) => void (await clients.remove(`//models?model=${encodeURIComponent(model)}`, signal)),
    async *events(signal) {
      const reader = makeEventReader();
      for await (const chunk of await clients.stream("//models/sse", signal))
        for (const event of reader.push(chunk)) {
          const parsed = event.type === "data" ? eventSchema.safeParse(event.value) : undefined;
          if (parsed?.success !== true) continue;
          const { model, data } = parsed.data;
          const { current: stage, value: share } = data?.progress ?? {};
          yield stage === undefined || share === undefined ? { model } : { model, progress: { stage, share } };
        }
    },
    async slots(model, signal) {
      const slots = parseAnswer(slotsSchema, await clients.get(`//slots${queryOf(model)}`, signal));
      return { all: slots.length, busy: slots.filter(({ is_processing }) => is_processing === true).length };
    },
    runsCommands: async (signal) =>
      parseAnswer(toolsSchema, await clients.get("//tools", signal)).some(({ tool = "" }) => /shell|exec/.test(tool)),
    endHeldAnswer: (id, session, signal) => clients.held({ id, session }, () => undefined, signal).end(signal),
    holdsAnswers: (signal) => hasPath(clients.post("/streams/lookup", { conversation_ids: [] }, signal)),
  };
}

/** Rejects if it fails for another reason than a path that the server does not have. */
const hasPath = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (cause: unknown) => {
      if (cause instanceof ProviderError && cause.error.code === "wrong_address") return false;
      throw cause;
    },
  );
