/** One Ollama server: its state, downloads, windows, warming up, starting it. */
import { totalmem } from "node:os";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelServerState, PullState } from "@/lib/models/models";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { isLocalHost, parseOllamaHost } from "@/server/providers/ollama/ollama-host";
import { abortable } from "@/server/base/abort";
import type { UserModelSettings } from "../notes/user-model-settings";
import { type ModelKnowledge, makeModelKnowledge } from "../notes/model-knowledge";
import { makeMemory, type ModelMemory } from "./model-memory";
import type { NoteStorage } from "../notes/model-note-cache";
import { makeServerObserver, type ServerObserver } from "./server-observer";
import { makeModelOperations, type ModelOperations } from "./model-operations";
import { makePulls } from "./pulls";
import { makeModelShapes } from "./model-shapes";
import { startOllamaServer, findOllamaProgram } from "./start-ollama-server";
import { makeOpenAi } from "@/server/providers/openai/openai";
import { findPreset } from "@/server/providers/presets";

/** Version ranges whose prompt counts exclude cached tokens; `before` is exclusive. */
const partialCounts: readonly { readonly from: string; readonly before: string }[] = [
  { from: "0", before: "0.5" },
  { from: "0.30.0", before: "0.30.1" },
];

/**
 * Differences between server versions that cannot be detected from answers. Whether the server's prompt counts include
 * cached tokens. An unknown version (a custom build) counts as a new one.
 */
export const countsWholePrompt = (version: string | undefined): boolean =>
  version === undefined ||
  !isReleased(version) ||
  !partialCounts.some(
    ({ from, before }) => compareVersions(version, from) >= 0 && compareVersions(version, before) < 0,
  );

/** Builds without a version report 0.0.0. */
const isReleased = (version: string): boolean => /^v?\d+\.\d+/.test(version) && !/^v?0\.0\.0/.test(version);

function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const versionNumbers = (version: string): readonly number[] =>
  (/^v?([\d.]+)/.exec(version)?.[1] ?? "").split(".").map((part) => Number(part));

/**
 * Detects an OpenAI-compatible server, such as llama-server or LM Studio, at an Ollama address. Returns the base URL
 * for a connection; null = it has no models. Rejects with the server's error.
 */
async function detectOpenAi(host: string, signal: AbortSignal): Promise<string | null> {
  const address = parseOllamaHost(host);
  if (!address.ok) return null;
  const baseUrl = `${address.value.replace(/\/+$/, "")}/v1`;
  const provider = makeOpenAi({
    id: "look",
    preset: findPreset("custom"),
    baseUrl: () => baseUrl,
    apiKey: () => null,
    temperature: () => undefined,
  });
  return (await provider.models(signal)).length > 0 ? baseUrl : null;
}

export interface OllamaService extends ModelMemory, ModelOperations {
  /** The last known state; never waits. */
  state(): ModelServerState;
  /** Queries the server now. Never fails: an unreachable server is a state. Rejects only with the signal's reason. */
  refresh(signal: AbortSignal): Promise<ModelServerState>;
  /** Polls the server until every returned function has been called. */
  watch(): () => void;
  pull(name: string): PullState;
  cancelPull(name: string): boolean;
  pulls(): readonly PullState[];
  /** Starts Ollama on this machine and waits until it answers. Fails with `start_failed`. */
  startServer(signal: AbortSignal): Promise<Result<ModelServerState>>;
  /** pid of the server started here, for display; it outlives this process. */
  startedPid(): number | undefined;
  readonly known: ModelKnowledge;
  /** Reapplies notes and settings to the listed models. */
  completeAgain(): void;
  /** The server's counts include cached tokens. */
  countsWholePrompt(): boolean;
  /** Ends polling and downloads; a started server keeps running. */
  close(): Promise<void>;
}

interface OllamaServiceOptions {
  readonly provider: OllamaProvider;
  /** Address as the user wrote it. */
  readonly host: () => string;
  /** Called when displayed state changed. */
  readonly onState: (state: ModelServerState) => void;
  readonly onPull: (pull: PullState) => void;
  readonly notes: NoteStorage;
  readonly choices: Pick<UserModelSettings, "of" | "change">;
  /** tokens of `contextMaxTokens`; 0 = what fits */
  readonly settingTokens: () => number;
  /** ms; steady */
  readonly now?: () => number;
  /** Bytes of this machine's memory. */
  readonly memoryBytes?: () => number;
  readonly environment?: NodeJS.Dict<string>;
  /** Log file of a server started here; truncated at each start. */
  readonly serverLog: string;
  /** Poll intervals, ms, while the server answers and while it does not */
  readonly pollMs?: number;
  readonly searchMs?: number;
}

export function makeOllamaService(options: OllamaServiceOptions): OllamaService {
  const { provider, host, onPull, environment = process.env, now = () => performance.now() } = options;
  const { memoryBytes = totalmem } = options;
  const closing = new AbortController();
  const shapes = makeModelShapes({ show: provider.show, onKnown: () => observer.completeAgain() }, closing.signal);
  const knowledge = makeModelKnowledge({
    provider: provider.id,
    noteStore: options.notes,
    choices: options.choices,
    shapes,
    memoryBytes: () => (isThisMachine(host()) ? memoryBytes() : undefined),
    settingTokens: options.settingTokens,
    onChange: () => observer.completeAgain(),
  });
  const canStart = async (): Promise<boolean> => (await findOllamaProgram(host(), environment)) !== undefined;
  const onState = (state: ModelServerState): void => {
    shapes.enqueue(state.models);
    options.onState(state);
  };
  const observer = makeServerObserver(
    { ...options, onState, canStart, complete: knowledge.complete, findOpenAi: detectOpenAi },
    closing.signal,
  );
  const pulls = makePulls({ provider, onPull, now, onDone: () => void observer.ask() });
  const memory = makeMemory({ provider, observer, known: knowledge, now });
  return {
    ...memory,
    ...makeModelOperations({ provider, observer, shapes, plan: memory.plan }),
    state: observer.state,
    refresh: (signal) => abortable(observer.ask(), signal),
    watch: observer.watch,
    pull: pulls.pull,
    cancelPull: pulls.cancel,
    pulls: pulls.list,
    ...makeServerStarter({ host, environment, serverLog: options.serverLog, observer }),
    known: knowledge,
    completeAgain: observer.completeAgain,
    countsWholePrompt: () => countsWholePrompt(observer.state().version),
    async close() {
      closing.abort();
      await pulls.close();
    },
  };
}

function isThisMachine(address: string): boolean {
  const host = parseOllamaHost(address);
  return host.ok && isLocalHost(host.value);
}

interface ServerStarterOptions extends Pick<OllamaServiceOptions, "host" | "serverLog"> {
  readonly environment: NodeJS.Dict<string>;
  readonly observer: Pick<ServerObserver, "ask" | "state">;
}

function makeServerStarter({ host, environment, serverLog, observer }: ServerStarterOptions) {
  let startedPid: number | undefined;
  return {
    startedPid: () => startedPid,
    async startServer(signal: AbortSignal): Promise<Result<ModelServerState>> {
      const place = await findOllamaProgram(host(), environment);
      if (place === undefined) return fail("start_failed", "no program ollama for an address on this machine");
      if ((await abortable(observer.ask(), signal)).status === "ready") return ok(observer.state());
      const isReady = async (): Promise<boolean> => (await observer.ask()).status === "ready";
      const started = await startOllamaServer(place, serverLog, isReady, signal);
      if (!started.ok) return started;
      startedPid = started.value;
      return ok(observer.state());
    },
  };
}
