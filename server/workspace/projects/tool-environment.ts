/** Builds the tool environment of a session: files, search, shell, trash and blobs of its project. */
import type { AgentError } from "@/lib/events/error";
import type { BlobId, CallId, ProjectId, SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { type DetectedFileChanges, toFilesFound, toPreviousState } from "../snapshots/found-changes";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { childPath, modelPath, type SafePath } from "@/server/security/paths/safe-path";
import type { Store } from "@/server/store/open-store";
import { type FileTrash, makeFileTrash, type TrashedFiles } from "../files/file-trash";
import type { CleanupJournal } from "../shell/cleanup-journal";
import type { OpenProject, Projects } from "./projects";
import type { Sandbox } from "../shell/sandbox";
import { makeShell } from "../shell/shell";
import type { Search } from "../search/search";
import type { Files, Shell } from "../workspace";

/** Services of a session's project that tools use. */
export interface ToolEnvironment {
  /** Resolves a path of the model; throws ToolError if it is not permitted. */
  path(text: string, use: "read" | "write"): SafePath<"model">;
  /**
   * Resolves an entry of a permitted folder by the name `files.list` returned. Null if it is protected or a link that
   * leads out of the project; a link inside resolves to its target, so check the entry's kind first.
   */
  resolveChild(folder: SafePath<"model">, name: string): SafePath<"model"> | null;
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  /** Stores bytes as a blob. */
  storeBlob(content: Uint8Array): Promise<BlobId>;
  /** Moves a path to the file trash and records it for Restore. */
  trash(path: SafePath<"model">): Promise<TrashedFiles>;
}

/** Tool environment of a run, which also records what its calls change. */
export interface RunEnvironment extends ToolEnvironment {
  /** Returns whether the changes of a command can be undone in this project. */
  canUndo(): Promise<boolean>;
  /**
   * Runs work that changes files unobserved and scans the project before and after it. Rejects only if nothing could
   * be stored.
   */
  trackFileChanges<T>(
    callId: CallId,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: DetectedFileChanges }>;
  /** States of the files at a path and below it, as far as they can be stored. */
  fileStates(path: SafePath): Promise<DetectedFileChanges["befores"]>;
}

/** Tool environment of one session: its shell, files and trash, bound to its project. */
export interface SessionToolEnvironment extends RunEnvironment {
  readonly root: string;
  /** A new shell for a command of the user, in the project folder and without the sandbox. */
  userShell(): Shell;
  /** Prepares in the background what a coming prompt may need soon. */
  prepare(): void;
  dispose(): void;
}

interface ToolEnvironmentOptions {
  readonly store: Store;
  readonly projects: Projects;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  settings(): Settings;
  now(): number;
  /** Error for the model about a path it named. */
  toolError(error: AgentError, path: string): Error;
  /** Called when the trash of a project changed; default: nothing. */
  trashChanged?(projectId: ProjectId): void;
  /** Journal of running commands; default: none. */
  readonly leftovers?: Pick<CleanupJournal, "record">;
  /** Sandbox around the shell; default: none. */
  readonly sandbox?: Pick<Sandbox, "fence">;
}

export interface ToolEnvironments {
  /** `project` must be open. */
  make(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionToolEnvironment;
  readonly trash: FileTrash;
}

export function makeToolEnvironments(options: ToolEnvironmentOptions): ToolEnvironments {
  const { projects } = options;
  const bin = makeFileTrash({ ...options, changed: options.trashChanged ?? (() => {}) });
  return {
    trash: bin,
    make(projectId, sessionId, cwd) {
      const project = projects.peek(projectId);
      if (project === undefined) throw new Error(`project ${projectId} is not open`);
      return makeToolEnvironment({ ...options, bin }, project, sessionId, cwd);
    },
  };
}

function makeToolEnvironment(
  options: ToolEnvironmentOptions & { readonly bin: FileTrash },
  project: OpenProject,
  sessionId: SessionId,
  cwd: string,
): SessionToolEnvironment {
  const { store, bin } = options;
  const { root, files, search } = project;
  const closing = new AbortController();
  const shellOptions = {
    root,
    environment: () => shellEnvironment(options.environment, options.settings().shellEnvironment),
    cleanup: options.leftovers,
  };
  const closable = (shell: Shell): Shell => ({
    get cwd() {
      return shell.cwd;
    },
    run: (command, run, signal) => shell.run(command, run, AbortSignal.any([signal, closing.signal])),
  });
  return {
    root,
    files,
    search,
    shell: closable(makeShell({ ...shellOptions, cwd, sandbox: options.sandbox?.fence, closing: closing.signal })),
    userShell: () => closable(makeShell(shellOptions)),
    path(text, use) {
      const safe = modelPath(text === "" ? "." : text, use, project.policy());
      if (safe.ok) return safe.value;
      throw options.toolError(safe.error, text);
    },
    resolveChild: (folder, name) => childPath(folder, name, project.policy()),
    storeBlob: (content) => store.blobs.putAsync(content),
    async trash(path) {
      const put = await bin.put(project, sessionId, path);
      if (put.ok) return put.value;
      throw options.toolError(put.error, path.relative);
    },
    prepare: () => project.snapshots?.begin(),
    canUndo: async () => (await project.snapshots?.canUndo()) ?? true,
    async trackFileChanges(callId, work) {
      if (project.snapshots === null) {
        const [value] = await Promise.allSettled([work()]);
        return { value, found: noFilesFound };
      }
      const { value, found } = await project.snapshots.trackFileChanges({ sessionId, callId }, work);
      return { value, found: await toFilesFound(found, store.blobs) };
    },
    async fileStates(path) {
      const info = await files.info(path);
      if (!info.ok) return [];
      if (info.value.kind === "folder")
        return ((await project.snapshots?.snapshotsBelow(path.relative)) ?? []).map(toPreviousState);
      const read = await files.readBytes(path, serverLimits.imageFileBytes);
      const before = read.ok ? store.blobs.put(read.value) : null;
      return [toPreviousState({ path: path.relative, blob: before, mode: info.value.mode })];
    },
    dispose: () => closing.abort(),
  };
}

const noFilesFound: DetectedFileChanges = { befores: [], changes: [], notKept: 0, gap: null, skipped: [] };
