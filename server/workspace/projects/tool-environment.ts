/** Builds the tool environment of a session: files, search, shell, trash and blobs of its project. */
import type { ProjectId, SessionId } from "@/lib/events/id";
import { limits, type Settings } from "@/lib/settings/settings";
import type { DetectedFileChanges } from "../snapshots/found-changes";
import { toFilesFound, toPreviousState } from "../snapshots/found-changes";
import { shellEnvironment } from "../../security/environment/shell-environment";
import { childPath, modelPath } from "../../security/paths/safe-path";
import type { SessionToolEnvironment } from "../../session/core/services";
import type { Store } from "../../store/open-store";
import { toToolError } from "../../tools/core/to-tool-error";
import { makeFileTrash, type FileTrash } from "../files/file-trash";
import type { CleanupJournal } from "../shell/cleanup-journal";
import type { OpenProject, Projects } from "./projects";
import type { Sandbox } from "../shell/sandbox";
import { makeShell } from "../shell/shell";

export interface ToolEnvironmentOptions {
  readonly store: Store;
  readonly projects: Projects;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  settings(): Settings;
  now(): number;
  /** Called when the trash of a project changed; default: nothing. */
  trashChanged?(projectId: ProjectId): void;
  /** Journal of running commands; default: none. */
  readonly leftovers?: CleanupJournal;
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
  const shell = makeShell({
    root,
    cwd,
    environment: () => shellEnvironment(options.environment, options.settings().shellEnvironment),
    cleanup: options.leftovers,
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox.fence }),
  });
  return {
    root,
    files,
    search,
    shell: {
      get cwd() {
        return shell.cwd;
      },
      run: (command, run, signal) => shell.run(command, run, AbortSignal.any([signal, closing.signal])),
    },
    path(text, use) {
      const safe = modelPath(text === "" ? "." : text, use, project.policy());
      if (safe.ok) return safe.value;
      throw toToolError(safe.error, text);
    },
    resolveChild: (folder, name) => childPath(folder, name, project.policy()),
    storeBlob: (content) => store.blobs.putAsync(content),
    async trash(path) {
      const put = await bin.put(project, sessionId, path);
      if (put.ok) return put.value;
      throw toToolError(put.error, path.relative);
    },
    prepare: () => project.snapshots?.begin(),
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
      const read = await files.readBytes(path, limits.imageFileBytes);
      const before = read.ok ? store.blobs.put(read.value) : null;
      return [toPreviousState({ path: path.relative, blob: before, mode: info.value.mode })];
    },
    dispose: () => closing.abort(),
  };
}

const noFilesFound: DetectedFileChanges = { befores: [], changes: [], notKept: 0 };
