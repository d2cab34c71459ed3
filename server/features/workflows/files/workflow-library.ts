/** The workflows that can be run in a project: what their files are now, and what they lead to. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { resolveWorkflow, type WorkflowSet, viewSteps } from "@/lib/workflows/resolve-workflow";
import type { Workflow, WorkflowPlace, WorkflowProblem } from "@/lib/workflows/workflow";
import type { WorkflowFileView, WorkflowsState, WorkflowText } from "@/lib/workflows/workflow-views";
import { parseDefinitionYaml } from "@/server/base/parse-yaml";
import type { Projects } from "@/server/workspace/projects/projects";
import { parseWorkflow } from "./parse-workflow";
import type { FoundWorkflows, WorkflowFile, WorkflowFiles } from "./workflow-files";

/** A workflow that can be run now, with all that its steps run. */
export interface RunnableWorkflow {
  readonly place: WorkflowPlace;
  readonly hash: string;
  readonly set: WorkflowSet;
}

export type WorkflowLibrary = ReturnType<typeof makeWorkflowLibrary>;

export function makeWorkflowLibrary(projects: Pick<Projects, "get">, files: WorkflowFiles) {
  const readAll = async (projectId: ProjectId, signal: AbortSignal) => {
    const project = await projects.get(projectId);
    return project.ok ? ok({ project: project.value, found: await files.read(project.value, signal) }) : project;
  };
  return {
    async list(projectId: ProjectId, signal: AbortSignal): Promise<Result<WorkflowsState>> {
      const read = await readAll(projectId, signal);
      if (!read.ok) return read;
      const { project, found } = read.value;
      return ok({
        isTrusted: found.isTrusted,
        untrusted: found.untrusted,
        files: found.files.map((file) => viewFile(file, found)),
        folders: { project: files.folderOf("project", project), home: files.folderOf("home", project) },
      });
    },
    /** Fails with not_found, untrusted (a workflow of the project alone), bad_input (`line`, `problem`: the file has one). */
    async find(projectId: ProjectId, name: string, signal: AbortSignal): Promise<Result<RunnableWorkflow>> {
      const read = await readAll(projectId, signal);
      if (!read.ok) return read;
      const { found } = read.value;
      const file = found.files.find((one) => one.name === name);
      if (file === undefined) return fail(found.untrusted.includes(name) ? "untrusted" : "not_found", name);
      const [problem] = problemsOf(file, found);
      const resolved = file.workflow === null ? null : resolveWorkflow(file.workflow, finderOf(found));
      if (problem !== undefined || resolved?.ok !== true)
        return fail("bad_input", file.path, {
          path: file.path,
          line: problem?.line ?? 1,
          problem: problem?.kind ?? "",
          detail: problem?.detail ?? "",
        });
      return ok({ place: file.place, hash: file.hash, set: resolved.set });
    },
    async read(
      projectId: ProjectId,
      place: WorkflowPlace,
      name: string,
      signal: AbortSignal,
    ): Promise<Result<WorkflowText>> {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const text = await files.readText(project.value, place, name);
      if (!text.ok) return text;
      return ok({
        ...text.value,
        problems: checkText(await files.read(project.value, signal), name, text.value.text),
      });
    },
    async check(
      projectId: ProjectId,
      name: string,
      text: string,
      signal: AbortSignal,
    ): Promise<Result<{ readonly problems: readonly WorkflowProblem[] }>> {
      const read = await readAll(projectId, signal);
      return read.ok ? ok({ problems: checkText(read.value.found, name, text) }) : read;
    },
    async write(
      projectId: ProjectId,
      file: Parameters<WorkflowFiles["write"]>[1],
      signal: AbortSignal,
    ): Promise<Result<WorkflowText>> {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const written = await files.write(project.value, file);
      return written.ok ? this.read(projectId, file.place, file.name, signal) : written;
    },
  };
}

const finderOf =
  ({ files }: Pick<FoundWorkflows, "files">) =>
  (name: string): Workflow | undefined =>
    files.find((file) => file.name === name)?.workflow ?? undefined;

const problemsOf = (
  { workflow, problems, text }: Pick<WorkflowFile, "workflow" | "problems" | "text">,
  found: Pick<FoundWorkflows, "files">,
): readonly WorkflowProblem[] => (workflow === null ? problems : nestingProblems(workflow, text, found));

/** The line of the step that leads to a workflow which cannot be run. */
function nestingProblems(
  workflow: Workflow,
  text: string,
  found: Pick<FoundWorkflows, "files">,
): readonly WorkflowProblem[] {
  const resolved = resolveWorkflow(workflow, finderOf(found));
  if (resolved.ok) return [];
  const { kind, step, detail } = resolved.problem;
  return [{ kind, line: parseDefinitionYaml(text).lineOf(["steps", step, "workflow"]), detail }];
}

const checkText = (found: FoundWorkflows, name: string, text: string): readonly WorkflowProblem[] =>
  problemsOf({ ...parseWorkflow(name, text), text }, found);

function viewFile(file: WorkflowFile, found: FoundWorkflows): WorkflowFileView {
  const { place, name, path, workflow } = file;
  const resolved = workflow === null ? null : resolveWorkflow(workflow, finderOf(found));
  return {
    place,
    name,
    path,
    description: workflow?.description ?? "",
    inputs: workflow?.inputs ?? [],
    steps: workflow === null ? [] : viewSteps(workflow, resolved?.ok === true ? resolved.set.workflows : new Map()),
    problems: problemsOf(file, found),
    isShadowed: found.files.find((one) => one.name === name) !== file,
  };
}
