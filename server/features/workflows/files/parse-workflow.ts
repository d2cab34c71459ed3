/** Reads the text of a workflow: its YAML, its form, its expressions. Every problem has the line of its value. */
import * as z from "zod/mini";
import type { Steps } from "@/lib/async/steps";
import { checkWorkflow } from "@/lib/workflows/check-workflow";
import { isWorkflowName, type Workflow, workflowLimits, type WorkflowProblem } from "@/lib/workflows/workflow";
import { stepKindsOf, workflowOf, workflowSchema } from "@/lib/workflows/workflow-schema";
import { type LocatedYaml, parseLocatedYaml } from "@/server/base/located-yaml";
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

export function* workflowSteps(name: string, text: string): Steps<ParsedWorkflow> {
  if (!isWorkflowName(name)) return failed([{ kind: "bad_name", line: 1, detail: name }]);
  if (Buffer.byteLength(text) > workflowLimits.bytes)
    return failed([{ kind: "too_large", line: 1, detail: String(workflowLimits.bytes) }]);
  const parsed = yield* parseLocatedYaml(text);
  if (!parsed.ok) return failed([{ kind: "yaml", line: parsed.line, detail: "" }]);
  const { yaml } = parsed;
  const kinds = kindProblems(yaml);
  const read = workflowSchema.safeParse(yaml.value ?? {});
  yield;
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

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) found = new Map(Object.entries(Object(found))).get(String(key));
  return found;
}
