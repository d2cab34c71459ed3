/** Follows the events of a llama-server while it loads or downloads models, which tell that its list has changed. */
import type { ModelInfo } from "@/lib/models/models";
import { pause } from "@/server/base/abort";
import type { LlamaRouter, LoadProgress } from "@/server/providers/openai/llama-router";

export interface RouterEvents {
  /** To be called with each list: events are requested while a model is loading or being downloaded. */
  follow(models: readonly ModelInfo[]): void;
  progressOf(model: string): LoadProgress | undefined;
  /** Resolves at the next change, or after a second: older servers have no events. Never rejects. */
  next(signal: AbortSignal): Promise<void>;
}

/** Interval of `next` without events, ms. */
const pollMs = 1_000;
/** Events within this time are one change: a download has ten a second. ms. */
const joinMs = 300;

const isPassing = ({ load }: ModelInfo): boolean => load?.state === "loading" || load?.state === "downloading";

/** `onChange` is called at most once in `joinMs`. */
export function makeRouterEvents(
  router: Pick<LlamaRouter, "events">,
  onChange: () => void,
  closing: AbortSignal,
): RouterEvents {
  const progress = new Map<string, LoadProgress>();
  const waiting = new Set<() => void>();
  let stop: AbortController | undefined;
  let isDue = false;

  function changed(): void {
    if (isDue) return;
    isDue = true;
    void pause(joinMs, closing).then((isOpen) => {
      isDue = false;
      for (const wake of [...waiting]) wake();
      if (isOpen) onChange();
    });
  }

  async function read(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of router.events(signal)) {
        if (event.progress === undefined) progress.delete(event.model);
        else progress.set(event.model, event.progress);
        changed();
      }
    } catch {
      // The list has the state, too.
    }
  }

  return {
    follow(models) {
      if (!models.some(isPassing)) {
        stop?.abort();
        stop = undefined;
        progress.clear();
      } else if (stop === undefined) {
        stop = new AbortController();
        void read(AbortSignal.any([stop.signal, closing]));
      }
    },
    progressOf: (model) => progress.get(model),
    async next(signal) {
      const woken = new AbortController();
      const wake = (): void => woken.abort();
      waiting.add(wake);
      await pause(pollMs, AbortSignal.any([woken.signal, signal]));
      waiting.delete(wake);
    },
  };
}
