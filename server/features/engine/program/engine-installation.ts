/** State of fetching the engine's program: what is offered, the progress, and why the last attempt failed. */
import { type AgentError, fail, ok, type Result, thrownText } from "@/lib/events/error";
import type { EngineBuildKind, EngineInstallStep, EngineOffer, EngineState } from "@/lib/models/engine";
import { makeTransferJob } from "../download/transfer-job";
import type { CheckedProgram } from "../engine-program";
import { isOlderBuild } from "./build-number";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import { downloadsFolder, installedFolder, newProgramFolder, readInstalledBuild } from "./installed-program";
import type { InstallOptions } from "./install-program";
import { makeProgramFiles, markPaused, measureBuilds, type ReceivedBytes } from "./program-files";
import { bytesOfBuild, pinOfBuild, releaseAddress } from "./release-address";

/** Builds that suit this machine, the best first. */
interface OfferedBuilds {
  readonly catalogue: EngineCatalogue;
  readonly builds: readonly EngineBuild[];
  /** They replace an older program. */
  readonly isUpdate: boolean;
}

export interface InstallationOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  readonly environment: NodeJS.Dict<string>;
  /** Address of a mirror of llama.cpp's releases; empty = none. */
  mirror(): string;
  onChange(): void;
  /** Resolves when an older program, which is to be replaced, has answered and ended; or after an abort. */
  release(signal: AbortSignal): Promise<void>;
  /** A program was installed. */
  installed(): Promise<void>;
}

export interface EngineInstallation {
  /** Begins to delete what an earlier process that was killed has unpacked; a failure is not reported. */
  cleanUp(): void;
  /** Looks for builds that suit this machine, or for a newer one of the program. */
  look(program: CheckedProgram | null, signal: AbortSignal): Promise<void>;
  /** Nothing is offered if a program is there. */
  state(hasProgram: boolean): Pick<EngineState, "offer" | "install" | "installFailure">;
  /** Returns the build that replaces the program; undefined = the program was not fetched, or is not older. */
  update(program: CheckedProgram): EngineOffer | undefined;
  /**
   * Starts fetching the build, and after it the one for the CPU if it does not run and there is no older program; waits for a
   * pause to end. Fails with not_found.
   */
  start(kind: EngineBuildKind): Promise<Result<null>>;
  /**
   * Resolves when no program is being fetched, with or without success, or deleted; does not wait while an older one can be
   * used.
   */
  settled(): Promise<void>;
  /** Ends fetching; resolves when nothing is being fetched or deleted any more. What was received is kept. */
  pause(): Promise<void>;
  /** Gives fetching up: deletes what was received. The program that is there stays. Fails with no_permission. */
  cancel(): Promise<Result<null>>;
  /** Deletes the program, once `end` has ended its process, and what was received of one. Fails with no_permission. */
  remove(end: () => Promise<void>): Promise<Result<null>>;
}

export function makeEngineInstallation(options: InstallationOptions): EngineInstallation {
  const { folder, mirror, onChange } = options;
  const files = makeProgramFiles(folder);
  const job = makeTransferJob<EngineInstallStep>(onChange);
  let offered: OfferedBuilds | null = null;
  let received: ReceivedBytes = new Map();
  let failure: AgentError | null = null;
  /** Why the last look has found no builds. */
  let catalogueProblem: AgentError | null = null;
  /** There is no older program that can be used while one is being fetched. */
  let isAwaited = true;

  const measure = async (): Promise<void> => {
    received = await measureBuilds(folder, offered?.builds ?? []);
  };
  const ended = async (error: AgentError | null, isStopped: boolean): Promise<void> => {
    failure = error;
    const build = offered?.builds.find(({ kind }) => kind === job.step()?.build);
    if (isStopped && build !== undefined) await markPaused(folder, build).catch(() => undefined);
    await measure();
  };
  const pause = async (): Promise<void> => {
    await Promise.all([job.stop(), files.settled()]);
  };
  /** A download, and a request for the program, that are started meanwhile wait. */
  const removeAll = async (paths: readonly string[], end?: () => Promise<void>): Promise<Result<null>> => {
    const removed = await files.remove(paths, pause().then(end));
    if (removed.ok) failure = null;
    await measure();
    return removed;
  };
  return {
    cleanUp: files.removeUnpacked,
    async look(program, signal) {
      const read = async (catalogue: EngineCatalogue): Promise<void> => {
        if (job.step() === null) await files.removeOthers(catalogue);
      };
      const found = await findOffered({ ...options, read }, program, signal).catch(thrownText);
      catalogueProblem = program === null && typeof found === "string" ? { code: "bad_input", detail: found } : null;
      if (typeof found !== "string" && found !== null) offered = found;
      else if (program?.isInstalled === true) offered = null;
      await measure();
    },
    state(hasProgram) {
      const step = job.step();
      const installFailure = failure ?? catalogueProblem;
      const free = hasProgram || offered?.builds.length === 0 ? null : offered;
      return {
        ...(free === null ? {} : { offer: toOffer(free, mirror(), received) }),
        ...(step === null ? {} : { install: step }),
        ...(installFailure === null ? {} : { installFailure }),
      };
    },
    update: ({ isInstalled }) =>
      isInstalled && offered?.isUpdate === true ? toOffer(offered, mirror(), received) : undefined,
    async start(kind) {
      await job.untilStopped();
      const build = offered?.builds.find((one) => one.kind === kind);
      if (offered === null || build === undefined) return fail("not_found", kind);
      if (job.step() !== null) return ok(null);
      failure = null;
      isAwaited = !offered.isUpdate;
      const from = offered;
      const waiting = (): void => void (isAwaited = true);
      const run = (report: (step: EngineInstallStep) => void, signal: AbortSignal): Promise<Result<unknown>> =>
        files.settled().then(() => fetchBuild(from, build, { ...options, waiting }, report, signal));
      const bytes = bytesOfBuild(build);
      job.start({ status: "downloading", build: kind, completed: received.get(kind) ?? 0, bytes }, { run, ended });
      return ok(null);
    },
    settled: async () => void (await Promise.all([isAwaited && job.ended(), files.settled()])),
    pause,
    async cancel() {
      const removed = await removeAll([downloadsFolder(folder)]);
      onChange();
      return removed;
    },
    remove: (end) => removeAll([installedFolder(folder), newProgramFolder(folder), downloadsFolder(folder)], end),
  };
}

/** Fetches the build, and after it the one for the CPU if it does not run: a program that has run here keeps its kind. */
async function fetchBuild(
  { catalogue, builds, isUpdate }: OfferedBuilds,
  build: EngineBuild,
  { folder, environment, mirror, installed, release, waiting }: InstallationOptions & { waiting(): void },
  report: (step: EngineInstallStep) => void,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const { installProgram } = await import("./install-program");
  const simpler = isUpdate ? [] : builds.filter((one) => one.kind === "cpu" && one !== build);
  const base = releaseAddress(catalogue, mirror());
  let last: EngineInstallStep | null = null;
  const place: InstallOptions = {
    folder,
    base,
    environment,
    progress(step) {
      last = step;
      report(step);
    },
    release(stopped) {
      waiting();
      if (isUpdate && last !== null) report({ ...last, status: "waiting" });
      return release(stopped);
    },
  };
  const result = await installProgram([build, ...simpler], place, signal);
  if (result.ok) await installed();
  return result;
}

/**
 * The same archives are no update. Releases of a catalogue of one's own that have no number are compared by their archives
 * alone: others replace the program.
 */
const isNewer = (build: EngineBuild, { tag, isOwn }: EngineCatalogue, version: string, installedPin: string): boolean =>
  installedPin !== pinOfBuild(build) && (isOlderBuild(version, tag) ?? isOwn);

interface OfferOptions extends Pick<InstallationOptions, "folder" | "environment"> {
  /** Called with the catalogue. */
  read(catalogue: EngineCatalogue): Promise<void>;
}

/** null = nothing newer than the program is known. Throws as `loadEngineCatalogue`. */
async function findOffered(
  { folder, environment, read }: OfferOptions,
  program: CheckedProgram | null,
  signal: AbortSignal,
): Promise<OfferedBuilds | null> {
  if (program?.isInstalled === false) return null;
  const { engineBuildsFor, loadEngineCatalogue, readEngineMachine } = await import("./engine-builds");
  const catalogue = await loadEngineCatalogue(environment);
  await read(catalogue);
  const builds = engineBuildsFor(catalogue, await readEngineMachine(environment, signal));
  if (program === null) return { catalogue, builds, isUpdate: false };
  const { kind, pin } = await readInstalledBuild(installedFolder(folder));
  const same = builds.find((build) => build.kind === kind) ?? builds[0];
  if (same === undefined || !isNewer(same, catalogue, program.version, pin)) return null;
  return { catalogue, builds: [same], isUpdate: true };
}

const toOffer = ({ catalogue, builds }: OfferedBuilds, mirror: string, received: ReceivedBytes): EngineOffer => ({
  tag: catalogue.tag,
  from: new URL(releaseAddress(catalogue, mirror)).host,
  builds: builds.map((build) => {
    const part = received.get(build.kind);
    return { kind: build.kind, bytes: bytesOfBuild(build), ...(part === undefined ? {} : { received: part }) };
  }),
});
