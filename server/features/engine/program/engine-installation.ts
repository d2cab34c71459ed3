/** State of fetching the engine's program: what is offered, the progress, and why the last attempt failed. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { EngineBuildKind, EngineOffer, EngineState } from "@/lib/models/engine";
import type { CheckedProgram } from "../engine-program";
import { isOlderBuild } from "./build-number";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import { type InstallRunOptions, makeInstallRun, type OfferedBuilds } from "./install-run";
import { downloadsFolder, installedFolder, newProgramFolder, readInstalledBuild } from "./installed-program";
import { makeProgramFiles, markPaused, measureBuilds, type ReceivedBytes } from "./program-files";
import { bytesOfBuild, pinOfBuild, releaseAddress } from "./release-address";

export interface EngineInstallation {
  /** Begins to delete what an earlier process that was killed has unpacked; a failure is not reported. */
  cleanUp(): void;
  /** Looks for builds that suit this machine, or for a newer one of the program. */
  look(program: CheckedProgram | null, signal: AbortSignal): Promise<void>;
  /** Nothing is offered if a program is there. */
  state(hasProgram: boolean): Pick<EngineState, "offer" | "install" | "installFailure">;
  /** What replaces the program; absent = it was not fetched, or is not older. */
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

export function makeEngineInstallation(options: InstallRunOptions): EngineInstallation {
  const { folder, mirror, onChange } = options;
  let offered: OfferedBuilds | null = null;
  let received: ReceivedBytes = new Map();
  let failure: AgentError | null = null;
  /** Why the last look has found no builds. */
  let catalogueProblem: AgentError | null = null;
  const files = makeProgramFiles(folder);

  const measure = async (): Promise<void> => {
    received = await measureBuilds(folder, offered?.builds ?? []);
  };
  const run = makeInstallRun(options, {
    begun: files.settled,
    async ended(kind, error) {
      const isStopped = error?.code === "aborted";
      failure = isStopped ? null : error;
      const build = offered?.builds.find((one) => one.kind === kind);
      if (isStopped && build !== undefined) await markPaused(folder, build).catch(() => undefined);
      await measure();
    },
  });
  const pause = async (): Promise<void> => {
    await Promise.all([run.stop(), files.settled()]);
  };
  /** A download, and a request for the program, that are started meanwhile wait. */
  const removeAll = async (
    paths: readonly string[],
    end: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Result<null>> => {
    const removed = await files.remove(paths, pause().then(end));
    if (removed.ok) failure = null;
    await measure();
    return removed;
  };
  const removeOthers = async (catalogue: EngineCatalogue): Promise<void> => {
    if (run.step() === null) await files.removeOthers(catalogue);
  };
  return {
    cleanUp: files.removeUnpacked,
    async look(program, signal) {
      let problem: AgentError | null = null;
      const found = await findOffered({ ...options, read: removeOthers }, program, signal).catch((error: unknown) => {
        if (program === null) problem = { code: "bad_input", detail: messageOf(error) };
        return null;
      });
      catalogueProblem = problem;
      if (found !== null || program?.isInstalled === true) offered = found;
      await measure();
    },
    state(hasProgram) {
      const step = run.step();
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
      await run.untilStopped();
      const build = offered?.builds.find((one) => one.kind === kind);
      if (offered === null || build === undefined) return fail("not_found", kind);
      if (run.step() === null) failure = null;
      run.start(offered, build, received.get(kind) ?? 0);
      return ok(null);
    },
    settled: async () => void (await Promise.all([run.settled(), files.settled()])),
    pause,
    async cancel() {
      const removed = await removeAll([downloadsFolder(folder)]);
      onChange();
      return removed;
    },
    remove: (end) => removeAll([installedFolder(folder), newProgramFolder(folder), downloadsFolder(folder)], end),
  };
}

/**
 * The same archives are no update. Releases of a catalogue of one's own that have no number are compared by their archives
 * alone: others replace the program.
 */
const isNewer = (build: EngineBuild, { tag, isOwn }: EngineCatalogue, version: string, installedPin: string): boolean =>
  installedPin !== pinOfBuild(build) && (isOlderBuild(version, tag) ?? isOwn);

interface OfferOptions extends Pick<InstallRunOptions, "folder" | "environment"> {
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toOffer = ({ catalogue, builds }: OfferedBuilds, mirror: string, received: ReceivedBytes): EngineOffer => ({
  tag: catalogue.tag,
  from: new URL(releaseAddress(catalogue, mirror)).host,
  builds: builds.map((build) => {
    const part = received.get(build.kind);
    return { kind: build.kind, bytes: bytesOfBuild(build), ...(part === undefined ? {} : { received: part }) };
  }),
});
