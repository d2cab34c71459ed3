/** State of fetching the engine's program: what is offered, the progress, and why the last attempt failed. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { EngineBuildKind, EngineOffer, EngineState } from "@/lib/models/engine";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { findReceivedSize, partFile } from "../download/received-size";
import type { CheckedProgram } from "../engine-program";
import { isOlderBuild } from "./build-number";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import { type InstallRunOptions, makeInstallRun, type OfferedBuilds } from "./install-run";
import { downloadsFolder, installedFolder, newProgramFolder, readInstalledBuild } from "./installed-program";
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

/** Bytes on the disk of each build, of which a download was paused, maybe before its first byte, or has failed. */
type ReceivedBytes = ReadonlyMap<EngineBuildKind, number>;

export function makeEngineInstallation(options: InstallRunOptions): EngineInstallation {
  const { folder, mirror, onChange } = options;
  let offered: OfferedBuilds | null = null;
  let received: ReceivedBytes = new Map();
  let failure: AgentError | null = null;
  /** Why the last look has found no builds. */
  let catalogueProblem: AgentError | null = null;
  let cleaning: Promise<unknown> = Promise.resolve();

  const measure = async (): Promise<void> => {
    received = await receivedBytes(folder, offered?.builds ?? []);
  };
  const run = makeInstallRun(options, {
    begun: async () => void (await cleaning),
    async ended(kind, error) {
      const isStopped = error?.code === "aborted";
      failure = isStopped ? null : error;
      const build = offered?.builds.find((one) => one.kind === kind);
      if (isStopped && build !== undefined) await markPaused(folder, build).catch(() => undefined);
      await measure();
    },
  });
  const pause = async (): Promise<void> => {
    await Promise.all([run.stop(), cleaning]);
  };
  /** A download, and a request for the program, that are started meanwhile wait. */
  const removeAll = async (
    paths: readonly string[],
    end: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Result<null>> => {
    const removing = pause()
      .then(end)
      .then(() => removeFiles(folder, paths));
    cleaning = removing.catch(() => undefined);
    const removed = await removing;
    if (removed.ok) failure = null;
    await measure();
    return removed;
  };
  /** What an older release has left cannot be continued. A failure is not reported. */
  const removeOthers = async (catalogue: EngineCatalogue): Promise<void> => {
    if (run.step() !== null) return;
    cleaning = cleaning.then(() => removeOtherArchives(folder, catalogue)).catch(() => undefined);
    await cleaning;
  };
  return {
    cleanUp() {
      cleaning = rm(newProgramFolder(folder), { recursive: true, force: true }).catch(() => undefined);
    },
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
    settled: async () => void (await Promise.all([run.settled(), cleaning])),
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

const removeFiles = (folder: string, paths: readonly string[]): Promise<Result<null>> =>
  catchFileErrors(folder, async () => {
    for (const path of paths) await rm(path, { recursive: true, force: true });
    return ok(null);
  });

async function receivedBytes(folder: string, builds: readonly EngineBuild[]): Promise<ReceivedBytes> {
  const received = new Map<EngineBuildKind, number>();
  for (const { kind, archives } of builds) {
    for (const { name, bytes } of archives) {
      const size = await findReceivedSize(join(downloadsFolder(folder), name));
      if (size !== null) received.set(kind, (received.get(kind) ?? 0) + Math.min(bytes, size));
    }
  }
  return received;
}

/** Creates an empty part, by which a paused download is recognised also after a restart, unless something has arrived. */
async function markPaused(folder: string, { archives: [first] }: EngineBuild): Promise<void> {
  if (first === undefined) return;
  const target = join(downloadsFolder(folder), first.name);
  if ((await findReceivedSize(target)) !== null) return;
  await mkdir(downloadsFolder(folder), { recursive: true, mode: 0o700 });
  await writeFile(partFile(target), "", { mode: 0o600 });
}

/** Deletes the archives, and parts of them, that the catalogue does not have. */
async function removeOtherArchives(folder: string, { builds }: EngineCatalogue): Promise<void> {
  const targets = builds.flatMap(({ archives }) => archives.map(({ name }) => name));
  const names = new Set(targets.flatMap((name) => [name, partFile(name)]));
  for (const name of await readdir(downloadsFolder(folder)))
    if (!names.has(name)) await rm(join(downloadsFolder(folder), name), { recursive: true, force: true });
}

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
