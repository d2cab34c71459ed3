/** Commands for projects, their files and trash, and the history over all sessions. */
import * as z from "zod/mini";
import type { ProjectFacts, ProjectView } from "./answers";
import type { FileVersion, MarkedPath, TrashEntry } from "../workspace/changes";
import { defineCommand, hash, brandedId, listFilters, timestamp, noInput, path, projectId } from "./command-input";
import type {
  DeletedPath,
  ExistingPath,
  FailedPath,
  Folder,
  FoundFiles,
  MovedPath,
  OpenFile,
} from "../workspace/project-files";
import { textEncodings } from "../workspace/project-files";
import type { FileStyle } from "../workspace/file-style";
import type { FolderNames } from "../workspace/folder-path";
import type { SearchResult, StatisticsResult } from "./history";
import type { Hash, ProjectId, TrashId } from "../events/id";
import type { Project } from "../workspace/project";
import { limits } from "../settings/settings";

const paths = z.array(path).check(z.minLength(1), z.maxLength(limits.folderEntries));

export const workspaceCommands = {
  "project.list": defineCommand<{ projects: readonly Project[] }>()(noInput),
  "project.open": defineCommand<ProjectView>()(z.object({ projectId: z.optional(projectId), path: z.optional(path) })),
  /** Opens the personal workspace, for conversations that belong to no project; the first call creates it. */
  "project.workspace": defineCommand<ProjectView>()(noInput),
  /** Completes a typed folder path, absolute or relative to the home folder. */
  "project.folders": defineCommand<FolderNames>()(z.object({ path })),
  /** Lists what differs from the last commit, without contents; null = git is not run here. */
  "project.marks": defineCommand<{ marks: readonly MarkedPath[] | null }>()(z.object({ projectId })),
  /** Lists the versions of a file that sessions of the project left, newest first. */
  "project.versions": defineCommand<{ versions: readonly FileVersion[] }>()(z.object({ projectId, path })),
  /**
   * Assigns a moved folder to the project, with its sessions, rules and trash. Error: exists if the path belongs to
   * another project.
   */
  "project.relink": defineCommand<{ project: Project }>()(z.object({ projectId, path })),
  /** Changes what is given. A removed project is also listed again when its folder is opened. Error: not_found. */
  "project.edit": defineCommand<{ project: Project }>()(
    z.object({
      projectId,
      name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.titleMaxChars))),
      pinned: z.optional(z.boolean()),
      removed: z.optional(z.boolean()),
    }),
  ),
  /** Starts the tour, or joins the running one; `projectId` = the project that its end returns to. Fails as `project.open`, not_allowed with `--demo`. */
  "tour.start": defineCommand<ProjectView>()(z.object({ projectId })),
  /** Ends the tour, and deletes its project with the sessions, and its connection. */
  "tour.end": defineCommand<{ returnTo: ProjectId | null }>()(noInput),
  /** Facts for the first tasks; git is run in a trusted folder only. */
  "project.facts": defineCommand<ProjectFacts>()(z.object({ projectId })),
  /** The prompt with which the agent writes AGENTS.md. */
  "project.init_prompt": defineCommand<{ text: string }>()(noInput),
  "project.trust": defineCommand<ProjectView>()(z.object({ projectId, trusted: z.boolean() })),
  /** Lists the entries of a folder; with `after` those that follow this entry, which need not exist. */
  "files.list": defineCommand<Folder>()(
    z.object({
      projectId,
      path,
      after: z.optional(
        z.object({ name: z.string().check(z.minLength(1), z.maxLength(1_024)), isFolder: z.boolean() }),
      ),
    }),
  ),
  /** Sets the folders this client displays; the server watches only these. */
  "files.watch": defineCommand<null>()(
    z.object({ projectId, folders: z.array(path).check(z.maxLength(limits.watchedFolders)) }),
  ),
  /** `encoding`: reads the text in it, with or without a byte order mark, in place of the detected encoding. */
  "files.read": defineCommand<OpenFile>()(z.object({ projectId, path, encoding: z.optional(z.enum(textEncodings)) })),
  /** Address of the file's bytes, which the browser requests by itself; `&download` saves it. Valid for ten minutes. */
  "files.link": defineCommand<{ url: string }>()(z.object({ projectId, path })),
  /**
   * Address of a ZIP archive of the entries, which the browser requests by itself, and its file name; "" = the project.
   * The archive contains what the file tree shows with these options. Valid for ten minutes.
   */
  "files.archive_link": defineCommand<{ url: string; name: string }>()(
    z.object({ projectId, paths, hidesDotFiles: z.boolean(), hidesIgnored: z.boolean() }),
  ),
  /** The style that the `.editorconfig` files of its folders demand of the file; it need not exist. */
  "files.style": defineCommand<FileStyle>()(z.object({ projectId, path })),
  /** The text of a file in the last git commit; null = it has none there, or git may not run in the folder. */
  "files.committed": defineCommand<{ text: string | null }>()(z.object({ projectId, path })),
  /**
   * `encoding`: writes the text in it; absent = as the file is. `isMisread`: the detection of the encoding reads these
   * bytes as another text.
   */
  "files.write": defineCommand<{ hash: Hash; isMisread?: boolean }>()(
    z.object({
      projectId,
      path,
      text: z.string().check(z.maxLength(limits.editorMaxBytes)),
      expect: z.nullable(hash),
      encoding: z.optional(z.enum(textEncodings)),
    }),
  ),
  /** Formats a text with the formatter of the project that is meant for this file; nothing is written. */
  "files.format": defineCommand<{ text: string; formatter: string }>()(
    z.object({ projectId, path, text: z.string().check(z.maxLength(limits.editorMaxBytes)) }),
  ),
  /** Finds files by letters of their path, ignored ones excluded. `refresh` lists the files again. */
  "files.find": defineCommand<FoundFiles>()(
    z.object({
      projectId,
      query: z.string().check(z.maxLength(200)),
      max: z.int().check(z.gte(1), z.lte(200)),
      refresh: z.boolean(),
    }),
  ),
  /** Lists those of the paths that exist; a link counts, also a broken one. */
  "files.existing": defineCommand<{ existing: readonly ExistingPath[] }>()(z.object({ projectId, paths })),
  "files.make_folder": defineCommand<null>()(z.object({ projectId, path })),
  "files.rename": defineCommand<null>()(z.object({ projectId, path, to: path })),
  /** Moves entries to the trash; a link itself, never its target. A path within another one is part of it. */
  "files.delete": defineCommand<{ deleted: readonly DeletedPath[]; failed: readonly FailedPath[] }>()(
    z.object({ projectId, paths }),
  ),
  /**
   * Copies an entry into a folder, by default its own, under a free name; links are copied as links. Errors: too_large
   * with `maxFiles` and `maxBytes`, bad_path for a folder into itself.
   */
  "files.duplicate": defineCommand<{ path: string }>()(z.object({ projectId, path, folder: z.optional(path) })),
  /** Moves entries into an existing folder under their own names. */
  "files.move": defineCommand<{ moved: readonly MovedPath[]; failed: readonly FailedPath[] }>()(
    z.object({ projectId, paths, folder: path }),
  ),
  "trash.list": defineCommand<{ entries: readonly TrashEntry[]; more: boolean }>()(
    z.object({ projectId: z.optional(projectId), before: z.optional(timestamp) }),
  ),
  /** `replaces`: something else at the path is moved to the trash; otherwise it fails with exists. */
  "trash.restore": defineCommand<{ path: string }>()(
    z.object({ trashId: brandedId<TrashId>(), replaces: z.optional(z.boolean()) }),
  ),
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
