/** Commands of the project and files families. The owner's editor may open files the model may not. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { Folder, OpenFile } from "@/lib/workspace/project-files";
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { ownerPath, type SafePath } from "@/server/security/paths/safe-path";
import { listFolderNames } from "@/server/workspace/files/folder-names";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

type WorkspaceCommand = Exclude<
  Extract<keyof HandlerTable, `project.${string}` | `files.${string}`>,
  "project.trust" | "project.changes" | "project.relink"
>;

export const workspaceHandlers = (services: HandlerServices): Pick<HandlerTable, WorkspaceCommand> => ({
  ...projectHandlers(services),
  ...fileCommandHandlers(services),
});

const projectHandlers = ({ projects, store, push }: HandlerServices) =>
  ({
    "project.list": () => ok({ projects: store.projects.list() }),
    "project.folders": ({ path }) => listFolderNames(path),
    "project.open": async ({ projectId, path }) => {
      if (path !== undefined) {
        const opened = await projects.open(path);
        if (opened.ok) push({ type: "project", project: opened.value.project });
        return opened.ok ? ok(await opened.value.view()) : opened;
      }
      const known = projectId === undefined ? fail("bad_input") : await projects.get(projectId);
      return known.ok ? ok(await known.value.view()) : known;
    },
  }) satisfies Partial<HandlerTable>;

const fileCommandHandlers = (services: HandlerServices) =>
  ({
    "files.list": ({ projectId, path }) => withOwnerPath(services, projectId, path, "read", listProjectFolder),
    "files.watch": async ({ projectId, folders }, client) => {
      const project = await services.projects.get(projectId);
      if (!project.ok) return project;
      project.value.watch(client.id, folders);
      // A page loaded before an update sends no topic.subscribe.
      client.join("files", projectId);
      return ok(null);
    },
    "files.read": ({ projectId, path }) => withOwnerPath(services, projectId, path, "read", readProjectFile),
    "files.write": ({ projectId, path, text, expect }) =>
      withOwnerPath(services, projectId, path, "write", async (project, safe) => {
        const before = expect === null ? null : await project.files.readText(safe, limits.editorMaxBytes);
        if (before !== null && !before.ok) return before;
        return project.files.write(safe, text, expect, before?.value);
      }),
    "files.make_folder": ({ projectId, path }) =>
      withOwnerPath(services, projectId, path, "write", async (project, safe) => {
        const made = await project.files.makeFolder(safe);
        return made.ok ? ok(null) : made;
      }),
    "files.rename": ({ projectId, path, to }) =>
      withOwnerPath(services, projectId, path, "write", async (project, safe) => {
        const target = ownerPath(to, "write", project.policy());
        if (!target.ok) return target;
        const renamed = await project.files.rename(safe, target.value);
        return renamed.ok ? ok(null) : renamed;
      }),
  }) satisfies Partial<HandlerTable>;

async function withOwnerPath<T>(
  services: HandlerServices,
  projectId: ProjectId,
  path: string,
  use: "read" | "write",
  work: (project: OpenProject, safe: SafePath<"owner">) => Promise<Result<T>>,
): Promise<Result<T>> {
  const project = await services.projects.get(projectId);
  if (!project.ok) return project;
  const safe = ownerPath(path === "" ? "." : path, use, project.value.policy());
  return safe.ok ? work(project.value, safe.value) : safe;
}

/** Hides git's own folder from the tree; its path can still be opened. */
const isShownInTree = (entry: { readonly name: string }): boolean => entry.name !== ".git";

async function listProjectFolder(project: OpenProject, safe: SafePath<"owner">): Promise<Result<Folder>> {
  const listed = await project.files.list(safe, limits.folderEntries);
  if (!listed.ok) return listed;
  const path = safe.relative === "." ? "" : safe.relative;
  const entries = listed.value.entries.filter(isShownInTree);
  const nodes = entries.map((entry) => ({ ...entry, path: path === "" ? entry.name : `${path}/${entry.name}` }));
  return ok({ path, nodes, total: listed.value.total - (listed.value.entries.length - entries.length) });
}

async function readProjectFile(project: OpenProject, safe: SafePath<"owner">): Promise<Result<OpenFile>> {
  const read = await project.files.readText(safe, limits.editorMaxBytes);
  if (!read.ok) return read;
  const { text, hash, size, eol, encoding } = read.value;
  return ok({ path: safe.relative, text, hash, size, eol, encoding, readOnly: null });
}
