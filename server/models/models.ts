/**
 * What the program knows of the model server and may do with it: its state, downloads, warming up, starting it.
 * Made by main; handlers ask it, the agent's host reads `isLoaded` and `state` without waiting for the network.
 */
import { fail, ok, type Result } from "@/lib/error";
import type { ModelServerState, PullState } from "@/lib/models";
import type { OllamaProvider } from "@/server/providers/ollama";
import { orAborted } from "@/server/base/abort";
import { findModel } from "./choose-model";
import { makeObserver } from "./observer";
import { makePulls } from "./pulls";
import { startServer, startableAt } from "./start-server";

export interface Models {
  /** The last known state; never waits. */
  state(): ModelServerState;
  /** Asks the server now. Never fails: an unreachable server is a state. Rejects only with the signal's reason. */
  refresh(signal: AbortSignal): Promise<ModelServerState>;
  /** Somebody looks: the server is asked again and again until every returned function was called. */
  watch(): () => void;
  pull(name: string): PullState;
  cancelPull(name: string): boolean;
  pulls(): readonly PullState[];
  /** Starts Ollama on this machine and waits until it answers. Fails with `start_failed`. */
  startServer(signal: AbortSignal): Promise<Result<ModelServerState>>;
  /** pid of the server started here, to be shown; it is not ended with us. */
  startedPid(): number | undefined;
  /** Loads a model with the window its answers will use. Throws ProviderError. */
  warm(model: string, numCtx: number, keepAliveMinutes: number, signal: AbortSignal): Promise<void>;
  unload(model: string, signal: AbortSignal): Promise<void>;
  /** By the last known state; undefined while nothing is known. */
  isLoaded(model: string, numCtx: number): boolean | undefined;
  /** Ends polling and downloads; a started server goes on. */
  close(): Promise<void>;
}

export interface ModelsOptions {
  readonly provider: OllamaProvider;
  /** Address as the user wrote it. */
  readonly host: () => string;
  /** Called when something that is shown changed. */
  readonly onState: (state: ModelServerState) => void;
  readonly onPull: (pull: PullState) => void;
  /** ms; steady */
  readonly now?: () => number;
  readonly environment?: NodeJS.Dict<string>;
  /** File for what a server started here writes; begun anew at each start. */
  readonly serverLog: string;
  /** ms between two questions while the server answers, and while nobody does */
  readonly pollMs?: number;
  readonly searchMs?: number;
}

export function makeModels(options: ModelsOptions): Models {
  const { provider, onPull, environment = process.env, now = () => performance.now() } = options;
  const closing = new AbortController();
  const canStart = async (): Promise<boolean> => (await startableAt(options.host(), environment)) !== undefined;
  const observer = makeObserver({ ...options, canStart }, closing.signal);
  const pulls = makePulls({ provider, onPull, now, onDone: () => void observer.ask() });
  let startedPid: number | undefined;

  return {
    state: observer.state,
    refresh: (signal) => orAborted(observer.ask(), signal),
    watch: observer.watch,
    pull: pulls.pull,
    cancelPull: pulls.cancel,
    pulls: pulls.list,
    startedPid: () => startedPid,
    async startServer(signal) {
      const place = await startableAt(options.host(), environment);
      if (place === undefined) return fail("start_failed", "no program ollama for an address on this machine");
      if ((await orAborted(observer.ask(), signal)).status === "ready") return ok(observer.state());
      const isReady = async (): Promise<boolean> => (await observer.ask()).status === "ready";
      const started = await startServer(place, options.serverLog, isReady, signal);
      if (!started.ok) return started;
      startedPid = started.value;
      return ok(observer.state());
    },
    async warm(model, numCtx, keepAliveMinutes, signal) {
      await provider.warm(model, numCtx, keepAliveMinutes, signal);
      await orAborted(observer.ask(), signal);
    },
    async unload(model, signal) {
      await provider.unload(model, signal);
      await orAborted(observer.ask(), signal);
    },
    isLoaded(model, numCtx) {
      const { status, loaded, models } = observer.state();
      if (status === "unknown") return undefined;
      const name = findModel(models, model)?.name ?? model;
      return loaded.some((one) => one.name === name && (one.contextLength ?? numCtx) === numCtx);
    },
    async close() {
      closing.abort();
      await pulls.close();
    },
  };
}
