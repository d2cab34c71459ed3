/** Commands of the project and files families. The owner's editor may open files the model may not. */
import { ok, type Result } from "@/lib/events/error";
import type { FileStyle } from "@/lib/workspace/file-style";
import type { Folder, FolderPosition } from "@/lib/workspace/project-files";
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { joinPath } from "@/lib/workspace/project-path";
import { promptFile } from "@/server/prompts/prompts";
import { ownerPath, type SafePath } from "@/server/security/paths/safe-path";
import { readStyleOf } from "@/server/workspace/editor-config/read-style";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";
import { readProjectFile, writeInEncoding } from "./file-text";
import { fileOperationHandlers } from "./file-operations";
import { projectHandlers } from "./project-handlers";
import { neverAborted } from "@/server/base/abort";

/** Entries of a further page of a folder. */
const folderPageEntries = 10_000;

export const workspaceHandlers = (services: CoreServices) =>
  ({
    ...projectHandlers(services),
    ...fileCommandHandlers(services),
    ...fileOperationHandlers(services),
    "project.init_prompt": () => ok({ text: promptFile("init.md") }),
  }) satisfies Partial<HandlerTable>;

const fileCommandHandlers = (services: CoreServices) =>
  ({
    "files.list": ({ projectId, path, after }) =>
      withOwnerPath(services, projectId, path, "read", (project, safe) => listProjectFolder(project, safe, after)),
    "files.watch": async ({ projectId, folders }, client) => {
      const project = await services.projects.get(projectId);
      if (!project.ok) return project;
      project.value.watch(client.id, folders);
      // A page loaded before an update sends no topic.subscribe.
      client.join("files", projectId);
      return ok(null);
    },
    "files.read": ({ projectId, path, encoding }) =>
      withOwnerPath(services, projectId, path, "read", (project, safe) => readProjectFile(project, safe, encoding)),
    "files.link": ({ projectId, path }) =>
      withOwnerPath(services, projectId, path, "read", async (_project, safe) =>
        ok({ url: services.fileAccess.link(projectId, safe.relative) }),
      ),
    "files.archive_link": (choice) => services.fileArchives.link(choice),
    "files.style": ({ projectId, path }) => withOwnerPath(services, projectId, path, "read", readProjectStyle),
    "files.committed": ({ projectId, path }) =>
      withOwnerPath(services, projectId, path, "read", async (project, safe) => {
        const { readCommittedText } = await import("@/server/workspace/git/committed-text");
        const read = await readCommittedText(project, safe.relative, process.env, neverAborted);
        return read.ok ? ok({ text: read.value }) : read;
      }),
    "files.write": ({ projectId, path, text, expect, encoding }) =>
      withOwnerPath(services, projectId, path, "write", async (project, safe) => {
        if (encoding !== undefined) return writeInEncoding(project, safe, { text, expect, encoding });
        const before = expect === null ? null : await project.files.readText(safe, limits.editorMaxBytes);
        if (before !== null && !before.ok) return before;
        return project.files.write(
          safe,
          text,
          expect,
          before === null ? undefined : { encoding: before.value.encoding },
        );
      }),
    "files.make_folder": ({ projectId, path }) =>
      withOwnerPath(services, projectId, path, "write", async (project, safe) => {
        const created = await project.files.makeFolder(safe);
        return created.ok ? ok(null) : created;
      }),
  }) satisfies Partial<HandlerTable>;

async function withOwnerPath<T>(
  services: CoreServices,
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

async function listProjectFolder(
  project: OpenProject,
  safe: SafePath<"owner">,
  after: FolderPosition | undefined,
): Promise<Result<Folder>> {
  const max = after === undefined ? limits.folderEntries : folderPageEntries;
  const listed = await project.files.listPage(safe, max, after);
  if (!listed.ok) return listed;
  const path = safe.relative === "." ? "" : safe.relative;
  const nodes = listed.value.entries.map((entry) => ({ ...entry, path: joinPath(path, entry.name) }));
  return ok({ path, nodes, total: listed.value.total });
}

/** Size of an `.editorconfig`. */
const maxConfigBytes = 65_536;

async function readProjectStyle(project: OpenProject, safe: SafePath<"owner">): Promise<Result<FileStyle>> {
  return ok(
    await readStyleOf(safe.relative, async (path) => {
      const file = ownerPath(path, "read", project.policy());
      const read = file.ok ? await project.files.readText(file.value, maxConfigBytes) : file;
      return read.ok ? read.value.text : null;
    }),
  );
}
