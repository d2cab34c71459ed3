/** Fetches one build at a time in the background, with its progress; used by the state of the engine's program. */
import { mkdir } from "node:fs/promises";
import type { AgentError, Result } from "@/lib/events/error";
import type { EngineBuildKind, EngineInstallStep } from "@/lib/models/engine";
import { makeProgressReport } from "../download/progress-report";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import type { InstallOptions } from "./install-program";
import { bytesOfBuild, releaseAddress } from "./release-address";

/** Builds that suit this machine, the best first. */
export interface OfferedBuilds {
  readonly catalogue: EngineCatalogue;
  readonly builds: readonly EngineBuild[];
  /** They replace an older program. */
  readonly isUpdate: boolean;
}

export interface InstallRun {
  /** null = nothing is being fetched. */
  step(): EngineInstallStep | null;
  /**
   * Begins to fetch the build, and after it the one for the CPU if it does not run and there is no older program. `completed` =
   * bytes of it that have arrived before. Nothing while a build is being fetched.
   */
  start(offered: OfferedBuilds, build: EngineBuild, completed: number): void;
  /** Resolves when no program is being fetched, with or without success; does not wait while an older one can be used. */
  settled(): Promise<void>;
  /** Resolves when a run that is being stopped has ended. */
  untilStopped(): Promise<void>;
  /** Ends fetching; resolves when nothing is being fetched any more. What was received is kept. */
  stop(): Promise<void>;
}

export interface InstallRunOptions {
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

interface RunBorders {
  /** Resolves when the folder may be written to. */
  begun(): Promise<void>;
  /** The last build of a run; failure null = it was installed, aborted = it was stopped. */
  ended(kind: EngineBuildKind, failure: AgentError | null): Promise<void>;
}

export function makeInstallRun(options: InstallRunOptions, { begun, ended }: RunBorders): InstallRun {
  const { folder, environment, mirror, onChange } = options;
  let step: EngineInstallStep | null = null;
  let stop = new AbortController();
  let running: Promise<void> | null = null;
  /** There is no older program that can be used meanwhile. */
  let isAwaited = true;

  const progress = makeProgressReport(onChange);
  const report = (next: EngineInstallStep): void => {
    const before = step?.status;
    step = next;
    progress[next.status === before ? "soon" : "now"]();
  };
  async function fetchFirst(offered: OfferedBuilds, build: EngineBuild): Promise<AgentError | null> {
    const { catalogue, isUpdate } = offered;
    await begun();
    const release = (signal: AbortSignal): Promise<void> => {
      isAwaited = true;
      if (isUpdate && step !== null) report({ ...step, status: "waiting" });
      return options.release(signal);
    };
    const place = { folder, base: releaseAddress(catalogue, mirror()), environment };
    const builds = [build, ...simplerBuilds(offered, build)];
    const result = await installInto(builds, { ...place, progress: report, release }, stop.signal);
    if (result.ok) await options.installed();
    return result.ok ? null : result.error;
  }
  return {
    step: () => step,
    start(offered, build, completed) {
      if (running !== null) return;
      stop = new AbortController();
      step = { status: "downloading", build: build.kind, completed, bytes: bytesOfBuild(build) };
      isAwaited = !offered.isUpdate;
      running = fetchFirst(offered, build)
        .catch(
          (error: unknown): AgentError => ({
            code: "internal",
            detail: error instanceof Error ? error.message : String(error),
          }),
        )
        .then((failure) => ended(step?.build ?? build.kind, failure))
        .finally(() => {
          running = null;
          step = null;
          progress.now();
        });
      onChange();
    },
    settled: () => (isAwaited ? running : null) ?? Promise.resolve(),
    async untilStopped() {
      while (running !== null && stop.signal.aborted) await running;
    },
    async stop() {
      stop.abort();
      await running;
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
const simplerBuilds = ({ builds, isUpdate }: OfferedBuilds, build: EngineBuild): readonly EngineBuild[] =>
  isUpdate ? [] : builds.filter((one) => one.kind === "cpu" && one !== build);
