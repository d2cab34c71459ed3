/** Commands for projects, their files and trash, and the history over all sessions. */
import * as z from "zod/mini";
import type { ProjectView } from "./answers";
import type { TrashEntry, WorkingTree } from "./changes";
import { command, hash, id, listFilters, moment, none, path, projectId } from "./command-input";
import type { Folder, OpenFile } from "./files";
import type { FolderNames } from "./folder-path";
import type { SearchResult, StatisticsResult } from "./history";
import type { Hash, TrashId } from "./id";
import type { Project } from "./project";
import { limits } from "./settings";

export const workspaceCommands = {
  "project.list": command<{ projects: readonly Project[] }>()(none),
  "project.open": command<ProjectView>()(z.object({ projectId: z.optional(projectId), path: z.optional(path) })),
  /** Completes a typed folder path, absolute or relative to the home folder. */
  "project.folders": command<FolderNames>()(z.object({ path })),
  "project.changes": command<WorkingTree>()(z.object({ projectId })),
  /**
   * Assigns a moved folder to the project, with its sessions, rules and trash. Error: exists if the path belongs to
   * another project.
   */
  "project.relink": command<{ project: Project }>()(z.object({ projectId, path })),
  "project.trust": command<ProjectView>()(z.object({ projectId, trusted: z.boolean() })),
  "files.list": command<Folder>()(z.object({ projectId, path })),
  /** Sets the folders this client displays; the server watches only these. */
  "files.watch": command<null>()(
    z.object({ projectId, folders: z.array(path).check(z.maxLength(limits.watchedFolders)) }),
  ),
  "files.read": command<OpenFile>()(z.object({ projectId, path })),
  "files.write": command<{ hash: Hash }>()(
    z.object({
      projectId,
      path,
      text: z.string().check(z.maxLength(limits.editorMaxBytes)),
      expect: z.nullable(hash),
    }),
  ),
  "files.make_folder": command<null>()(z.object({ projectId, path })),
  "files.rename": command<null>()(z.object({ projectId, path, to: path })),
  "trash.list": command<{ entries: readonly TrashEntry[]; more: boolean }>()(
    z.object({ projectId: z.optional(projectId), before: z.optional(moment) }),
  ),
  "trash.restore": command<{ path: string }>()(z.object({ trashId: id<TrashId>() })),
  /** Deletes permanently. */
  "trash.remove": command<null>()(z.object({ trashId: id<TrashId>() })),
  "history.search": command<SearchResult>()(
    z.object({
      query: z.string().check(z.minLength(1), z.maxLength(200)),
      projectId: z.optional(projectId),
      ...listFilters,
      next: z.optional(z.string().check(z.maxLength(200))),
    }),
  ),
  /** `zone` = IANA time zone of the user, for the boundaries of days. */
  "history.statistics": command<StatisticsResult>()(
    z.object({
      projectId: z.optional(projectId),
      from: z.optional(moment),
      to: z.optional(moment),
      zone: z.string().check(z.maxLength(60)),
    }),
  ),
  /** Models used by sessions, for the filter. */
  "history.models": command<{ models: readonly string[] }>()(none),
} as const;
