/**
 * What the program knows of the model server and may do with it: its state, downloads, windows, warming up, starting it.
 * Made by main; handlers ask it, the agent's host reads `isLoaded` and `state` without waiting for the network.
 */
import { totalmem } from "node:os";
import { fail, ok, type Result } from "@/lib/error";
import type { ModelServerState, PullState } from "@/lib/models";
import type { OllamaProvider } from "@/server/providers/ollama";
import { isLocalHost, parseOllamaHost } from "@/server/providers/ollama-host";
import { orAborted } from "@/server/base/abort";
import type { Choices } from "./choices";
import { type Known, makeKnown } from "./known";
import { makeMemory, type ModelMemory } from "./memory";
import type { NoteKeeper } from "./notes";
import { makeObserver, type Observer } from "./observer";
import { makePages, type ModelPages } from "./pages";
import { openAiAt } from "./openai-at";
import { makePulls } from "./pulls";
import { countsWholePrompt } from "./server-versions";
import { makeShapes } from "./shapes";
import { startServer, startableAt } from "./start-server";

export interface Models extends ModelMemory, ModelPages {
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
  readonly known: Known;
  /** More is known of the models than before, or something else was set for them. */
  completeAgain(): void;
  /** The server counts what it had cached, too. */
  countsWholePrompt(): boolean;
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
  readonly notes: NoteKeeper;
  readonly choices: Pick<Choices, "of" | "change">;
  /** tokens of `contextMaxTokens`; 0 = what fits */
  readonly settingTokens: () => number;
  /** ms; steady */
  readonly now?: () => number;
  /** Bytes of this machine's memory. */
  readonly memoryBytes?: () => number;
  readonly environment?: NodeJS.Dict<string>;
  /** File for what a server started here writes; begun anew at each start. */
  readonly serverLog: string;
  /** ms between two questions while the server answers, and while nobody does */
  readonly pollMs?: number;
  readonly searchMs?: number;
}

export function makeModels(options: ModelsOptions): Models {
  const { provider, host, onPull, environment = process.env, now = () => performance.now() } = options;
  const { memoryBytes = totalmem } = options;
  const closing = new AbortController();
  const shapes = makeShapes({ show: provider.show, onKnown: () => observer.completeAgain() }, closing.signal);
  const known = makeKnown({
    provider: provider.id,
    keeper: options.notes,
    choices: options.choices,
    shapes,
    memoryBytes: () => (isHere(host()) ? memoryBytes() : undefined),
    settingTokens: options.settingTokens,
    onChange: () => observer.completeAgain(),
  });
  const canStart = async (): Promise<boolean> => (await startableAt(host(), environment)) !== undefined;
  const onState = (state: ModelServerState): void => {
    shapes.want(state.models);
    options.onState(state);
  };
  const observer = makeObserver(
    { ...options, onState, canStart, complete: known.complete, findOpenAi: openAiAt },
    closing.signal,
  );
  const pulls = makePulls({ provider, onPull, now, onDone: () => void observer.ask() });
  const memory = makeMemory({ provider, observer, known, now });
  return {
    ...memory,
    ...makePages({ provider, observer, shapes, plan: memory.plan }),
    state: observer.state,
    refresh: (signal) => orAborted(observer.ask(), signal),
    watch: observer.watch,
    pull: pulls.pull,
    cancelPull: pulls.cancel,
    pulls: pulls.list,
    ...makeStarter({ host, environment, serverLog: options.serverLog, observer }),
    known,
    completeAgain: observer.completeAgain,
    countsWholePrompt: () => countsWholePrompt(observer.state().version),
    async close() {
      closing.abort();
      await pulls.close();
    },
  };
}

function isHere(address: string): boolean {
  const host = parseOllamaHost(address);
  return host.ok && isLocalHost(host.value);
}

interface StarterOptions extends Pick<ModelsOptions, "host" | "serverLog"> {
  readonly environment: NodeJS.Dict<string>;
  readonly observer: Pick<Observer, "ask" | "state">;
}

function makeStarter({ host, environment, serverLog, observer }: StarterOptions) {
  let startedPid: number | undefined;
  return {
    startedPid: () => startedPid,
    async startServer(signal: AbortSignal): Promise<Result<ModelServerState>> {
      const place = await startableAt(host(), environment);
      if (place === undefined) return fail("start_failed", "no program ollama for an address on this machine");
      if ((await orAborted(observer.ask(), signal)).status === "ready") return ok(observer.state());
      const isReady = async (): Promise<boolean> => (await observer.ask()).status === "ready";
      const started = await startServer(place, serverLog, isReady, signal);
      if (!started.ok) return started;
      startedPid = started.value;
      return ok(observer.state());
    },
  };
}
