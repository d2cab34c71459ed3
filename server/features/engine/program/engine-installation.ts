/** State of fetching the engine's program: what is offered, the progress, and why the last attempt failed. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { EngineBuildKind, EngineInstallStep, EngineOffer, EngineState } from "@/lib/models/engine";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { makeProgressReport } from "../download/progress-report";
import type { CheckedProgram } from "../engine-program";
import { isOlderBuild } from "./build-number";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import type { InstallOptions } from "./install-program";
import { installedFolder, newProgramFolder, readInstalledBuild } from "./installed-program";
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
   * Starts fetching the build, and after it the one for the CPU if it does not run and there is no older program. Fails with
   * not_found.
   */
  start(kind: EngineBuildKind): Promise<Result<null>>;
  /** Resolves when no program is being fetched, with or without success; does not wait while an older one can be used. */
  settled(): Promise<void>;
  /** Ends fetching; resolves when nothing is being fetched or deleted any more. What was received is kept. */
  pause(): Promise<void>;
  /** Deletes the program and what was received of one. Fails with no_permission. */
  remove(): Promise<Result<null>>;
}

interface InstallationOptions {
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

interface Offered {
  readonly catalogue: EngineCatalogue;
  readonly builds: readonly EngineBuild[];
  /** They replace an older program. */
  readonly isUpdate: boolean;
}

export function makeEngineInstallation(options: InstallationOptions): EngineInstallation {
  const { folder, environment, mirror, onChange } = options;
  let offered: Offered | null = null;
  let step: EngineInstallStep | null = null;
  let failure: AgentError | null = null;
  let stop = new AbortController();
  let running: Promise<void> | null = null;
  let cleaning: Promise<void> = Promise.resolve();
  /** There is no older program that can be used meanwhile. */
  let isAwaited = true;

  const progress = makeProgressReport(onChange);
  const report = (next: EngineInstallStep): void => {
    const before = step?.status;
    step = next;
    progress[next.status === before ? "soon" : "now"]();
  };
  const fetchFirst = async ({ catalogue, isUpdate }: Offered, builds: readonly EngineBuild[]): Promise<void> => {
    await cleaning;
    const release = (signal: AbortSignal): Promise<void> => {
      isAwaited = true;
      if (isUpdate && step !== null) report({ ...step, status: "waiting" });
      return options.release(signal);
    };
    const place = { folder, base: releaseAddress(catalogue, mirror()), environment };
    const result = await installInto(builds, { ...place, progress: report, release }, stop.signal);
    if (result.ok) await options.installed();
    else if (result.error.code !== "aborted") failure = result.error;
  };
  const pause = async (): Promise<void> => {
    stop.abort();
    await Promise.all([running, cleaning]);
  };
  return {
    cleanUp() {
      cleaning = rm(newProgramFolder(folder), { recursive: true, force: true }).catch(() => undefined);
    },
    async look(program, signal) {
      const found = await findOffered(options, program, signal).catch((error: unknown) => {
        if (program === null) failure = { code: "bad_input", detail: messageOf(error) };
        return null;
      });
      if (found !== null || program?.isInstalled === true) offered = found;
    },
    state: (hasProgram) => ({
      ...(hasProgram || offered === null || offered.builds.length === 0 ? {} : { offer: toOffer(offered, mirror()) }),
      ...(step === null ? {} : { install: step }),
      ...(failure === null ? {} : { installFailure: failure }),
    }),
    update: ({ isInstalled }) => (isInstalled && offered?.isUpdate === true ? toOffer(offered, mirror()) : undefined),
    async start(kind) {
      const build = offered?.builds.find((one) => one.kind === kind);
      if (offered === null || build === undefined) return fail("not_found", kind);
      if (running !== null) return ok(null);
      stop = new AbortController();
      failure = null;
      step = { status: "downloading", build: kind, completed: 0, bytes: bytesOfBuild(build) };
      isAwaited = !offered.isUpdate;
      running = fetchFirst(offered, [build, ...simplerBuilds(offered, build)])
        .catch((error: unknown) => {
          failure = { code: "internal", detail: messageOf(error) };
        })
        .finally(() => {
          running = null;
          step = null;
          progress.now();
        });
      onChange();
      return ok(null);
    },
    settled: () => (isAwaited ? running : null) ?? Promise.resolve(),
    pause,
    async remove() {
      await pause();
      const removed = await removeFiles(folder);
      if (removed.ok) failure = null;
      return removed;
    },
  };
}

/** Its folder may be missing. */
async function installInto(
  builds: readonly EngineBuild[],
  options: InstallOptions,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const { installProgram } = await import("./install-program");
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  return installProgram(builds, options, signal);
}

/** A program that has run here is not replaced by another kind. */
const simplerBuilds = ({ builds, isUpdate }: Offered, build: EngineBuild): readonly EngineBuild[] =>
  isUpdate ? [] : builds.filter((one) => one.kind === "cpu" && one !== build);

/**
 * The same archives are no update. Releases of a catalogue of one's own that have no number are compared by their archives
 * alone: others replace the program.
 */
const isNewer = (build: EngineBuild, { tag, isOwn }: EngineCatalogue, version: string, installedPin: string): boolean =>
  installedPin !== pinOfBuild(build) && (isOlderBuild(version, tag) ?? isOwn);

const removeFiles = (folder: string): Promise<Result<null>> =>
  catchFileErrors(folder, async () => {
    for (const path of [installedFolder(folder), newProgramFolder(folder), join(folder, "downloads")])
      await rm(path, { recursive: true, force: true });
    return ok(null);
  });

/** null = nothing newer than the program is known. Throws as `loadEngineCatalogue`. */
async function findOffered(
  { folder, environment }: Pick<InstallationOptions, "folder" | "environment">,
  program: CheckedProgram | null,
  signal: AbortSignal,
): Promise<Offered | null> {
  if (program?.isInstalled === false) return null;
  const { engineBuildsFor, loadEngineCatalogue, readEngineMachine } = await import("./engine-builds");
  const catalogue = await loadEngineCatalogue(environment);
  const builds = engineBuildsFor(catalogue, await readEngineMachine(environment, signal));
  if (program === null) return { catalogue, builds, isUpdate: false };
  const { kind, pin } = await readInstalledBuild(installedFolder(folder));
  const same = builds.find((build) => build.kind === kind) ?? builds[0];
  if (same === undefined || !isNewer(same, catalogue, program.version, pin)) return null;
  return { catalogue, builds: [same], isUpdate: true };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toOffer = ({ catalogue, builds }: Offered, mirror: string): NonNullable<EngineState["offer"]> => ({
  tag: catalogue.tag,
  from: new URL(releaseAddress(catalogue, mirror)).host,
  builds: builds.map((build) => ({ kind: build.kind, bytes: bytesOfBuild(build) })),
});
