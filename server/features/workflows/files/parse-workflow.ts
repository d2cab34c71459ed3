/** Reads the text of a workflow: its YAML, its form, its expressions. Every problem has the line of its value. */
import * as z from "zod/mini";
import { checkWorkflow } from "@/lib/workflows/check-workflow";
import { isWorkflowName, type Workflow, workflowLimits, type WorkflowProblem } from "@/lib/workflows/workflow";
import { stepKindsOf, workflowOf, workflowSchema } from "@/lib/workflows/workflow-schema";
import { type DocumentPath, type LocatedYaml, parseDefinitionYaml } from "@/server/base/parse-yaml";
import { findBuiltinTool } from "@/server/tools/arguments/foreign-names";

/** `workflow` is null if there is a problem. */
export interface ParsedWorkflow {
  readonly workflow: Workflow | null;
  readonly problems: readonly WorkflowProblem[];
}

const maxProblems = 50;

const failed = (problems: readonly WorkflowProblem[]): ParsedWorkflow => ({
  workflow: null,
  problems: problems.toSorted((one, other) => one.line - other.line).slice(0, maxProblems),
});

export function parseWorkflow(name: string, text: string): ParsedWorkflow {
  if (!isWorkflowName(name)) return failed([{ kind: "bad_name", line: 1, detail: name }]);
  if (Buffer.byteLength(text) > workflowLimits.bytes)
    return failed([{ kind: "too_large", line: 1, detail: String(workflowLimits.bytes) }]);
  const yaml = parseDefinitionYaml(text);
  const [fault] = yaml.faults;
  if (fault !== undefined) return failed([{ kind: "yaml", line: fault.line, detail: "" }]);
  const kinds = kindProblems(yaml);
  const read = workflowSchema.safeParse(yaml.value ?? {});
  if (!read.success) return failed([...kinds, ...read.error.issues.flatMap((issue) => formProblems(issue, yaml))]);
  if (kinds.length > 0) return failed(kinds);
  const workflow = workflowOf(name, read.data);
  const problems = checkWorkflow(workflow, (tool) => findBuiltinTool(tool) === "bash");
  return problems.length === 0
    ? { workflow, problems: [] }
    : failed(problems.map(({ path, ...problem }) => ({ ...problem, line: yaml.lineOf(path) })));
}

/** Steps that do not have one kind. */
function kindProblems({ value, lineOf }: LocatedYaml): readonly WorkflowProblem[] {
  const steps = z.object({ steps: z.array(z.record(z.string(), z.unknown())) }).safeParse(value);
  if (!steps.success) return [];
  return steps.data.steps.flatMap((step, index): readonly WorkflowProblem[] => {
    const kinds = stepKindsOf(step);
    if (kinds.length === 1) return [];
    const line = lineOf(["steps", index]);
    return [{ kind: kinds.length === 0 ? "no_kind" : "several_kinds", line, detail: kinds.join(", ") }];
  });
}

function formProblems(issue: z.core.$ZodIssue, { value, lineOf }: LocatedYaml): readonly WorkflowProblem[] {
  const path = issue.path.filter((key) => typeof key !== "symbol");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ kind: "unknown_key", line: lineOf([...path, key]), detail: key }));
  const detail = String(path.findLast((key) => typeof key === "string") ?? "");
  const isMissing = issue.code === "invalid_type" && valueAt(value, path) === undefined;
  return [{ kind: isMissing ? "missing" : "wrong_value", line: lineOf(path), detail }];
}

const valueAt = (value: unknown, path: DocumentPath): unknown =>
  path.reduce((found, key) => (Object.hasOwn(Object(found), key) ? Reflect.get(Object(found), key) : undefined), value);
