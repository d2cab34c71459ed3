/**
 * Downloads of folders as one archive. The browser requests it by itself, without the page's secret; a random id stands
 * for that secret and for the chosen entries, and expires.
 */
import { posix } from "node:path";
import { ok, fail, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { baseName, isWithin, parentFolder, topPaths } from "@/lib/workspace/project-path";
import { randomSecret } from "@/server/base/id";
import { ownerEntryPath, ownerPath, type SafePath } from "@/server/security/paths/safe-path";
import { entryKind } from "@/server/workspace/files/file-handle";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import type { ArchiveRequest } from "@/server/workspace/workspace";
import { fileLinkMs } from "./file-access";

/** Choice of the owner in the file tree. */
export interface ArchiveChoice extends Pick<ArchiveRequest, "hidesDotFiles" | "hidesIgnored"> {
  readonly projectId: ProjectId;
  /** "" = the whole project. */
  readonly paths: readonly string[];
}

/** An archive that was requested. */
export interface RequestedArchive {
  /** File name of the archive. */
  readonly name: string;
  /** Rejects as `Files.archive`. */
  write(write: (bytes: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface OwnerFileArchives {
  /**
   * Address of the archive for this server's origin; valid for `fileLinkMs`. Fails with not_found, with bad_path for an
   * absolute path and one with empty, `.` or `..` parts, and as ownerEntryPath.
   */
  link(choice: ArchiveChoice): Promise<Result<{ readonly url: string; readonly name: string }>>;
  /** Fails with not_found for an id that was not given out or has expired, and as `link`. */
  open(id: string): Promise<Result<RequestedArchive>>;
}

interface FileArchiveOptions {
  readonly projects: Pick<Projects, "get">;
  readonly now: () => number;
}

/** Links that are valid at the same time; a new one replaces the oldest. */
const maxLinks = 50;

export function makeFileArchives({ projects, now }: FileArchiveOptions): OwnerFileArchives {
  const links = new Map<string, { readonly choice: ArchiveChoice; readonly until: number }>();
  const openChoice = async (choice: ArchiveChoice): Promise<Result<RequestedArchive>> => {
    const project = await projects.get(choice.projectId);
    if (!project.ok) return project;
    const paths = choice.paths.includes("") ? [""] : topPaths(choice.paths);
    const entries = await resolveEntries(project.value, paths);
    if (!entries.ok) return entries;
    const request = { ...choice, entries: entries.value };
    return ok({
      name: archiveName(paths, projectName(project.value.root)),
      write: (write, signal) => project.value.files.archive(request, write, signal),
    });
  };
  return {
    async link(choice) {
      const opened = await openChoice(choice);
      if (!opened.ok) return opened;
      const id = randomSecret();
      for (const old of [...links.keys()].slice(0, Math.max(0, links.size - maxLinks + 1))) links.delete(old);
      links.set(id, { choice, until: now() + fileLinkMs });
      return ok({ url: `/api/archive?${new URLSearchParams({ id }).toString()}`, name: opened.value.name });
    },
    async open(id) {
      const link = links.get(id);
      return link !== undefined && link.until > now() ? openChoice(link.choice) : fail("not_found");
    },
  };
}

/** Returns the entries with their names below the folder that contains all of them. */
async function resolveEntries(
  { policy, root }: OpenProject,
  paths: readonly string[],
): Promise<Result<ArchiveRequest["entries"]>> {
  const base = commonFolder(paths);
  const entries: { readonly path: SafePath; readonly name: string }[] = [];
  for (const path of paths) {
    // The path becomes the name in the archive, which a program that extracts it must not resolve elsewhere.
    if (path !== "" && path.split("/").some((part) => part === "" || part === "." || part === ".."))
      return fail("bad_path", undefined, { path: path.slice(0, 200) });
    const safe = path === "" ? ownerPath(".", "read", policy()) : ownerEntryPath(path, policy());
    if (!safe.ok) return safe;
    const kind = path === "" ? ok(undefined) : await entryKind(safe.value);
    if (!kind.ok) return kind;
    const name = path === "" ? projectName(root) : path.slice(base === "" ? 0 : base.length + 1);
    entries.push({ path: safe.value, name });
  }
  return ok(entries);
}

/** The root of the file system has no name. */
const projectName = (root: string): string => posix.basename(root) || "project";

function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths.map(parentFolder);
  let folder = first;
  while (folder !== "" && !others.every((other) => isWithin(folder, other))) folder = parentFolder(folder);
  return folder;
}

/** Named after the only entry, else after the folder that contains all of them. */
function archiveName(paths: readonly string[], project: string): string {
  const [only = ""] = paths;
  const path = paths.length === 1 ? only : commonFolder(paths);
  return `${path === "" ? project : baseName(path)}.zip`;
}
