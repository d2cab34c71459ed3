/** The files of workflows: of this program's home, and of a project while it is trusted. Nothing of them is run here. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash } from "@/lib/events/id";
import { isWorkflowName, workflowLimits, type WorkflowPlace } from "@/lib/workflows/workflow";
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";
import { computeHash } from "@/server/base/id";
import { ownerPath } from "@/server/security/paths/safe-path";
import { makePrivateFolder, writePrivateFileAsync } from "@/server/store/core/private-file";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { findFolder, readFileInside } from "@/server/workspace/files/read-file-inside";
import type { OpenProject } from "@/server/workspace/projects/projects";
import { type ParsedWorkflow, parseWorkflow } from "./parse-workflow";

const projectWorkflowFolder = ".gopi/workflows";
const ending = ".yaml";

/** A workflow as its file is now. */
export interface WorkflowFile extends ParsedWorkflow {
  readonly place: WorkflowPlace;
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly hash: Hash;
}

export interface FoundWorkflows {
  readonly isTrusted: boolean;
  /** Files of the project's folder, which are not read while the project is not trusted. */
  readonly untrusted: readonly string[];
  /** Files of the project first; the first one of a name is used. */
  readonly files: readonly WorkflowFile[];
}

type WorkflowProject = Pick<OpenProject, "root" | "trusted" | "policy" | "files">;

/** `home` = this program's data folder. */
export function makeWorkflowFiles(home: string) {
  const homeFolder = join(home, "workflows");
  const folderOf = (place: WorkflowPlace, project: Pick<WorkflowProject, "root">): string =>
    place === "home" ? homeFolder : join(project.root, projectWorkflowFolder);

  /** Rejects when the signal fires. */
  const read = async (project: WorkflowProject, signal: AbortSignal): Promise<FoundWorkflows> => {
    const isTrusted = project.trusted();
    const own = folderOf("project", project);
    const names = await listNames(own, project.root);
    const files = isTrusted ? await readPlace("project", own, names, signal) : [];
    const others = await readPlace("home", homeFolder, await listNames(homeFolder, null), signal);
    return { isTrusted, untrusted: isTrusted ? [] : names, files: [...files, ...others] };
  };
  return {
    read,
    folderOf,
    /** The files of a project's folder count only while it is trusted. Fails with not_found, untrusted, codes of reading. */
    async readText(
      project: WorkflowProject,
      place: WorkflowPlace,
      name: string,
    ): Promise<Result<{ readonly text: string; readonly hash: Hash }>> {
      if (!isWorkflowName(name)) return fail("bad_path", name, { path: name });
      if (place === "project" && !project.trusted()) return fail("untrusted");
      const bytes = await readWorkflowBytes(folderOf(place, project), place === "home" ? null : project.root, name);
      return bytes.ok
        ? ok({ text: bytes.value.toString("utf8"), hash: computeHash(bytes.value.toString("utf8")) })
        : bytes;
    },
    /**
     * Writes a file whose text still has the hash `before`; null = there is none yet. Fails with bad_path, untrusted,
     * changed_meanwhile, too_large, and the codes of writing.
     */
    async write(
      project: WorkflowProject,
      {
        place,
        name,
        text,
        before,
      }: Pick<WorkflowFileView, "place" | "name"> & { readonly text: string; readonly before: Hash | null },
    ): Promise<Result<null>> {
      if (!isWorkflowName(name)) return fail("bad_path", name, { path: name });
      if (place === "project" && !project.trusted()) return fail("untrusted");
      if (Buffer.byteLength(text) > workflowLimits.bytes)
        return fail("too_large", undefined, { limit: workflowLimits.bytes });
      if (place === "home") return writeHomeFile(homeFolder, name, text, before);
      const path = ownerPath(`${projectWorkflowFolder}/${name}${ending}`, "write", project.policy());
      if (!path.ok) return path;
      const written = await project.files.write(path.value, text, before);
      return written.ok ? ok(null) : written;
    },
  };
}

export type WorkflowFiles = ReturnType<typeof makeWorkflowFiles>;

/** Names of the files of a folder that does not lead out of `within`, sorted. */
async function listNames(folder: string, within: string | null): Promise<readonly string[]> {
  const root = await findFolder(folder, within);
  if (root === null) return [];
  const entries = await readdir(root).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith(ending) && !entry.startsWith("."))
    .map((entry) => entry.slice(0, -ending.length))
    .toSorted()
    .slice(0, workflowLimits.files);
}

async function readPlace(
  place: WorkflowPlace,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly WorkflowFile[]> {
  const files: WorkflowFile[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const bytes = await readWorkflowBytes(folder, null, name);
    const path = join(folder, name + ending);
    const text = bytes.ok ? bytes.value.toString("utf8") : "";
    const parsed: ParsedWorkflow = bytes.ok
      ? parseWorkflow(name, text)
      : {
          workflow: null,
          problems: [{ kind: bytes.error.code === "too_large" ? "too_large" : "yaml", line: 1, detail: "" }],
        };
    files.push({ place, name, path, text, hash: computeHash(text), ...parsed });
  }
  return files;
}

async function readWorkflowBytes(folder: string, within: string | null, name: string): Promise<Result<Buffer>> {
  const root = await findFolder(folder, within);
  if (root === null) return fail("not_found");
  const bytes = await readFileInside(root, name + ending, workflowLimits.bytes);
  return bytes.ok ? ok(Buffer.from(bytes.value)) : bytes;
}

const writeHomeFile = (folder: string, name: string, text: string, before: Hash | null): Promise<Result<null>> =>
  catchFileErrors(join(folder, name + ending), async () => {
    const now = await readWorkflowBytes(folder, null, name);
    const hash = now.ok ? computeHash(now.value.toString("utf8")) : null;
    if (hash !== before) return fail(before === null ? "exists" : "changed_meanwhile");
    makePrivateFolder(folder);
    await writePrivateFileAsync(join(folder, name + ending), Buffer.from(text));
    return ok(null);
  });
