/** Commands for work trees in which sessions work beside the project. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { limits } from "@/lib/settings/settings";
import type { UncopiedFile, Worktree, WorktreeList } from "@/lib/workspace/worktrees";
import type { HandlerTable } from "@/server/handlers/handlers";
import { isProtectedPath, ownerPath } from "@/server/security/paths/safe-path";
import type { Git } from "@/server/workspace/git/git";
import { findGitFolders } from "@/server/workspace/git/git-folders";
import type { GitWrites } from "@/server/workspace/git/git-writes";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { listOrphans } from "@/server/workspace/git/worktrees/orphans";
import {
  addWorktree,
  countOwnCommits,
  findForkPoint,
  type GitWorktree,
  listChangedPaths,
  listIgnoredFiles,
  listWorktrees,
  readMainWorktree,
  removeWorktree,
  stashChanges,
  worktreesFolder,
} from "@/server/workspace/git/worktrees/worktrees";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { FeatureHost } from "../feature";

export type WorktreeHost = Pick<
  FeatureHost,
  "home" | "projects" | "environment" | "store" | "sessions" | "now" | "push"
>;

/** Commands of one feature; `signal` = its shutdown. */
export interface WorktreeContext {
  readonly host: WorktreeHost;
  readonly signal: AbortSignal;
}

export function worktreeCommands(host: WorktreeHost, writes: GitWrites, signal: AbortSignal) {
  const { projects, push } = host;
  const context = { host, signal };
  const folderOf = (project: OpenProject): Promise<string> => worktreesOf(host, project);
  return {
    "worktree.list": async ({ projectId }) => {
      const project = await projects.get(projectId);
      return project.ok ? listAll(context, project.value, await folderOf(project.value)) : project;
    },
    "worktree.create": async ({ projectId, name, files }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const folder = await folderOf(project.value);
      // Of a folder, the work tree would be another project than the one that is open.
      const add = async (git: Git) => (git.prefix === "" ? addWorktree(git, folder, name) : fail("not_found", "above"));
      const added = await writes.run(project.value, add, signal);
      if (!added.ok) return added;
      const opened = await openTrusted(host, added.value);
      if (!opened.ok) return opened;
      const uncopied = await copyFiles(project.value, opened.value, files);
      const view = await opened.value.view();
      push({ type: "project", project: view.project });
      return ok({ view, uncopied });
    },
    "worktree.remove": async ({ projectId, name, confirmed }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const folder = await folderOf(project.value);
      const work = async (git: Git): Promise<Result<{ isStashed: boolean }>> => {
        const listed = await listWorktrees(git, folder);
        if (!listed.ok) return listed;
        const found = listed.value.find(({ path }) => basename(path) === name);
        if (found === undefined) return fail("not_found");
        return found.path === project.value.root ? fail("busy") : remove(context, git, found, confirmed === name);
      };
      return writes.run(project.value, work, signal);
    },
  } satisfies Partial<HandlerTable>;
}

/** Returns the folder with the work trees of a project's repository. */
export const worktreesOf = async ({ home }: WorktreeHost, { root }: OpenProject): Promise<string> =>
  worktreesFolder(home, (await findGitFolders(root)).common);

async function listAll(
  { host, signal }: WorktreeContext,
  project: OpenProject,
  folder: string,
): Promise<Result<WorktreeList>> {
  const opened = await openProjectGit(project, host.environment, signal);
  if (!opened.ok) return opened;
  const git = opened.value;
  if (typeof git === "string") return fail(git === "untrusted" ? "untrusted" : "not_found");
  if (git.prefix !== "") return fail("not_found", "above");
  const listed = await listWorktrees(git, folder);
  if (!listed.ok) return listed;
  const ignored = await listIgnoredFiles(git);
  if (!ignored.ok) return ignored;
  const main = await readMainWorktree(git);
  const worktrees: Worktree[] = [];
  for (const one of listed.value)
    worktrees.push(await describe({ host, signal }, git, { ...one, main: main.ok ? main.value.head : "HEAD" }));
  const policy = project.policy();
  return ok({
    worktrees,
    into: main.ok ? main.value.branch : null,
    orphans: await listOrphans(host.home),
    ignored: ignored.value.map((path) => ({ path, isProtected: isProtectedPath(path, policy) })),
  });
}

/** Returns the project that was opened for a folder. */
export const projectAt = ({ store }: WorktreeHost, path: string) =>
  store.projects.list().find((one) => one.path === path);

/** Opens git for a work tree; null = its folder is gone. */
export async function openWorktree({ host, signal }: WorktreeContext, path: string): Promise<Git | null> {
  const opened = await openProjectGit({ root: path, trusted: () => true }, host.environment, signal);
  return opened.ok && typeof opened.value !== "string" ? opened.value : null;
}

/** `main` = the last commit of the repository's own work tree. */
async function describe(
  context: WorktreeContext,
  git: Git,
  { path, branch, head, main }: GitWorktree & { readonly main: string },
): Promise<Worktree> {
  const { sessions } = context.host.store;
  const stats = await stat(path).catch(() => null);
  const projectId = projectAt(context.host, path)?.id;
  const rows = (projectId === undefined ? [] : sessions.listOf(projectId)).flatMap((id) => sessions.get(id) ?? []);
  const newest = rows.reduce<SessionRow | null>(
    (found, row) => (found && found.updatedAt > row.updatedAt ? found : row),
    null,
  );
  const own = await openWorktree(context, path);
  const changed = own === null ? null : await listChangedPaths(own);
  return {
    path,
    name: basename(path),
    branch,
    ...(projectId === undefined ? {} : { projectId }),
    changes: changed?.ok === true ? changed.value.length : null,
    commits: await countOwnCommits(git, { branch, head }),
    sessions: rows.length,
    ...(newest === null ? {} : { session: { id: newest.id, title: newest.title } }),
    head,
    fork: await findForkPoint(git, main, head),
    createdAt: stats === null ? null : stats.birthtimeMs,
  };
}

/** Opens a work tree as a project, trusted: it is the repository of a trusted one, in a folder that the program made. */
async function openTrusted({ projects, store, now }: WorktreeHost, path: string): Promise<Result<OpenProject>> {
  const opened = await projects.open(path);
  if (opened.ok) store.projects.setTrust(opened.value.project.id, now());
  return opened;
}

async function remove(
  context: WorktreeContext,
  git: Git,
  found: GitWorktree,
  isConfirmed: boolean,
): Promise<Result<{ isStashed: boolean }>> {
  const { sessions } = context.host;
  const project = projectAt(context.host, found.path);
  if (sessions.running().some(({ view }) => view.projectId === project?.id)) return fail("busy");
  const stashed = await stashOwn(context, git, found, isConfirmed);
  if (!stashed.ok) return stashed;
  const removed = await removeWorktree(git, found);
  if (!removed.ok) return removed;
  if (project !== undefined) withdraw(context.host, project.id);
  return ok({ isStashed: stashed.value });
}

/** Stashes the changes of a work tree; returns whether there were any. */
async function stashOwn(
  context: WorktreeContext,
  git: Git,
  { path, branch, head }: GitWorktree,
  isConfirmed: boolean,
): Promise<Result<boolean>> {
  const own = await openWorktree(context, path);
  if (own === null) return ok(false);
  const changed = await listChangedPaths(own);
  if (!changed.ok) return changed;
  const [files, commits] = [changed.value.length, await countOwnCommits(git, { branch, head })];
  if (!isConfirmed && files + commits > 0) return fail("not_merged", undefined, { files, commits });
  if (files === 0) return ok(false);
  const stashed = await stashChanges(own, changed.value, `gopi-web: ${basename(path)}`);
  return stashed.ok ? ok(true) : stashed;
}

/** Takes the project of a removed work tree from the list; its sessions stay in the history. */
function withdraw({ store, projects, now, push }: WorktreeHost, id: ProjectId): void {
  store.projects.remove(id, now());
  projects.forget(id);
  const project = store.projects.get(id);
  if (project !== undefined) push({ type: "project", project });
}

/** Copies regular files that the new work tree does not have; returns those that could not be copied. */
async function copyFiles(
  from: OpenProject,
  to: OpenProject,
  paths: readonly string[],
): Promise<readonly UncopiedFile[]> {
  const uncopied: UncopiedFile[] = [];
  for (const path of paths) {
    const copied = await copyFile(from, to, path);
    if (!copied.ok) uncopied.push({ path, code: copied.error.code });
  }
  return uncopied;
}

async function copyFile(from: OpenProject, to: OpenProject, path: string): Promise<Result<void>> {
  const source = ownerPath(path, "read", from.policy());
  if (!source.ok) return source;
  const target = ownerPath(path, "write", to.policy());
  if (!target.ok) return target;
  const info = await from.files.info(source.value);
  if (!info.ok) return info;
  const bytes = await from.files.readBytes(source.value, limits.writeMaxBytes);
  return bytes.ok ? to.files.writeBytes(target.value, bytes.value, null, info.value.mode) : bytes;
}
