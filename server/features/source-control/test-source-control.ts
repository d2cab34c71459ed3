/** Source control of a real repository for tests, over real services. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionId } from "@/lib/events/id";
import type { Result } from "@/lib/events/error";
import type { SourceDiff, SourceSide, SourceStatus } from "@/lib/workspace/source-control";
import type { OpenProject } from "@/server/workspace/projects/projects";
import { makeTestServices } from "@/server/session/testing/test-services";
import { sourceControlFeature } from "./source-control-feature";

/** Returns the value of a result; throws its error. */
export function unwrapValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ""}`);
  return result.value;
}

/** Time in which a lock is waited for, ms. */
const lockWaitMs = 500;

/** `folder` = the project's, below the top of the repository; "" = the top. */
export async function makeTestSourceControl(more: NodeJS.Dict<string> = {}, folder = "") {
  const { home, root: top, store, services, settings, pushes } = makeTestServices();
  const root = join(top, folder);
  mkdirSync(root, { recursive: true });
  const core = services();
  const project = unwrapValue(await core.projects.open(root));
  const projectId = project.project.id;
  store.projects.setTrust(projectId, 1);
  /** Sessions that count as running. */
  const runs: SessionId[] = [];
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, NODE_ENV: "test" as const, ...more };
  const { commands, topicSources } = sourceControlFeature(
    {
      ...core,
      environment,
      settings: () => settings.current,
      sessions: { ...core.sessions, running: () => runs.map((id) => unwrapValue(core.sessions.get(id))) },
    },
    lockWaitMs,
  );
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: top,
      env: environment,
      encoding: "latin1",
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("init", "-q", "-b", "main");
  return {
    root,
    top,
    home,
    project,
    projectId,
    core,
    runs,
    settings,
    pushes,
    /** Output of hooks that a new subscriber gets. */
    topicState: () => topicSources.source_output.state(projectId),
    ...plantPrograms(top, home, git),
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
    staged: (path: string): string => git("cat-file", "blob", `:${join(folder, path)}`),
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

/** Returns the project with a file that changes right after its content was read first. */
export function changedWhileRead(project: OpenProject, change: () => void): OpenProject {
  let isRead = false;
  const { files } = project;
  const readBytes: OpenProject["files"]["readBytes"] = async (...read) => {
    const content = await files.readBytes(...read);
    if (!isRead) change();
    isRead = true;
    return content;
  };
  return { ...project, files: { ...files, readBytes } };
}

/** Programs that git runs because of the repository's files; each leaves a mark. */
function plantPrograms(root: string, home: string, git: (...words: readonly string[]) => string) {
  const folder = join(home, "marks");
  mkdirSync(folder);
  const mark = (name: string): string => `touch '${join(folder, name)}'`;
  return {
    marks: () => readdirSync(folder),
    plant(): typeof mark {
      const hooks = [
        ...["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-merge"],
        ...["post-checkout", "post-rewrite", "pre-rebase", "reference-transaction", "post-index-change", "pre-auto-gc"],
      ];
      for (const name of hooks)
        writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\n${mark(name)}\n`, { mode: 0o755 });
      const settings: readonly (readonly [string, string])[] = [
        ...["core.editor", "sequence.editor", "core.pager", "core.fsmonitor", "core.askPass", "core.sshCommand"],
        ...["gpg.program", "gpg.ssh.defaultKeyCommand", "diff.external", "diff.all.textconv", "diff.all.command"],
        ...["trailer.sign.command", "trailer.sign.cmd", "credential.helper", "core.alternateRefsCommand"],
        ...["filter.unused.clean", "filter.unused.process"],
      ].map((name) => [name, `${mark(name)} #`]);
      for (const [name, value] of settings) git("config", name, value);
      for (const alias of ["commit", "status", "merge", "switch", "stash", "branch"])
        git("config", `alias.${alias}`, `!${mark(`alias.${alias}`)}`);
      git("config", "hook.all.event", "post-index-change");
      git("config", "--add", "hook.all.event", "reference-transaction");
      git("config", "hook.all.command", mark("hook of settings"));
      git("config", "merge.all.driver", `${mark("merge driver")}; false`);
      git("config", "merge.verifySignatures", "false");
      git("config", "status.submoduleSummary", "true");
      writeFileSync(join(root, ".git/info/attributes"), "*.txt diff=all merge=all\n");
      const included = join(home, "included");
      writeFileSync(
        included,
        `[core]\n\thooksPath = ${join(root, ".git/hooks")}\n[gpg "ssh"]\n\tprogram = "${mark("ssh")}"\n`,
      );
      git("config", "include.path", included);
      return mark;
    },
  };
}
