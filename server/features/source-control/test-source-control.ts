/** Source control of a real repository for tests, over real services. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Result } from "@/lib/events/error";
import type { SourceDiff, SourceSide, SourceStatus } from "@/lib/workspace/source-control";
import { makeTestServices } from "@/server/session/testing/test-services";
import { sourceControlFeature } from "./source-control-feature";

/** Returns the value of a result; throws its error. */
export function unwrapValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ""}`);
  return result.value;
}

/** Time in which a lock is waited for, ms. */
const lockWaitMs = 500;

export async function makeTestSourceControl(more: NodeJS.Dict<string> = {}) {
  const { home, root, store, services } = makeTestServices();
  const core = services();
  const project = unwrapValue(await core.projects.open(root));
  const projectId = project.project.id;
  store.projects.setTrust(projectId, 1);
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, NODE_ENV: "test" as const, ...more };
  const { commands } = sourceControlFeature({ ...core, environment }, lockWaitMs);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: root,
      env: environment,
      encoding: "latin1",
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("init", "-q", "-b", "main");
  return {
    root,
    home,
    project,
    projectId,
    trash: core.toolEnvironments.trash,
    git,
    commands,
    /** The environment from which that of git is made. */
    environment,
    put(path: string, content: string | Uint8Array): void {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    read: (path: string): Buffer => readFileSync(join(root, path)),
    /** Content of a path in the index, as bytes. */
    staged: (path: string): string => git("cat-file", "blob", `:${path}`),
    untrust: () => store.projects.setTrust(projectId, null),
    async status(): Promise<Extract<SourceStatus, { kind: "status" }>> {
      const status = unwrapValue(await commands["source.status"]({ projectId }));
      if (status.kind !== "status") throw new Error(status.kind);
      return status;
    },
    diff: async (path: string, side: SourceSide, isUntracked = false): Promise<SourceDiff> =>
      unwrapValue(await commands["source.diff"]({ projectId, path, side, isUntracked })),
  };
}
