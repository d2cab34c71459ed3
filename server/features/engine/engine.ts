/** The built-in engine: its program, models and process, and the connection through which sessions use it. */
import { mkdir } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { type AgentError, type ErrorCode, fail, ok, type Result } from "@/lib/events/error";
import type {
  EngineBuildKind,
  EngineRunState,
  EngineState,
  ForeignModel,
  ModelPreview,
  TransferRate,
} from "@/lib/models/engine";
import { abortable } from "@/server/base/abort";
import type { FeatureHost } from "../feature";
import { type CurrentProgram, makeCurrentProgram } from "./current-program";
import { type EngineConnectionOptions, makeEngineConnection } from "./engine-connection";
import type { EngineHost, EngineRun } from "./host/engine-host";
import { hubAddress } from "./hub/hub-address";
import { makeModelLibrary, type ModelLibrary } from "./hub/model-library";
import { modelsFolder } from "./hub/stored-downloads";
import { planLoad, withNotes } from "./offered-models";
import { type EngineInstallation, makeEngineInstallation } from "./program/engine-installation";
import { type EngineModelList, makeEngineModelList, modelNameOfFile } from "./models/model-list";

export interface Engine {
  /** Reads the list of models, and offers them if there are any. */
  open(): Promise<void>;
  /** Looks for the program first. */
  state(): Promise<EngineState>;
  find(): Promise<readonly ForeignModel[]>;
  /** Fails with the errors of `EngineModelList.add`. */
  add(model: {
    readonly file: string;
    readonly name?: string;
    readonly projector?: string;
  }): Promise<Result<EngineState>>;
  /** Fails with not_found, no_permission. */
  remove(model: string): Promise<Result<EngineState>>;
  /** Starts the download of a model, or continues it. Fails with bad_input, and as `ModelDownloads.start`. */
  download(reference: string): Promise<Result<EngineState>>;
  /** Fails as `ModelLibrary.preview`. */
  preview(reference: string): Promise<Result<ModelPreview>>;
  /** Fails with not_found. */
  pauseDownload(reference: string): Promise<Result<EngineState>>;
  /** Fails with not_found, no_permission. */
  cancelDownload(reference: string): Promise<Result<EngineState>>;
  /** Starts fetching a build, or continues it. Fails with not_found if it is not offered. */
  install(build: EngineBuildKind): Promise<Result<EngineState>>;
  pauseInstall(): Promise<EngineState>;
  /** Fails with no_permission. */
  cancelInstall(): Promise<Result<EngineState>>;
  /** Fails with no_permission. */
  uninstall(): Promise<Result<EngineState>>;
  /** Starts loading a model with the window of new sessions. Fails with not_found, and with busy while another one answers. */
  load(model: string): Promise<Result<EngineState>>;
  unload(): Promise<EngineState>;
  close(): Promise<void>;
}

export type EngineOptions = Pick<FeatureHost, "access" | "environment" | "home" | "leftovers" | "push" | "settings">;

export function makeEngine({ access, environment, home, leftovers, push, settings }: EngineOptions): Engine {
  const folder = join(home, "engine");
  const list = makeEngineModelList(join(folder, "models.json"), modelsFolder(folder));
  const closing = new AbortController();
  const program = makeCurrentProgram({ environment, folder, chosen: () => settings().engineProgram }, closing.signal);
  let run: EngineRun = { status: "stopped" };
  let host: Promise<EngineHost> | null = null;
  let downloadRate = 0;

  const look = async (): Promise<void> => {
    await program.look();
    await installation.look(program.found(), closing.signal);
    await library.look(program.found());
  };
  const state = (): EngineState => {
    const models = withNotes(list.models(), access);
    // A chosen program is used even if it does not run.
    const hasProgram = program.found() !== null || settings().engineProgram !== "";
    const ofProgram = { ...program.state(installation.update), ...installation.state(hasProgram) };
    const ofModels = library.state(models);
    downloadRate = [ofProgram.install, ...ofModels.downloads].find(hasRate)?.bytesPerSecond ?? downloadRate;
    return { ...ofProgram, ...ofModels, downloadRate, threads: availableParallelism(), run: toRunState(run) };
  };
  const changed = (): EngineState => {
    const next = state();
    push({ type: "engine", state: next });
    return next;
  };
  const installation = makeEngineInstallation({
    folder,
    environment,
    mirror: () => settings().engineMirror,
    onChange: () => void changed(),
    release: (signal) => endWhenIdle(host, signal),
    async installed() {
      await unload();
      await look();
    },
  });
  const library = makeModelLibrary({
    folder,
    environment,
    hub: () => hubAddress(environment, settings().modelHub),
    list,
    onChange: () => void changed(),
    added: () => void offer(),
  });
  const hostOptions: HostOptions = {
    environment,
    folder,
    leftovers,
    program,
    onChange(next) {
      run = next;
      changed();
    },
  };
  // A request waits for a program that is being fetched, or replaced.
  const startHost = (): Promise<EngineHost> => installation.settled().then(() => (host ??= loadHost(hostOptions)));
  const connection = makeEngineConnection({ host: startHost, ...modelsOf(list), memoryBytes: totalmem() });
  const setAttached = makeAttachment(() => access.connections.attach(connection));
  const offer = (): EngineState => {
    setAttached(list.models().length > 0);
    return changed();
  };
  const unload = async (): Promise<void> => (await host)?.unload();
  const core = { list, library, installation, state, changed, look, offer, unload, run: () => run, startHost };
  return {
    ...makeEngineCommands(core, { access, environment, folder, settings }, closing.signal),
    async open() {
      await list.load();
      if (list.models().length > 0) offer();
      installation.cleanUp();
    },
    async close() {
      closing.abort();
      await Promise.all([installation.pause(), library.close(), unload()]);
    },
  };
}

const hasRate = (transfer: TransferRate | undefined): boolean => transfer?.bytesPerSecond !== undefined;

const modelsOf = (
  list: EngineModelList,
): Pick<EngineConnectionOptions, "models" | "reload" | "loadFor" | "template"> => ({
  reload: list.load,
  template: (name) => list.models().find((one) => one.name === name)?.traits?.template,
  models: () => list.models().flatMap(({ info }) => (info === undefined ? [] : [info])),
  loadFor(name, window) {
    const model = list.models().find((one) => one.name === name);
    if (model === undefined) return null;
    const projector = model.info?.capabilities.includes("vision") === true ? model.projector : undefined;
    const { file, info, traits } = model;
    return { model: name, file, digest: info?.digest, projector, window, isRecurrent: traits?.isRecurrent };
  },
});

/** Ends the process once no request uses it; keeps it after an abort. */
async function endWhenIdle(host: Promise<EngineHost> | null, signal: AbortSignal): Promise<void> {
  const started = await host;
  if (started === null) return;
  await abortable(started.untilIdle(), signal).catch(() => undefined);
  if (!signal.aborted) await started.unload();
}

/** The connection is attached while there are models. */
function makeAttachment(attach: () => () => void): (isAttached: boolean) => void {
  let detach: (() => void) | null = null;
  return (isAttached) => {
    if (!isAttached) detach?.();
    detach = isAttached ? attach() : null;
  };
}

interface EngineCore {
  readonly list: EngineModelList;
  readonly library: ModelLibrary;
  readonly installation: EngineInstallation;
  state(): EngineState;
  /** Reports the state to all clients. */
  changed(): EngineState;
  look(): Promise<unknown>;
  /** Offers the models of the changed list. */
  offer(): EngineState;
  unload(): Promise<void>;
  run(): EngineRun;
  startHost(): Promise<EngineHost>;
}

interface CommandOptions extends Pick<EngineOptions, "access" | "environment" | "settings"> {
  readonly folder: string;
}

const makeEngineCommands = (
  { list, library, installation, state, changed, look, offer, unload, run, startHost }: EngineCore,
  { access, environment, folder, settings }: CommandOptions,
  signal: AbortSignal,
): Omit<Engine, "open" | "close"> => ({
  ...makeInstallCommands({ installation, state, changed, look, unload }),
  async state() {
    // A download may be of a model that is in the list.
    await Promise.all([look(), list.load().then(library.load)]);
    return state();
  },
  async find() {
    const { findForeignModels } = await import("./models/foreign-models");
    const found = await findForeignModels(environment);
    return library.measure(found.filter(({ file }) => !list.models().some((model) => model.file === file)));
  },
  async add({ file, name = modelNameOfFile(file), projector }) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const added = await list.add({ file, name, projector });
    return added.ok ? ok(offer()) : added;
  },
  async remove(name) {
    // Its files may stay, but no request begins with it any more.
    const removed = await list.remove(name, async () => {
      offer();
      const current = run();
      if (current.status !== "stopped" && current.load.model === name) await unload();
    });
    return removed.ok ? ok(state()) : removed;
  },
  async download(reference) {
    const started = await library.download(reference);
    return started.ok ? ok(state()) : started;
  },
  async preview(reference) {
    // The memory of the graphics card may not be known yet.
    await look();
    return library.preview(reference);
  },
  async pauseDownload(reference) {
    const paused = await library.pause(reference);
    return paused.ok ? ok(state()) : paused;
  },
  async cancelDownload(reference) {
    const cancelled = await library.cancel(reference);
    return cancelled.ok ? ok(state()) : cancelled;
  },
  async load(name) {
    const planned = planLoad(name, settings().keepAliveMinutes, access);
    if (!planned.ok) return planned;
    const { window, keepAliveMinutes } = planned.value;
    const { loadFor } = modelsOf(list);
    if (loadFor(name, window) === null) return fail("not_found", name);
    // The state has its result.
    void startHost()
      .then((engine) => {
        // It may have been removed meanwhile.
        const load = loadFor(name, window);
        if (load === null) return;
        const release = engine.hold(keepAliveMinutes);
        return engine.ensure(load, signal).finally(release);
      })
      .catch(() => undefined);
    return ok(state());
  },
  async unload() {
    await unload();
    return state();
  },
});

const makeInstallCommands = ({
  installation,
  state,
  changed,
  look,
  unload,
}: Pick<EngineCore, "installation" | "state" | "changed" | "look" | "unload">): Pick<
  Engine,
  "install" | "pauseInstall" | "cancelInstall" | "uninstall"
> => ({
  async install(build) {
    const started = await installation.start(build);
    return started.ok ? ok(state()) : started;
  },
  async pauseInstall() {
    await installation.pause();
    return state();
  },
  async cancelInstall() {
    const cancelled = await installation.cancel();
    return cancelled.ok ? ok(state()) : cancelled;
  },
  async uninstall() {
    const removed = await installation.remove(unload);
    // A failure may have left a part of it.
    await look();
    const next = changed();
    return removed.ok ? ok(next) : removed;
  },
});

interface HostOptions extends Pick<EngineOptions, "environment" | "leftovers"> {
  readonly folder: string;
  readonly program: Pick<CurrentProgram, "get" | "failed">;
  onChange(run: EngineRun): void;
}

/** Its code is loaded with the first request. */
async function loadHost({ program, onChange, ...options }: HostOptions): Promise<EngineHost> {
  const [{ makeEngineHost }, { startEngine }] = await Promise.all([
    import("./host/engine-host"),
    import("./host/engine-process"),
  ]);
  return makeEngineHost({
    async start(load, signal) {
      for (let tries = 1; ; tries += 1) {
        const found = await program.get();
        if (!found.ok) return found;
        if (found.value === null) return { ok: false, error: missingProgram };
        const started = await startEngine(load, { ...options, memoryBytes: totalmem(), program: found.value }, signal);
        if (started.ok || !programCodes.has(started.error.code)) return started;
        program.failed();
        // An update may have moved it.
        if (started.error.code !== "not_found" || tries > 1) return started;
      }
    },
    onChange,
  });
}

/** Failures of a start after which the program is searched for again. */
const programCodes: ReadonlySet<ErrorCode> = new Set(["not_found", "engine_ended", "engine_incompatible"]);
const missingProgram: AgentError = { code: "engine_missing" };

const toRunState = (run: EngineRun): EngineRunState => ({
  status: run.status,
  ...(run.status === "stopped" ? {} : { model: run.load.model, window: run.load.window }),
  ...(run.status === "ready" && run.process.device !== null ? { device: run.process.device } : {}),
  ...(run.status === "failed" ? { error: run.error } : {}),
});
