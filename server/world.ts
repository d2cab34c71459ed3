/** Builds the tool environment of a session: files, search, shell, trash and blobs of its project. */
import type { ProjectId, SessionId } from "@/lib/id";
import { limits, type Settings } from "@/lib/settings";
import type { FilesFound } from "./agent/host";
import { foundChanges, stateOf } from "./found-changes";
import { shellEnvironment } from "./security/environment";
import { childPath, modelPath } from "./security/paths";
import type { SessionWorld } from "./session/services";
import type { Store } from "./store/open-store";
import { explain } from "./tools/explain";
import { makeTrashBin, type TrashBin } from "./trash-bin";
import type { Leftovers } from "./workspace/leftovers";
import type { OpenProject, Projects } from "./workspace/projects";
import type { Sandbox } from "./workspace/sandbox";
import { makeShell } from "./workspace/shell";

export interface WorldOptions {
  readonly store: Store;
  readonly projects: Projects;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  settings(): Settings;
  now(): number;
  /** Called when the trash of a project changed; default: nothing. */
  trashChanged?(projectId: ProjectId): void;
  /** Journal of running commands; default: none. */
  readonly leftovers?: Leftovers;
  /** Sandbox around the shell; default: none. */
  readonly sandbox?: Pick<Sandbox, "fence">;
}

export interface Worlds {
  /** `project` must be open. */
  make(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionWorld;
  readonly trash: TrashBin;
}

export function makeWorlds(options: WorldOptions): Worlds {
  const { projects } = options;
  const bin = makeTrashBin({ ...options, changed: options.trashChanged ?? (() => {}) });
  return {
    trash: bin,
    make(projectId, sessionId, cwd) {
      const project = projects.peek(projectId);
      if (project === undefined) throw new Error(`project ${projectId} is not open`);
      return makeWorld({ ...options, bin }, project, sessionId, cwd);
    },
  };
}

function makeWorld(
  options: WorldOptions & { readonly bin: TrashBin },
  project: OpenProject,
  sessionId: SessionId,
  cwd: string,
): SessionWorld {
  const { store, bin } = options;
  const { root, files, search } = project;
  const closing = new AbortController();
  const shell = makeShell({
    root,
    cwd,
    environment: () => shellEnvironment(options.environment, options.settings().shellEnvironment),
    leftovers: options.leftovers,
    ...(options.sandbox === undefined ? {} : { fence: options.sandbox.fence }),
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
      throw explain(safe.error, text);
    },
    child: (folder, name) => childPath(folder, name, project.policy()),
    keep: (content) => store.blobs.keep(content),
    async trash(path) {
      const put = await bin.put(project, sessionId, path);
      if (put.ok) return put.value;
      throw explain(put.error, path.relative);
    },
    prepare: () => project.images?.begin(),
    async around(callId, work) {
      if (project.images === null) {
        const [value] = await Promise.allSettled([work()]);
        return { value, found: nothingFound };
      }
      const { value, found } = await project.images.around({ sessionId, callId }, work);
      return { value, found: await foundChanges(found, store.blobs) };
    },
    async statesOf(path) {
      const info = await files.info(path);
      if (!info.ok) return [];
      if (info.value.kind === "folder") return ((await project.images?.below(path.relative)) ?? []).map(stateOf);
      const read = await files.readBytes(path, limits.imageFileBytes);
      const before = read.ok ? store.blobs.put(read.value) : null;
      return [stateOf({ path: path.relative, blob: before, mode: info.value.mode })];
    },
    dispose: () => closing.abort(),
  };
}

const nothingFound: FilesFound = { befores: [], changes: [], notKept: 0 };
