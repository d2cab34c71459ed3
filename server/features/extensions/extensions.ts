/** The extensions of this machine and of trusted projects: read again when they are needed, kept until they change. */
import { dirname, join } from "node:path";
import type { ProjectId } from "@/lib/events/id";
import { type AgentError, ok, type Result } from "@/lib/events/error";
import { type ExtensionProblem, type ExtensionStatus, isExtensionProblem } from "@/lib/tools/extensions";
import { abortable } from "@/server/base/abort";
import { oneAtATime } from "@/server/base/concurrency";
import type { Projects } from "@/server/workspace/projects/projects";
import type { Approval, Approvals, ApprovedExtensions } from "./approvals";
import { emptyDefinition } from "./definition/read-definition";
import { type ExtensionContent, readFiles } from "./extension-files";
import type { ExtensionIds } from "./extension-ids";
import { type Extension, type ExtensionCaches, type ExtensionPlace, findExtensions } from "./find-extensions";

export interface StatedExtension extends Extension {
  readonly status: ExtensionStatus;
  /** It had a gate when it was enabled. */
  readonly hadGate: boolean;
}

export interface ProjectExtensions {
  readonly isTrusted: boolean;
  /** Why it is not known what the user enabled: nothing is on, and every call of a tool asks. null = it is known. */
  readonly problem: AgentError | null;
  /** Real path of the project. */
  readonly root: string;
  readonly places: readonly (Omit<ExtensionPlace, "extensions"> & {
    readonly extensions: readonly StatedExtension[];
  })[];
}

export const findInProject = ({ places }: ProjectExtensions, path: string): StatedExtension | undefined =>
  places.flatMap(({ extensions }) => extensions).find((one) => one.path === path);

export interface Extensions {
  /**
   * Reads the folders, from after the call on; the same object if nothing has changed. Calls at one time share the work.
   * Fails with the codes of opening a project. Rejects when the signal fires.
   */
  refresh(projectId: ProjectId, signal: AbortSignal): Promise<Result<ProjectExtensions>>;
  /** Reads those of all projects again that were read before. */
  refreshAll(signal: AbortSignal): Promise<void>;
  /** As they were last read; null = not yet, or not since the user changed whether the project is trusted. */
  peek(projectId: ProjectId): ProjectExtensions | null;
  /** Whether the user enabled it, and still trusts its project; whatever its files are now. */
  isEnabled(extension: Pick<Extension, "path" | "place">): boolean;
  /** Whether the user trusts the project with this real path, now; false for one that was not read. */
  isTrusted(root: string): boolean;
  /**
   * Its files as they were enabled, read now; null = they are others, or belong to a project that is not trusted any more.
   * Rejects when the signal fires.
   */
  readEnabled(extension: Extension, signal: AbortSignal): Promise<ExtensionContent["files"] | null>;
}

interface ExtensionsOptions {
  /** This program's data folder. */
  readonly home: string;
  readonly projects: Pick<Projects, "get" | "peek">;
  readonly approvals: Approvals;
  readonly ids: Pick<ExtensionIds, "isTaken">;
  /** Called after each reading of a project. */
  onRead(projectId: ProjectId, read: ProjectExtensions): void;
  /** Ends all reading. */
  readonly stop: AbortSignal;
}

export const homeFolder = (home: string): string => join(home, "extensions");
const projectFolder = (root: string): string => join(root, ".gopi/extensions");

export function makeExtensions({ home, projects, approvals, ids, onRead, stop }: ExtensionsOptions): Extensions {
  const caches: ExtensionCaches = { hashes: new Map(), definitions: new Map() };
  const current = new Map<ProjectId, ProjectExtensions>();
  /** Whether the user trusts the project with this folder of extensions, now. */
  const trusts = new Map<string, () => boolean>();
  const readers = new Map<ProjectId, () => Promise<Result<ProjectExtensions>>>();

  const readProject = async (projectId: ProjectId): Promise<Result<ProjectExtensions>> => {
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    const { root } = project.value;
    const isTrusted = project.value.trusted();
    const data = await findExtensions({ kind: "data", path: homeFolder(home), within: null }, caches, stop);
    const place = { kind: "project" as const, path: projectFolder(root), within: root };
    trusts.set(place.path, project.value.trusted);
    const found = await findExtensions(place, isTrusted ? caches : null, stop);
    const read = approvals.read();
    const approved = { file: approvals.path, enabled: read.ok ? read.value : new Map() };
    const problem = read.ok ? null : read.error;
    const next = { isTrusted, problem, root, places: assignStatus([data, found], approved, ids, isTrusted) };
    const before = current.get(projectId);
    const same = before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : next;
    current.set(projectId, same);
    onRead(projectId, same);
    return ok(same);
  };
  const refresh: Extensions["refresh"] = (projectId, signal) => {
    const read = readers.get(projectId) ?? oneAtATime(() => readProject(projectId));
    readers.set(projectId, read);
    return abortable(read(), signal);
  };
  const isEnabled: Extensions["isEnabled"] = ({ path, place }) =>
    approvals.get(path) !== null && (place !== "project" || trusts.get(dirname(path))?.() === true);
  return {
    refresh,
    isEnabled,
    isTrusted: (root) => trusts.get(projectFolder(root))?.() === true,
    async refreshAll(signal) {
      await Promise.all([...current.keys()].map((projectId) => refresh(projectId, signal)));
    },
    peek(projectId) {
      const read = current.get(projectId);
      if (read === undefined || trusts.get(projectFolder(read.root))?.() !== read.isTrusted) return null;
      // The project may have been moved to another folder since.
      return (projects.peek(projectId)?.root ?? read.root) === read.root ? read : null;
    },
    async readEnabled({ path, place, folder, isFile, files, hash }, signal) {
      const isCurrent = (): boolean =>
        hash !== null && isEnabled({ path, place }) && hash === approvals.get(path)?.hash;
      if (!isCurrent()) return null;
      const only = isFile ? (files[0]?.path ?? null) : null;
      const read = await readFiles(folder, only, signal);
      return read?.hash === hash && isCurrent() ? read.files : null;
    },
  };
}

/** Enabled extensions, with the file that lists them. */
interface Approved {
  readonly file: string;
  readonly enabled: ApprovedExtensions;
}

/** Adds what was enabled; the second extension of a name, or one named as another source, cannot be used. */
function assignStatus(
  places: readonly ExtensionPlace[],
  approved: Approved,
  ids: Pick<ExtensionIds, "isTaken">,
  isTrusted: boolean,
): ProjectExtensions["places"] {
  const names = new Map<string, string>();
  return places.map((place) => {
    const extensions = place.extensions.map((extension) => {
      const first = names.get(extension.name);
      if (first === undefined) names.set(extension.name, extension.path);
      if (first !== undefined)
        return withStatus(
          unusable(extension, { kind: "same_extension", file: extension.path, detail: first }),
          approved,
        );
      const isTaken = !approved.enabled.has(extension.path) && ids.isTaken(extension.name);
      const problem = { kind: "source_taken" as const, file: extension.path, detail: extension.name };
      return withStatus(isTaken ? unusable(extension, problem) : extension, approved);
    });
    const isRead = place.kind === "data" || isTrusted;
    const missing = [...approved.enabled.keys()].filter(
      (path) => path.startsWith(`${place.path}/`) && !extensions.some((one) => one.path === path),
    );
    return {
      ...place,
      extensions: isRead ? [...extensions, ...missing.map((path) => gone(path, place.kind, approved))] : [],
    };
  });
}

const unusable = (extension: Extension, problem: ExtensionProblem): Extension => ({
  ...extension,
  problems: [problem, ...extension.problems],
  definition: emptyDefinition,
});

function withStatus(found: Extension, { file, enabled }: Approved): StatedExtension {
  const approval = enabled.get(found.path);
  const hadGate = approval?.hasGate ?? false;
  const extension = { ...found, problems: [...entryProblems(approval, file), ...found.problems] };
  // A gate that cannot be asked any more has every call ask.
  if (extension.problems.some(isExtensionProblem))
    return { ...extension, hadGate, status: hadGate ? "changed" : "unusable" };
  if (approval === undefined) return { ...extension, hadGate, status: "off" };
  const isChanged = approval.hash === null || approval.hash !== extension.hash;
  return { ...extension, hadGate, status: isChanged ? "changed" : "on" };
}

const entryProblems = (approval: Approval | undefined, file: string): readonly ExtensionProblem[] =>
  approval?.hash === null ? [{ kind: "broken_approval", file }] : [];

/** An extension that was enabled and is not there any more. */
function gone(path: string, place: ExtensionPlace["kind"], { file, enabled }: Approved): StatedExtension {
  const approval = enabled.get(path);
  return {
    path,
    folder: path,
    name: path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:sh|mjs|py)$/, ""),
    place,
    isFile: false,
    hash: null,
    files: [],
    definition: emptyDefinition,
    problems: entryProblems(approval, file),
    status: "gone",
    hadGate: approval?.hasGate ?? false,
  };
}
