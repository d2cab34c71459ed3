/** Projects: the folders opened by the user. */
import type Database from "better-sqlite3";
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { randomId } from "@/server/base/id";
import { withStoreErrors } from "./core/store-error";

/** Throws StoreError. */
export interface ProjectStore {
  /**
   * Returns the project of a folder (absolute, links resolved). Creates it if new, lists it again if it was removed.
   * `name` is used for a new project only, because the user may have renamed it.
   */
  open(folder: { readonly path: string; readonly name: string }, at: number): Project;
  /** Finds removed projects too, since their sessions still reference them. */
  get(id: ProjectId): Project | undefined;
  /** Projects, last opened first, without removed ones. */
  list(): Project[];
  /** Changes the folder of a project; undefined = another project has this path, or the project does not exist. */
  move(id: ProjectId, path: string): Project | undefined;
  rename(id: ProjectId, name: string): boolean;
  /** Sets the time of pinning; null = not pinned. false = no such project. */
  setPin(id: ProjectId, at: number | null): boolean;
  /** True if the user trusts the folder. */
  isTrusted(id: ProjectId): boolean;
  /** Sets the time of trust; null revokes it. false = no such project. */
  setTrust(id: ProjectId, at: number | null): boolean;
  /** Sets the top of the repository above the folder that is used; null = none. false = no such project. */
  setGitTop(id: ProjectId, top: string | null): boolean;
  /** Removes the project from the list; its sessions and rules are retained. */
  remove(id: ProjectId, at: number): boolean;
  /** Lists a removed project again. */
  restore(id: ProjectId): boolean;
  /** Deletes a project that has no sessions any more, with its rules, decisions and snapshots. */
  delete(id: ProjectId): void;
}

const projectColumns =
  "id, path, name, opened_at AS openedAt, trusted_at AS trustedAt, git_top AS gitTop, pinned_at AS pinnedAt, removed_at AS removedAt";

export const createProjects = (database: Database.Database): ProjectStore => {
  const byId = database.prepare<[ProjectId], Project>(`SELECT ${projectColumns} FROM projects WHERE id = ?`);
  const listed = database.prepare<[], Project>(
    `SELECT ${projectColumns} FROM projects WHERE removed_at IS NULL ORDER BY opened_at DESC, id`,
  );
  const upsert = database.prepare<{ id: ProjectId; path: string; name: string; at: number }, Project>(
    `INSERT INTO projects (id, path, name, created_at, opened_at) VALUES (@id, @path, @name, @at, @at)
     ON CONFLICT (path) DO UPDATE SET opened_at = excluded.opened_at, removed_at = NULL RETURNING ${projectColumns}`,
  );

  const trust = database.prepare<[number | null, ProjectId]>("UPDATE projects SET trusted_at = ? WHERE id = ?");
  const gitTop = database.prepare<[string | null, ProjectId]>("UPDATE projects SET git_top = ? WHERE id = ?");
  const pin = database.prepare<[number | null, ProjectId]>("UPDATE projects SET pinned_at = ? WHERE id = ?");
  const rename = database.prepare<[string, ProjectId]>("UPDATE projects SET name = ? WHERE id = ?");
  const remove = database.prepare<[number, ProjectId]>(
    "UPDATE projects SET removed_at = ? WHERE id = ? AND removed_at IS NULL",
  );
  const restore = database.prepare<[ProjectId]>("UPDATE projects SET removed_at = NULL WHERE id = ?");
  const deletions = [
    database.prepare<[ProjectId]>("DELETE FROM decisions WHERE project_id = ?"),
    database.prepare<[ProjectId]>("DELETE FROM projects WHERE id = ?"),
  ];
  const deleteAll = database.transaction((id: ProjectId) => deletions.forEach((deletion) => deletion.run(id)));
  const move = database.prepare<{ id: ProjectId; path: string }, Project>(
    `UPDATE projects SET path = @path, removed_at = NULL, trusted_at = NULL, git_top = NULL
     WHERE id = @id AND NOT EXISTS (SELECT 1 FROM projects WHERE path = @path AND id <> @id) RETURNING ${projectColumns}`,
  );

  const open = ({ path, name }: { readonly path: string; readonly name: string }, at: number): Project => {
    const id = randomId<ProjectId>("prj");
    return upsert.get({ id, path, name, at }) ?? { id, path, name, openedAt: at };
  };

  return {
    open: (folder, at) => withStoreErrors(database.name, () => open(folder, at)),
    get: (id) => withStoreErrors(database.name, () => byId.get(id)),
    list: () => withStoreErrors(database.name, () => listed.all()),
    isTrusted: (id) => withStoreErrors(database.name, () => typeof byId.get(id)?.trustedAt === "number"),
    setTrust: (id, at) => withStoreErrors(database.name, () => trust.run(at, id).changes === 1),
    setGitTop: (id, top) => withStoreErrors(database.name, () => gitTop.run(top, id).changes === 1),
    move: (id, path) => withStoreErrors(database.name, () => move.get({ id, path })),
    setPin: (id, at) => withStoreErrors(database.name, () => pin.run(at, id).changes === 1),
    rename: (id, name) => withStoreErrors(database.name, () => rename.run(name, id).changes === 1),
    restore: (id) => withStoreErrors(database.name, () => restore.run(id).changes === 1),
    delete: (id) => withStoreErrors(database.name, () => deleteAll(id)),
    remove: (id, at) => withStoreErrors(database.name, () => remove.run(at, id).changes === 1),
  };
};
