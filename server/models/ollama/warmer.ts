/** Loads a model before its first prompt, when its server is idle. */
import type { ModelInfo } from "@/lib/models/models";
import type { ModelMemory } from "./model-memory";

export interface Warmer {
  /** Starts loading, or does nothing; the result shows only in the server state. */
  warm(wanted: { readonly model: string; readonly numCtx: number }): void;
  close(): void;
}

interface WarmerOptions {
  readonly memory: Pick<ModelMemory, "warm" | "isLoaded">;
  /** The model with its known facts; undefined = not installed. */
  readonly find: (name: string) => ModelInfo | undefined;
  /** No request runs or waits at the server. */
  readonly isFree: () => boolean;
  /** minutes; 0 = models do not stay in memory, so warming is pointless */
  readonly keepAliveMinutes: (model: ModelInfo) => number;
}

/** One model at a time: requests during a load are ignored. */
export function makeWarmer({ memory, find, isFree, keepAliveMinutes }: WarmerOptions): Warmer {
  const closing = new AbortController();
  let warming = false;
  return {
    warm({ model, numCtx }) {
      const info = find(model);
      if (warming || info === undefined || info.cloud || closing.signal.aborted) return;
      const minutes = keepAliveMinutes(info);
      if (minutes === 0) return;
      if (!isFree() || memory.isLoaded(model, numCtx) !== false) return;
      warming = true;
      const done = (): void => void (warming = false);
      memory.warm(info.name, numCtx, minutes, closing.signal).then(done, done);
    },
    close: () => closing.abort(),
  };
}
