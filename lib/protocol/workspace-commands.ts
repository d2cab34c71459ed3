/** Commands for projects, their files and trash, and the history over all sessions. */
import * as z from "zod/mini";
import type { ProjectView } from "./answers";
import type { TrashEntry, WorkingTree } from "../workspace/changes";
import { defineCommand, hash, brandedId, listFilters, timestamp, noInput, path, projectId } from "./command-input";
import type { Folder, OpenFile } from "../workspace/project-files";
import type { FolderNames } from "../workspace/folder-path";
import type { SearchResult, StatisticsResult } from "./history";
import type { Hash, TrashId } from "../events/id";
import type { Project } from "../workspace/project";
import { limits } from "../settings/settings";

export const workspaceCommands = {
  "project.list": defineCommand<{ projects: readonly Project[] }>()(noInput),
  "project.open": defineCommand<ProjectView>()(z.object({ projectId: z.optional(projectId), path: z.optional(path) })),
  /** Completes a typed folder path, absolute or relative to the home folder. */
  "project.folders": defineCommand<FolderNames>()(z.object({ path })),
  "project.changes": defineCommand<WorkingTree>()(z.object({ projectId })),
  /**
   * Assigns a moved folder to the project, with its sessions, rules and trash. Error: exists if the path belongs to
   * another project.
   */
  "project.relink": defineCommand<{ project: Project }>()(z.object({ projectId, path })),
  "project.trust": defineCommand<ProjectView>()(z.object({ projectId, trusted: z.boolean() })),
  "files.list": defineCommand<Folder>()(z.object({ projectId, path })),
  /** Sets the folders this client displays; the server watches only these. */
  "files.watch": defineCommand<null>()(
    z.object({ projectId, folders: z.array(path).check(z.maxLength(limits.watchedFolders)) }),
  ),
  "files.read": defineCommand<OpenFile>()(z.object({ projectId, path })),
  "files.write": defineCommand<{ hash: Hash }>()(
    z.object({
      projectId,
      path,
      text: z.string().check(z.maxLength(limits.editorMaxBytes)),
      expect: z.nullable(hash),
    }),
  ),
  "files.make_folder": defineCommand<null>()(z.object({ projectId, path })),
  "files.rename": defineCommand<null>()(z.object({ projectId, path, to: path })),
  "trash.list": defineCommand<{ entries: readonly TrashEntry[]; more: boolean }>()(
    z.object({ projectId: z.optional(projectId), before: z.optional(timestamp) }),
  ),
  "trash.restore": defineCommand<{ path: string }>()(z.object({ trashId: brandedId<TrashId>() })),
  /** Deletes permanently. */
  "trash.remove": defineCommand<null>()(z.object({ trashId: brandedId<TrashId>() })),
  "history.search": defineCommand<SearchResult>()(
    z.object({
      query: z.string().check(z.minLength(1), z.maxLength(200)),
      projectId: z.optional(projectId),
      ...listFilters,
      next: z.optional(z.string().check(z.maxLength(200))),
    }),
  ),
  /** `zone` = IANA time zone of the user, for the boundaries of days. */
  "history.statistics": defineCommand<StatisticsResult>()(
    z.object({
      projectId: z.optional(projectId),
      from: z.optional(timestamp),
      to: z.optional(timestamp),
      zone: z.string().check(z.maxLength(60)),
    }),
  ),
  /** Models used by sessions, for the filter. */
  "history.models": defineCommand<{ models: readonly string[] }>()(noInput),
} as const;
