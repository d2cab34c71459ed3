/** The opened projects: one set of services per folder, created on first use. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectView } from "@/lib/answers";
import { fail, ok, type Result } from "@/lib/error";
import type { ClientId, ProjectId } from "@/lib/id";
import type { Project } from "@/lib/project";
import type { Push } from "@/lib/push";
import { limits, type Settings, settingsDefaults } from "@/lib/settings";
import { ownerPath, type PathPolicy, privateIn } from "../security/paths";
import { makeFiles } from "./files";
import { withoutTilde } from "./folder-names";
import { readBranch } from "./git-head";
import type { ProjectPolicy } from "./ignore-rules";
import { type Images, type ImagesOptions, makeImages } from "./images";
import type { Leftovers } from "./leftovers";
import { drawProjectTree, makeProjectSummary, type ProjectSummary } from "./project-summary";
import { makeSearch, type Search } from "./search";
import { findTrust } from "./trust";
import { makeWatcher } from "./watch";
import { witnessedFiles } from "./witnessed-files";
import { startersFor } from "./starters";
import type { Files } from "./workspace";

export interface OpenProject {
  readonly project: Project;
  /** Real path. */
  readonly root: string;
  /** Whether the user trusts this folder (R29); query at every use. */
  trusted(): boolean;
  policy(): PathPolicy;
  readonly files: Files;
  readonly search: Search;
  /** The snapshots of its files; null = disabled. */
  readonly images: Images | null;
  /** The last summary; null until branch and guide were read once. */
  summary(): ProjectSummary | null;
  /** Reads branch and guide again, without a walk. Never rejects. */
  readFacts(): Promise<void>;
  /** Reads everything again; joins a running walk. Never rejects. */
  refresh(): Promise<void>;
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
  /** Reads branch and guide. Waits for the first tree at most `snapshotWaitMs`. */
  ready(id: ProjectId): Promise<void>;
  gone(client: ClientId): void;
  dispose(): Promise<void>;
}

export interface ProjectsOptions {
  /** Creates or finds the row of a folder. */
  record(folder: { readonly path: string; readonly name: string }): Project;
  find(id: ProjectId): Project | undefined;
  /** Returns the moved project; undefined = another project is there. By default no project can be moved. */
  move?(id: ProjectId, path: string): Project | undefined;
  protectedNames(): readonly string[];
  /** The application's data folder: not accessible to the model, also inside a project (R58). */
  readonly home?: string;
  /** Limits of the project tree in a session's first message; default: the settings' defaults. */
  tree?(): Pick<Settings, "treeDepth" | "treeFolderEntries">;
  /** Folders that search, lists and the tree leave out; default: none. */
  ignoredFolders?(): readonly string[];
  /** Returns whether a rule denies the model to read this path; default: no. */
  isDenied?(id: ProjectId, path: string): boolean;
  push(push: Push): void;
  /** Storage of the file snapshots; default: none. */
  images?(id: ProjectId): Omit<ImagesOptions, "policy">;
  /** Journal of unfinished writes; default: none. */
  readonly leftovers?: Leftovers;
  /** Reports a failed read of a project summary; default: ignored. Must not throw. */
  trouble?(error: unknown): void;
}

export function makeProjects(options: ProjectsOptions): Projects {
  const open = new Map<ProjectId, OpenProject & { dispose(): Promise<void> }>();
  const use = (project: Project): OpenProject => {
    const known = open.get(project.id);
    if (known !== undefined) return known;
    const made = openProject(project, options);
    open.set(project.id, made);
    void made.refresh();
    return made;
  };
  const get = async (id: ProjectId): Promise<Result<OpenProject>> => {
    const known = open.get(id);
    if (known !== undefined) return ok(known);
    const project = options.find(id);
    return project === undefined ? fail("not_found") : ok(use(project));
  };
  return {
    get,
    peek: (id) => open.get(id),
    async open(path) {
      const real = await realFolder(path);
      return real.ok ? ok(use(options.record({ path: real.value, name: basename(real.value) || real.value }))) : real;
    },
    async relink(id, path) {
      if (options.find(id) === undefined) return fail("not_found");
      const real = await realFolder(path);
      if (!real.ok) return real;
      const moved = options.move?.(id, real.value);
      if (moved === undefined) return fail("exists", real.value);
      const before = open.get(id);
      open.delete(id);
      await before?.dispose();
      return ok(use(moved));
    },
    async ready(id) {
      const project = await get(id);
      if (!project.ok) return;
      await project.value.readFacts();
      if (project.value.summary()?.tree !== null) return;
      const done = new AbortController();
      const late = sleep(limits.snapshotWaitMs, undefined, { signal: done.signal }).catch(() => {});
      await Promise.race([project.value.refresh(), late]);
      done.abort();
    },
    gone(client) {
      for (const project of open.values()) project.watch(client, []);
    },
    async dispose() {
      await Promise.all([...open.values()].map((project) => project.dispose()));
    },
  };
}

async function realFolder(path: string): Promise<Result<string>> {
  try {
    const real = await realpath(withoutTilde(path));
    return (await stat(real)).isDirectory() ? ok(real) : fail("not_folder", path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return fail(code === "EACCES" ? "no_permission" : "not_found", path);
  }
}

function openProject(project: Project, options: ProjectsOptions): OpenProject & { dispose(): Promise<void> } {
  const root = project.path;
  const isDenied = (path: string): boolean => options.isDenied?.(project.id, path) ?? false;
  const own = options.home === undefined ? {} : privateIn(root, options.home);
  const policy = (): PathPolicy => ({ root, protectedNames: options.protectedNames(), isDenied, ...own });
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
  const kept = options.images?.(project.id);
  const images = kept === undefined ? null : makeImages({ ...kept, policy: live });
  const plain = makeFiles(live, undefined, options.leftovers);
  const files = images === null ? plain : witnessedFiles(plain, images);
  const watches = makeWatches(project, root, options);
  const summary = makeProjectSummary({
    root,
    policy: live,
    files,
    drawTree: () => drawProjectTree(live, options.tree?.() ?? settingsDefaults),
    trouble: options.trouble ?? (() => {}),
  });
  const trusted = (): boolean => typeof options.find(project.id)?.trustedAt === "number";
  return {
    project,
    root,
    trusted,
    policy,
    files,
    search: makeSearch(live),
    images,
    summary: summary.current,
    readFacts: summary.readFacts,
    refresh: summary.refresh,
    async view() {
      watches.revive();
      return {
        project: options.find(project.id) ?? project,
        branch: await readBranch(root),
        gone: !(await realFolder(root)).ok,
        trusted: trusted(),
        findings: await findTrust(root),
        starters: startersFor(await readdir(root).catch(() => [])),
      };
    },
    watch: watches.set,
    dispose: watches.dispose,
  };
}

/** Watches folders while any client shows them. */
function makeWatches(project: Project, root: string, options: ProjectsOptions) {
  const wanted = new Map<ClientId, readonly string[]>();
  let open = new Set<string>();
  const pushChange = (folder: string | null, paths: readonly string[], gone: boolean): void => {
    void readBranch(root).then((branch) =>
      options.push({
        type: "files",
        projectId: project.id,
        folders: folder === null ? [] : [folder === "." ? "" : folder],
        paths,
        gone,
        branch,
      }),
    );
  };
  const makeOne = () =>
    makeWatcher(root, {
      onChange: ({ folder, paths }) => pushChange(folder, paths, false),
      onGone: () => pushChange(null, [], true),
    });
  let watcher: ReturnType<typeof makeWatcher> | null = null;

  const update = (): void => {
    const next = new Set([...wanted.values()].flat().map((folder) => (folder === "" ? "." : folder)));
    for (const folder of open) if (!next.has(folder)) watcher?.close(folder);
    if (next.size > 0) watcher ??= makeOne();
    for (const folder of next) {
      if (open.has(folder)) continue;
      const safe = ownerPath(folder, "read", { root, protectedNames: [] });
      if (safe.ok) watcher?.open(safe.value.relative).catch(() => open.delete(folder));
    }
    open = next;
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
      void watcher.dispose();
      watcher = null;
    },
    dispose: async () => {
      await watcher?.dispose();
    },
  };
}
