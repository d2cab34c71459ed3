/** Checks what the form of a workflow's file does not: its expressions, the names they use, and its steps. Pure. */
import { ExpressionError, expressionPaths } from "./expression/parse-expression";
import { hasExpression, parseCondition, parseTemplate, textsIn } from "./expression/template";
import { isProjectFile } from "./input-values";
import type { Workflow, WorkflowProblem, WorkflowStep } from "./workflow";

/** A problem with the path of its value in the file. */
type LocatedProblem = Omit<WorkflowProblem, "line"> & { readonly path: readonly (string | number)[] };

/** Names that an expression may use at its place. */
interface KnownNames {
  readonly inputs: readonly string[];
  /** The steps before. */
  readonly steps: readonly string[];
  /** The steps after, and the step itself. */
  readonly later: readonly string[];
  readonly others: readonly string[];
}

/** `runsCommands` tells whether a tool's name means one that runs text as a command. */
export function checkWorkflow(workflow: Workflow, runsCommands: (tool: string) => boolean): readonly LocatedProblem[] {
  const inputs = workflow.inputs.map(({ name }) => name);
  const ids = workflow.steps.map(({ id }) => id);
  return [
    ...workflow.inputs.flatMap(checkInput),
    ...workflow.steps.flatMap((step, index) => [
      ...(ids.indexOf(step.id) === index
        ? []
        : [{ kind: "repeated_id" as const, path: ["steps", index, "id"], detail: step.id }]),
      ...checkStep(
        step,
        index,
        { inputs, steps: ids.slice(0, index), later: ids.slice(index), others: [] },
        runsCommands,
      ),
    ]),
    ...checkConditions(workflow.outputs, ["outputs"], { inputs, steps: ids, later: [], others: [] }),
  ];
}

function checkInput({ name, type, default: preset, options }: Workflow["inputs"][number]): readonly LocatedProblem[] {
  const path = ["inputs", name];
  if (type === "choice" && options.length === 0) return [{ kind: "missing", path, detail: "options" }];
  if (preset === undefined) return [];
  const isRight =
    type === "number" || type === "boolean"
      ? typeof preset === type
      : typeof preset === "string" &&
        (type !== "choice" || options.includes(preset)) &&
        (type !== "file" || isProjectFile(preset));
  return isRight ? [] : [{ kind: "wrong_value", path: [...path, "default"], detail: "default" }];
}

function checkStep(
  step: WorkflowStep,
  index: number,
  names: KnownNames,
  runsCommands: (tool: string) => boolean,
): readonly LocatedProblem[] {
  const at = (...keys: readonly (string | number)[]) => ["steps", index, ...keys];
  const foreign = foreignKeys(step);
  const inItem = step.forEach === undefined ? names : { ...names, others: ["item"] };
  const problems: LocatedProblem[] = foreign.map((key) => ({ kind: "unknown_key", path: at(key), detail: key }));
  if (typeof step.forEach === "string") problems.push(...checkCondition(step.forEach, at("for_each"), names));
  if (step.when !== undefined) problems.push(...checkCondition(step.when, at("when"), inItem));
  if (step.kind === "run" && hasExpression(step.text))
    problems.push({ kind: "expression_in_run", path: at("run"), detail: "run" });
  if (step.kind === "tool" && runsCommands(step.text))
    problems.push({ kind: "runs_commands", path: at("tool"), detail: step.text });
  if (step.kind === "prompt" || step.kind === "ask") problems.push(...checkTemplate(step.text, at(step.kind), inItem));
  for (const [name, value] of Object.entries(step.with))
    for (const text of textsIn(value)) problems.push(...checkTemplate(text, at("with", name), inItem));
  for (const [name, text] of Object.entries(step.env)) problems.push(...checkTemplate(text, at("env", name), inItem));
  return [
    ...problems,
    ...checkConditions(step.outputs, at("outputs"), { ...inItem, others: [...inItem.others, "output"] }),
  ];
}

/** Keys that the kind of the step has no use for. */
function foreignKeys({ kind, with: values, env, options, timeoutSeconds }: WorkflowStep): readonly string[] {
  return [
    ...(Object.keys(values).length > 0 && kind !== "tool" && kind !== "workflow" ? ["with"] : []),
    ...(Object.keys(env).length > 0 && kind !== "run" ? ["env"] : []),
    ...(options.length > 0 && kind !== "ask" ? ["options"] : []),
    ...(timeoutSeconds !== undefined && (kind === "ask" || kind === "workflow") ? ["timeout"] : []),
  ];
}

const checkConditions = (
  outputs: Workflow["outputs"],
  path: LocatedProblem["path"],
  names: KnownNames,
): readonly LocatedProblem[] =>
  Object.entries(outputs).flatMap(([name, text]) => checkCondition(text, [...path, name], names));

const checkCondition = (text: string, path: LocatedProblem["path"], names: KnownNames): readonly LocatedProblem[] =>
  checkParsed(path, names, () => expressionPaths(parseCondition(text)));

const checkTemplate = (text: string, path: LocatedProblem["path"], names: KnownNames): readonly LocatedProblem[] =>
  checkParsed(path, names, () =>
    parseTemplate(text).flatMap((part) => (typeof part === "string" ? [] : expressionPaths(part))),
  );

function checkParsed(
  path: LocatedProblem["path"],
  names: KnownNames,
  read: () => readonly (readonly string[])[],
): readonly LocatedProblem[] {
  try {
    return read().flatMap((keys) => {
      const kind = checkName(keys, names);
      return kind === null ? [] : [{ kind, path, detail: keys.slice(0, 2).join(".") }];
    });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ kind: "bad_expression", path, detail: error.near }];
  }
}

function checkName([name = "", key = ""]: readonly string[], names: KnownNames): "unknown_name" | "later_step" | null {
  if (names.others.includes(name)) return null;
  if (name === "inputs") return names.inputs.includes(key) ? null : "unknown_name";
  if (name !== "steps") return "unknown_name";
  if (names.steps.includes(key)) return null;
  return names.later.includes(key) ? "later_step" : "unknown_name";
}
