/** External tools whose call the user approved in a project, with the definition that was approved. */
import type Database from "better-sqlite3";
import type { Hash, ProjectId } from "@/lib/events/id";
import { type ApprovedTools, approvedToolKey, type ExternalAccess } from "@/lib/permissions/policy";
import { withStoreErrors } from "../core/store-error";

/** Throws StoreError. */
export interface ApprovedToolStore {
  list(projectId: ProjectId): ApprovedTools;
  /**
   * Approves the tool as it is defined now, instead of an earlier definition. `at` (ms epoch) is stored only with the
   * first approval of the tool.
   */
  approve(projectId: ProjectId, access: ExternalAccess, at: number): void;
  /** Deletes the approvals of a source's tools in a project; null = in all projects. */
  forget(source: string, projectId: ProjectId | null): void;
  /** Names (`source/tool`) of the tools that were first approved before `at`, ms epoch. */
  usedBefore(projectId: ProjectId, at: number): ReadonlySet<string>;
}

interface ApprovedToolRow {
  readonly source: string;
  readonly tool: string;
  readonly definition: Hash;
  readonly firstAt: number;
}

export const createApprovedTools = (database: Database.Database): ApprovedToolStore => {
  const ofProject = database.prepare<[ProjectId], ApprovedToolRow>(
    "SELECT source, tool, definition, first_at AS firstAt FROM approved_tools WHERE project_id = ?",
  );
  const write = database.prepare<[ProjectId, string, string, Hash, number]>(
    `INSERT INTO approved_tools (project_id, source, tool, definition, first_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET definition = excluded.definition`,
  );
  const drop = database.prepare<[string, ProjectId | null]>(
    "DELETE FROM approved_tools WHERE source = ? AND project_id = coalesce(?, project_id)",
  );
  // Read at every decision; this store is the only writer of the table.
  const rows = new Map<ProjectId, readonly ApprovedToolRow[]>();
  const approved = new Map<ProjectId, ApprovedTools>();
  const rowsOf = (projectId: ProjectId): readonly ApprovedToolRow[] => {
    const found = rows.get(projectId) ?? withStoreErrors(database.name, () => ofProject.all(projectId));
    rows.set(projectId, found);
    return found;
  };
  return {
    list(projectId) {
      const cached = approved.get(projectId);
      if (cached !== undefined) return cached;
      const listed = new Map(rowsOf(projectId).map((row) => [approvedToolKey(row), row.definition]));
      approved.set(projectId, listed);
      return listed;
    },
    approve(projectId, { source, tool, definition }, at) {
      rows.delete(projectId);
      approved.delete(projectId);
      withStoreErrors(database.name, () => write.run(projectId, source, tool, definition, at));
    },
    forget(source, projectId) {
      rows.clear();
      approved.clear();
      withStoreErrors(database.name, () => drop.run(source, projectId));
    },
    usedBefore: (projectId, at) =>
      new Set(rowsOf(projectId).flatMap((row) => (row.firstAt < at ? [approvedToolKey(row)] : []))),
  };
};
