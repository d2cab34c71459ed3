/** Commands about projects, their files, their trash, and the history of all. Part of the table in command.ts. */
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
  /** The folders of this machine that complete a typed path, absolute or from the home folder. */
  "project.folders": command<FolderNames>()(z.object({ path })),
  "project.changes": command<WorkingTree>()(z.object({ projectId })),
  /** The project's folder was moved: its sessions, rules and trash go on here. exists = another project is there already. */
  "project.relink": command<{ project: Project }>()(z.object({ projectId, path })),
  "project.trust": command<ProjectView>()(z.object({ projectId, trusted: z.boolean() })),
  "files.list": command<Folder>()(z.object({ projectId, path })),
  /** The folders this client shows; the server watches just these. */
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
  /** For good. */
  "trash.remove": command<null>()(z.object({ trashId: id<TrashId>() })),
  "history.search": command<SearchResult>()(
    z.object({
      query: z.string().check(z.minLength(1), z.maxLength(200)),
      projectId: z.optional(projectId),
      ...listFilters,
      next: z.optional(z.string().check(z.maxLength(200))),
    }),
  ),
  /** `zone` = the user's time zone, for whose days it counts. */
  "history.statistics": command<StatisticsResult>()(
    z.object({
      projectId: z.optional(projectId),
      from: z.optional(moment),
      to: z.optional(moment),
      zone: z.string().check(z.maxLength(60)),
    }),
  ),
  /** The models that sessions had, for the filter. */
  "history.models": command<{ models: readonly string[] }>()(none),
} as const;
