/** A session's hands: files, search, shell, trash and blobs of its project in one object. Built for main by makeWorlds. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/error";
import { asId, type BlobId, type ProjectId, type SessionId, type TrashId } from "@/lib/id";
import type { Settings } from "@/lib/settings";
import { freshId } from "./base/id";
import { shellEnvironment } from "./security/environment";
import { childPath, modelPath, ownerPath } from "./security/paths";
import type { SessionWorld } from "./session/services";
import type { Store } from "./store/open-store";
import { explain } from "./tools/explain";
import type { Leftovers } from "./workspace/leftovers";
import type { OpenProject, Projects } from "./workspace/projects";
import { makeShell } from "./workspace/shell";

export interface WorldOptions {
  readonly store: Store;
  readonly projects: Projects;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  settings(): Settings;
  now(): number;
  /** Where a command is noted while it runs; nowhere by default. */
  readonly leftovers?: Leftovers;
}

export interface Worlds {
  /** `project` must be open. */
  make(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionWorld;
  /** Puts a deleted file or folder back where it was; fails with exists, not_found, gone. */
  restore(projectId: ProjectId, trashId: TrashId): Promise<Result<{ readonly path: string }>>;
}

export function makeWorlds(options: WorldOptions): Worlds {
  const { store, projects } = options;
  return {
    make(projectId, sessionId, cwd) {
      const project = projects.peek(projectId);
      if (project === undefined) throw new Error(`project ${projectId} is not open`);
      return makeWorld(options, project, sessionId, cwd);
    },
    async restore(projectId, trashId) {
      const item = await store.trash.get(trashId);
      const project = await projects.get(projectId);
      if (!project.ok || item === undefined || item.projectId !== projectId) return fail("not_found");
      if (item.restoredAt !== undefined) return fail("gone", item.path);
      const place = ownerPath(item.path, "write", project.value.policy());
      if (!place.ok) return place;
      const back = await project.value.files.moveBack(item.keptIn, place.value);
      if (!back.ok) return back;
      await store.trash.markRestored(trashId, options.now());
      return ok({ path: item.path });
    },
  };
}

function makeWorld(options: WorldOptions, project: OpenProject, sessionId: SessionId, cwd: string): SessionWorld {
  const { store } = options;
  const { root, files, search } = project;
  const closing = new AbortController();
  const shell = makeShell({
    root,
    cwd,
    environment: () => shellEnvironment(options.environment, options.settings().shellEnvironment),
    leftovers: options.leftovers,
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
    keep: async (content) => asId<BlobId>(store.blobs.put(content)),
    async trash(path) {
      const trash = freshId<TrashId>("trash");
      const keptIn = join(options.home, "trash", trash);
      const info = await project.files.info(path);
      const item = {
        id: trash,
        sessionId,
        projectId: project.project.id,
        path: path.relative,
        keptIn,
        folder: info.ok && info.value.kind === "folder",
        files: 0,
        bytes: info.ok ? info.value.size : 0,
        at: options.now(),
      };
      await mkdir(join(options.home, "trash"), { recursive: true, mode: 0o700 });
      await store.trash.add(item);
      const moved = await files.moveOut(path, keptIn);
      if (moved.ok) return { trash, ...moved.value };
      await store.trash.remove(trash);
      throw explain(moved.error, path.relative);
    },
    dispose: () => closing.abort(),
  };
}
