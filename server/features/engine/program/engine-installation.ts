/** State of fetching the engine's program: what is offered, the progress, and why the last attempt failed. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { EngineBuildKind, EngineInstallStep, EngineState } from "@/lib/models/engine";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { makeProgressReport } from "../download/progress-report";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import { installedFolder, newProgramFolder } from "./installed-program";
import { bytesOfBuild, releaseAddress } from "./release-address";

export interface EngineInstallation {
  /** Begins to delete what an earlier process that was killed has unpacked; a failure is not reported. */
  cleanUp(): void;
  /** Looks for builds that suit this machine. */
  look(signal: AbortSignal): Promise<void>;
  /** Nothing is offered if a program is there. */
  state(hasProgram: boolean): Pick<EngineState, "offer" | "install" | "installFailure">;
  /** Starts fetching the build, and after it the one for the CPU if it does not run. Fails with not_found. */
  start(kind: EngineBuildKind): Promise<Result<null>>;
  /** Resolves when nothing is being fetched any more, with or without success. */
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
  /** A program was installed. */
  installed(): Promise<void>;
}

interface Offered {
  readonly catalogue: EngineCatalogue;
  readonly builds: readonly EngineBuild[];
}

export function makeEngineInstallation(options: InstallationOptions): EngineInstallation {
  const { folder, environment, mirror, onChange } = options;
  let offered: Offered | null = null;
  let step: EngineInstallStep | null = null;
  let failure: AgentError | null = null;
  let stop = new AbortController();
  let running: Promise<void> | null = null;
  let cleaning: Promise<void> = Promise.resolve();

  const progress = makeProgressReport(onChange);
  const report = (next: EngineInstallStep): void => {
    const isSameStatus = next.status === step?.status;
    step = next;
    if (isSameStatus) progress.soon();
    else progress.now();
  };
  const fetchFirst = async ({ catalogue }: Offered, builds: readonly EngineBuild[]): Promise<void> => {
    const { installProgram } = await import("./install-program");
    await cleaning;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const base = releaseAddress(catalogue, mirror());
    const result = await installProgram(builds, { folder, base, environment, progress: report }, stop.signal);
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
    async look(signal) {
      const { engineBuildsFor, loadEngineCatalogue, readEngineMachine } = await import("./engine-builds");
      const catalogue = await loadEngineCatalogue(environment).catch((error: unknown) => {
        failure = { code: "bad_input", detail: messageOf(error) };
        return null;
      });
      if (catalogue === null) return;
      offered = { catalogue, builds: engineBuildsFor(catalogue, await readEngineMachine(environment, signal)) };
    },
    state: (hasProgram) => ({
      ...(hasProgram || offered === null || offered.builds.length === 0 ? {} : { offer: toOffer(offered, mirror()) }),
      ...(step === null ? {} : { install: step }),
      ...(failure === null ? {} : { installFailure: failure }),
    }),
    async start(kind) {
      const build = offered?.builds.find((one) => one.kind === kind);
      if (offered === null || build === undefined) return fail("not_found", kind);
      if (running !== null) return ok(null);
      stop = new AbortController();
      failure = null;
      step = { status: "downloading", build: kind, completed: 0, bytes: bytesOfBuild(build) };
      const simplest = offered.builds.filter((one) => one.kind === "cpu" && one !== build);
      running = fetchFirst(offered, [build, ...simplest])
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
    settled: () => running ?? Promise.resolve(),
    pause,
    async remove() {
      await pause();
      return catchFileErrors(folder, async () => {
        for (const path of [installedFolder(folder), newProgramFolder(folder), join(folder, "downloads")])
          await rm(path, { recursive: true, force: true });
        failure = null;
        return ok(null);
      });
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toOffer = ({ catalogue, builds }: Offered, mirror: string): NonNullable<EngineState["offer"]> => ({
  tag: catalogue.tag,
  from: new URL(releaseAddress(catalogue, mirror)).host,
  builds: builds.map((build) => ({ kind: build.kind, bytes: bytesOfBuild(build) })),
});
