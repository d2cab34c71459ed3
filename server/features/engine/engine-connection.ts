/** The engine's models as a connection: a request loads its model first, then goes to the process. */
import { type AgentError, ok } from "@/lib/events/error";
import type { HistoryUse } from "@/lib/events/event";
import { engineConnectionId } from "@/lib/models/engine";
import type { ModelInfo } from "@/lib/models/models";
import { abortable } from "@/server/base/abort";
import type { ManagedConnection } from "@/server/models/connections/active-connection";
import { makeOpenAi } from "@/server/providers/openai/openai";
import { findPreset } from "@/server/providers/presets";
import { type CheckedProvider, failedPart, type ModelPart, type ModelRequest } from "@/server/providers/provider";
import type { EngineHost } from "./host/engine-host";
import type { EngineLoad, EngineProcess } from "./host/engine-process";

export interface EngineConnectionOptions {
  /** Loaded with the first request. */
  host(): Promise<EngineHost>;
  models(): readonly ModelInfo[];
  /** Reads the list and the files of the models again. */
  reload(): Promise<void>;
  /** null = there is no such model. */
  loadFor(model: string, window: number): EngineLoad | null;
  /** Returns the form of earlier answers that the chat template of a model shows; undefined = there is no such model. */
  template(model: string): HistoryUse | undefined;
  readonly memoryBytes: number;
}

/** Never requested: the process has another address at each start. */
const placeholderUrl = "http://engine.localhost/v1";
/** Failures of a request that the end of the process explains. */
const brokenCodes: ReadonlySet<string> = new Set(["server_unreachable", "connection_lost", "stalled", "incomplete"]);

export function makeEngineConnection(options: EngineConnectionOptions): ManagedConnection {
  return {
    toConnection: () => ({
      id: engineConnectionId,
      name: "Built-in engine",
      preset: engineConnectionId,
      baseUrl: placeholderUrl,
      model: options.models()[0]?.name ?? "",
      numCtx: 0,
      key: { from: "none" },
      local: true,
    }),
    provider: makeEngineProvider(options),
    memoryBytes: options.memoryBytes,
    lastList: options.models,
    template: options.template,
    hasWholeList: true,
    async fetchList() {
      await options.reload();
      return ok(options.models());
    },
    detectOllama: () => Promise.resolve(null),
    close() {},
  };
}

/** With the window that was too large: a smaller one may fit. */
const withWindow = (error: AgentError, { window }: EngineLoad): AgentError =>
  error.code === "out_of_memory" ? { ...error, facts: { ...error.facts, window } } : error;

function makeEngineProvider({ host, models, loadFor }: EngineConnectionOptions): CheckedProvider {
  /** A provider for each process, since it remembers what the server refused. */
  const providers = new WeakMap<EngineProcess, CheckedProvider>();
  function providerOf(process: EngineProcess): CheckedProvider {
    const existing = providers.get(process);
    if (existing !== undefined) return existing;
    const { baseUrl, key } = process;
    const preset = findPreset("llamacpp");
    const provider = makeOpenAi({ id: engineConnectionId, preset, baseUrl: () => baseUrl, apiKey: () => key });
    providers.set(process, provider);
    return provider;
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const find = (): EngineLoad | null => loadFor(request.model, request.numCtx);
    const engine = find() === null ? null : await abortable(host(), signal);
    // It may have been removed while the program was fetched.
    const load = find();
    if (engine === null || load === null)
      return yield failedPart({ error: { code: "model_missing", facts: { model: request.model } }, retryable: false });
    const release = engine.hold(request.keepAliveMinutes);
    try {
      yield* streamFrom(engine, load, request, signal);
    } finally {
      release();
    }
  }

  async function* streamFrom(
    engine: EngineHost,
    load: EngineLoad,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const isLoaded = engine.isReady(load);
    if (!isLoaded) yield { type: "phase", phase: "loading" };
    const started = await engine.ensure(load, signal);
    if (!started.ok) return yield failedPart({ error: withWindow(started.error, load), retryable: false });
    const process = started.value;
    for await (const part of providerOf(process).stream(request, signal)) {
      if (part.type === "failed") {
        const failure = brokenCodes.has(part.error.code) ? await engine.findFailure(process) : null;
        yield failure === null ? part : failedPart({ ...failure, error: withWindow(failure.error, load) });
      } else if (part.type === "finish") {
        engine.answered();
        yield isLoaded ? part : { ...part, usage: { ...part.usage, loadMs: process.loadMs } };
      } else yield part;
    }
  }

  return {
    id: engineConnectionId,
    async *stream(request, signal) {
      try {
        yield* stream(request, signal);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    models: () => Promise.resolve(models()),
    // It has no settings of a connection that could be wrong; the doctor tests its models.
    async *check() {},
  };
}
