/** The opened projects: one set of services per folder, created on first use. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectView } from "@/lib/protocol/answers";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ClientId, ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { joinPath } from "@/lib/workspace/project-path";
import type { Push } from "@/lib/protocol/push";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { ownerPath, type PathPolicy, privatePathPolicy, type SafePath } from "@/server/security/paths/safe-path";
import { makeFiles } from "../files/files";
import { expandTilde } from "../files/folders/folder-names";
import { hasGitCommit, readGitBranch } from "../git/git-head";
import type { ProjectPolicy } from "../search/ignore-rules";
import { drawTree } from "../search/project-tree";
import { type FileSnapshots, type FileSnapshotsOptions, makeFileSnapshots } from "../snapshots/file-snapshots";
import type { CleanupJournal } from "../shell/cleanup-journal";
import { type GuideReader, type ProjectFile, readFolderGuides } from "./guide-files";
import { drawProjectTree, makeProjectSummary, type ProjectSummary } from "./project-summary";
import { makeSearch, type Search } from "../search/search";
import { findMissedChanges } from "./missed-changes";
import { usedGitTop } from "../git/project-git";
import { findTrustFindings } from "../git/trust";
import { makeFolderWatcher } from "./watch";
import { trackedFiles } from "../snapshots/tracked-files";
import { selectStarters } from "./starters";
import type { Files } from "../workspace";

/** Folder of the personal workspace, in the application's data folder. */
export const workspaceFolder = "workspace";

/** Clients read a folder at most this time before they watch it, ms. */
const readAheadMs = 10_000;
/** Maximum wait of a message for the first project tree, ms. */
const snapshotWaitMs = 150;

export interface OpenProject {
  readonly project: Project;
  /** Real path. */
  readonly root: string;
  /** Whether the user trusts this folder; query at every use. */
  trusted(): boolean;
  /** Top of the repository above the folder that the user agreed to use; null = none. Query at every use. */
  gitTop(): string | null;
  policy(): PathPolicy;
  readonly files: Files;
  readonly search: Search;
  /** The snapshots of its files; null = disabled. */
  readonly snapshots: FileSnapshots | null;
  /** The last summary; null until branch and guide were read once. */
  summary(): ProjectSummary | null;
  /** Reads branch and guide again, without a walk. Never rejects. */
  readFacts(): Promise<void>;
  /** The guides of the folders around a path, outer first; none while the project is not trusted. */
  readFolderGuides(path: string): Promise<readonly ProjectFile[]>;
  /** Reads everything again; joins a running walk. Never rejects. */
  refresh(): Promise<void>;
  /** The tree of a folder, without ignored and protected entries. Fails like `drawTree`. */
  tree(folder: SafePath<"model">, signal: AbortSignal): ReturnType<typeof drawTree>;
  view(): Promise<ProjectView>;
  watch(client: ClientId, folders: readonly string[]): void;
}

export interface Projects {
  /** Opens a folder (absolute, or from the home folder with `~`); fails with not_found, not_folder, no_permission. */
  open(path: string): Promise<Result<OpenProject>>;
  get(id: ProjectId): Promise<Result<OpenProject>>;
  /**
   * Moves the project to `path` (absolute); fails with not_found, not_folder, no_permission, and exists if another
   * project is there.
   */
  relink(id: ProjectId, path: string): Promise<Result<OpenProject>>;
  /** Returns an opened project; undefined = not opened in this process. */
  peek(id: ProjectId): OpenProject | undefined;
  /** Releases an opened project, which is being deleted. */
  forget(id: ProjectId): void;
  /** Reads branch and guide. Waits for the first tree at most `snapshotWaitMs`. */
  waitUntilReady(id: ProjectId): Promise<void>;
  removeClient(client: ClientId): void;
  dispose(): void;
}

interface ProjectsOptions {
  /** Creates or finds the row of a folder. */
  record(folder: { readonly path: string; readonly name: string }): Project;
  find(id: ProjectId): Project | undefined;
  /** Returns the moved project; undefined = another project is there. By default no project can be moved. */
  move?(id: ProjectId, path: string): Project | undefined;
  protectedNames(): readonly string[];
  /** The application's data folder: not accessible to the model, also inside a project. */
  readonly dataFolder?: string;
  /** Real paths of folders beside the project that tools may read; default: none. */
  readRoots?(): readonly string[];
  /** Limits of the project tree in a session's first message; default: the settings' defaults. */
  tree?(): Pick<Settings, "treeDepth" | "treeFolderEntries">;
  /** Folders that search, lists and the tree leave out; default: none. */
  ignoredFolders?(): readonly string[];
  /** Returns whether a rule denies the model to read this path; default: no. */
  isDenied?(id: ProjectId, path: string): boolean;
  push(push: Push): void;
  /** Storage of the file snapshots; default: none. */
  snapshots?(project: Pick<OpenProject, "project" | "root" | "trusted">): Omit<FileSnapshotsOptions, "policy">;
  /** Journal of unfinished writes; default: none. */
  readonly cleanup?: CleanupJournal;
  /** Reports a failed read of a project summary; default: ignored. Must not throw. */
  onError?(error: unknown): void;
}

export function makeProjects(options: ProjectsOptions): Projects {
  const open = new Map<ProjectId, OpenProject & { dispose(): void }>();
  const use = (project: Project): OpenProject => {
    const existing = open.get(project.id);
    if (existing !== undefined) return existing;
    const opened = openProject(project, options);
    open.set(project.id, opened);
    void opened.refresh();
    return opened;
  };
  const get = async (id: ProjectId): Promise<Result<OpenProject>> => {
    const existing = open.get(id);
    if (existing !== undefined) return ok(existing);
    const project = options.find(id);
    return project === undefined ? fail("not_found") : ok(use(project));
  };
  return {
    get,
    peek: (id) => open.get(id),
    forget(id) {
      open.get(id)?.dispose();
      open.delete(id);
    },
    async open(path) {
      const real = await resolveRealFolder(path);
      return real.ok ? ok(use(options.record({ path: real.value, name: basename(real.value) || real.value }))) : real;
    },
    async relink(id, path) {
      if (options.find(id) === undefined) return fail("not_found");
      const real = await resolveRealFolder(path);
      if (!real.ok) return real;
      const moved = options.move?.(id, real.value);
      if (moved === undefined) return fail("exists", real.value);
      const before = open.get(id);
      open.delete(id);
      before?.dispose();
      return ok(use(moved));
    },
    async waitUntilReady(id) {
      const project = await get(id);
      if (!project.ok) return;
      await project.value.readFacts();
      if (project.value.summary()?.tree !== null) return;
      const done = new AbortController();
      const late = sleep(snapshotWaitMs, undefined, { signal: done.signal }).catch(() => {});
      await Promise.race([project.value.refresh(), late]);
      done.abort();
    },
    removeClient(client) {
      for (const project of open.values()) project.watch(client, []);
    },
    dispose() {
      for (const project of open.values()) project.dispose();
    },
  };
}

async function resolveRealFolder(path: string): Promise<Result<string>> {
  try {
    const real = await realpath(expandTilde(path));
    return (await stat(real)).isDirectory() ? ok(real) : fail("not_folder", path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return fail(code === "EACCES" ? "no_permission" : "not_found", path);
  }
}

function openProject(project: Project, options: ProjectsOptions): OpenProject & { dispose(): void } {
  const root = project.path;
  const isDenied = (path: string): boolean => options.isDenied?.(project.id, path) ?? false;
  const own: Partial<ReturnType<typeof privatePathPolicy>> =
    options.dataFolder === undefined ? {} : privatePathPolicy(root, options.dataFolder);
  const policy = (): PathPolicy => ({
    root,
    protectedNames: options.protectedNames(),
    isDenied,
    readRoots: options.readRoots?.(),
    ...own,
  });
  // Files and search read the policy at every use, so a changed setting applies at once.
  const live: ProjectPolicy = {
    ...own,
    root,
    isDenied,
    get ignoredFolders() {
      return options.ignoredFolders?.() ?? [];
    },
    get protectedNames() {
      return options.protectedNames();
    },
  };
  const trusted = (): boolean => typeof options.find(project.id)?.trustedAt === "number";
  const gitTop = (): string | null => options.find(project.id)?.gitTop ?? null;
  const readBranch = async (): Promise<string | null> => readGitBranch(await usedGitTop({ root, gitTop }));
  const snapshotOptions = options.snapshots?.({ project, root, trusted });
  const images = snapshotOptions === undefined ? null : makeFileSnapshots({ ...snapshotOptions, policy: live });
  const plain = makeFiles(live, undefined, options.cleanup);
  const files = images === null ? plain : trackedFiles(plain, images);
  const watches = makeClientWatches({ id: project.id, root, readBranch, push: (push) => options.push(push) });
  const guides: GuideReader = { policy: live, files, trusted };
  const summary = makeProjectSummary({
    readBranch,
    ...guides,
    drawTree: () => drawProjectTree(live, options.tree?.() ?? settingsDefaults),
    onError: options.onError ?? (() => {}),
  });
  return {
    project,
    root,
    trusted,
    gitTop,
    policy,
    files,
    search: makeSearch(live),
    snapshots: images,
    summary: summary.current,
    readFolderGuides: (path) => readFolderGuides(guides, path),
    readFacts: summary.readFacts,
    refresh: summary.refresh,
    tree(folder, signal) {
      const { treeDepth: depth, treeFolderEntries: perFolder } = options.tree?.() ?? settingsDefaults;
      return drawTree(live, folder, { depth, perFolder }, signal);
    },
    async view() {
      watches.revive();
      return {
        project: options.find(project.id) ?? project,
        branch: await readBranch(),
        gone: !(await resolveRealFolder(root)).ok,
        isWorkspace: own.privateRoots?.some((home) => root === join(home, workspaceFolder)) ?? false,
        trusted: trusted(),
        findings: await findTrustFindings(root),
        starters: selectStarters(await readdir(root).catch(() => []), await hasGitCommit(root)),
      };
    },
    watch: watches.set,
    dispose: watches.dispose,
  };
}

interface WatchedProject {
  readonly id: ProjectId;
  readonly root: string;
  readBranch(): Promise<string | null>;
  push(push: Push): void;
}

/** Watches folders while any client shows them. */
function makeClientWatches({ id, root, readBranch, push }: WatchedProject) {
  const wanted = new Map<ClientId, readonly string[]>();
  let open = new Set<string>();
  let isPolled = false;
  const pushChange = (folders: readonly string[], paths: readonly string[], isDeleted: boolean): void => {
    void readBranch().then((branch) =>
      push({
        type: "files",
        projectId: id,
        folders: folders.map((folder) => (folder === "." ? "" : folder)),
        paths,
        gone: isDeleted,
        branch,
        ...(isPolled && { isPolled }),
      }),
    );
  };
  const makeOne = () => {
    isPolled = false;
    return makeFolderWatcher(root, {
      onChange: ({ folder, paths, hasNewEntries }) => pushChange(hasNewEntries ? [folder] : [], paths, false),
      onGone: () => pushChange([], [], true),
      onFallback() {
        isPolled = true;
        pushChange([], [], false);
      },
    });
  };
  let watcher: ReturnType<typeof makeFolderWatcher> | null = null;

  const update = (): void => {
    const next = new Set([...wanted.values()].flat().map((folder) => (folder === "" ? "." : folder)));
    for (const folder of open) if (!next.has(folder)) watcher?.close(folder);
    if (next.size > 0) watcher ??= makeOne();
    const since = Date.now() - readAheadMs;
    for (const folder of next) {
      const safe = open.has(folder) ? null : ownerPath(folder, "read", { root, protectedNames: [] });
      if (safe?.ok !== true) continue;
      const { relative, absolute } = safe.value;
      void watcher?.open(relative).then(
        () => pushMissed({ folder, absolute }, since),
        () => open.delete(folder),
      );
    }
    open = next;
  };
  /** Clients may have read the folder and its files before changes were reported. */
  const pushMissed = async (started: { readonly folder: string; readonly absolute: string }, since: number) => {
    const { folder, absolute } = started;
    // A missing folder is reported by the watch of its parent, the project's own when it is opened.
    const missed = await findMissedChanges(absolute, since).catch(() => null);
    if (missed === null || !open.has(folder) || (!missed.hasNewEntries && missed.names.length === 0)) return;
    const parent = folder === "." ? "" : folder;
    pushChange(
      missed.hasNewEntries ? [folder] : [],
      missed.names.map((name) => joinPath(parent, name)),
      false,
    );
  };
  return {
    set(client: ClientId, folders: readonly string[]): void {
      if (folders.length === 0 && !wanted.has(client)) return;
      if (folders.length === 0) wanted.delete(client);
      else wanted.set(client, folders);
      update();
    },
    /** Watches a folder again after it reappeared. */
    revive(): void {
      if (watcher === null || open.size > 0) return;
      watcher.dispose();
      watcher = null;
    },
    dispose(): void {
      open = new Set();
      watcher?.dispose();
    },
  };
}
