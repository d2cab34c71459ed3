/** Downloads: one per name, with throttled progress and cancellation. */
import type { PullState } from "@/lib/models/models";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { ProviderError } from "@/server/providers/provider";
import { makePullProgress } from "./pull-progress";

/** Minimum interval between download progress updates, ms. */
const pullTellMs = 250;

export interface Pulls {
  /** Starts or resumes a download; returns the state of a running one. */
  pull(name: string): PullState;
  /** Stops it; received bytes stay on the server, and `pull` resumes. false = not running. */
  cancel(name: string): boolean;
  /** Running downloads, and the result of the last one of each name. */
  list(): readonly PullState[];
  /** Stops all and resolves when they have ended. */
  close(): Promise<void>;
}

export interface PullsOptions {
  readonly provider: Pick<OllamaProvider, "pull">;
  /** Id of the connection; absent = the Ollama of the settings. */
  readonly connection?: string;
  readonly onPull: (pull: PullState) => void;
  /** Called after a complete download. */
  readonly onDone: () => void;
  /** ms */
  readonly now: () => number;
}

export function makePulls({ provider, connection, onPull, onDone, now }: PullsOptions): Pulls {
  const start = (name: string) => makePullProgress(connection === undefined ? { name } : { name, connection }, now);
  const states = new Map<string, PullState>();
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();

  function notify(state: PullState): void {
    states.set(state.name, state);
    onPull(state);
  }

  /** Reports each change of status at once, and bytes a few times a second. */
  async function run(name: string, stop: AbortController): Promise<void> {
    const progress = start(name);
    let notifiedAt = now();
    let end: Partial<PullState> = { status: "done" };
    notify(progress.state());
    try {
      for await (const step of provider.pull(name, stop.signal)) {
        const before = progress.state().status;
        const state = progress.apply(step);
        states.set(name, state);
        if (state.status === "done" || (state.status === before && now() - notifiedAt < pullTellMs)) continue;
        notifiedAt = now();
        notify(state);
      }
    } catch (cause) {
      const error = cause instanceof ProviderError ? cause.error : { code: "internal" as const, detail: String(cause) };
      end = stop.signal.aborted ? { status: "cancelled" } : { status: "failed", error };
    }
    const { secondsLeft: _left, ...last } = progress.state();
    if (running.get(name)?.stop === stop) running.delete(name);
    notify({ ...last, ...end, bytesPerSecond: 0 });
    if (end.status === "done") onDone();
  }

  return {
    pull(name) {
      const before = running.get(name);
      if (before === undefined || before.stop.signal.aborted) {
        const stop = new AbortController();
        const done = before === undefined ? run(name, stop) : before.done.then(() => run(name, stop));
        running.set(name, { stop, done });
        if (before !== undefined) return start(name).state();
      }
      return states.get(name) ?? start(name).state();
    },
    cancel(name) {
      const one = running.get(name);
      one?.stop.abort();
      return one !== undefined;
    },
    list: () => [...states.values()],
    async close() {
      const open = [...running.values()];
      for (const { stop } of open) stop.abort();
      await Promise.all(open.map(({ done }) => done));
    },
  };
}
