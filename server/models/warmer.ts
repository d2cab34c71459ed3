/** Loads a model before its first question, when its server has nothing else to do. Called when somebody is about to write. */
import type { ModelInfo } from "@/lib/models";
import type { ModelMemory } from "./memory";

export interface Warmer {
  /** Begins, or does nothing; how it ends is seen in the state alone. */
  warm(wanted: { readonly model: string; readonly numCtx: number }): void;
  close(): void;
}

export interface WarmerOptions {
  readonly memory: Pick<ModelMemory, "warm" | "isLoaded">;
  /** The model with what is known of it; undefined = it is not installed. */
  readonly find: (name: string) => ModelInfo | undefined;
  /** Nothing runs or waits at the server. */
  readonly isFree: () => boolean;
  /** minutes; 0 = models do not stay in memory, so loading one early is for nothing */
  readonly keepAliveMinutes: (model: ModelInfo) => number;
}

/** One at a time: what is asked for meanwhile is not loaded. */
export function makeWarmer({ memory, find, isFree, keepAliveMinutes }: WarmerOptions): Warmer {
  const closing = new AbortController();
  let warming = false;
  return {
    warm({ model, numCtx }) {
      const known = find(model);
      if (warming || known === undefined || known.cloud || closing.signal.aborted) return;
      const minutes = keepAliveMinutes(known);
      if (minutes === 0) return;
      if (!isFree() || memory.isLoaded(model, numCtx) !== false) return;
      warming = true;
      const done = (): void => void (warming = false);
      memory.warm(known.name, numCtx, minutes, closing.signal).then(done, done);
    },
    close: () => closing.abort(),
  };
}
