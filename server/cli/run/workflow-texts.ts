/** Sentences of the terminal about workflows: what is wrong in a file, why a step failed, which names there are. */
import type { AgentError } from "@/lib/events/error";
import type { WorkflowProblem } from "@/lib/workflows/workflow";
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";
import { printable } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";

const problems: { readonly [K in WorkflowProblem["kind"]]: (detail: string) => string } = {
  yaml: () => "it isn't valid YAML, or has an alias",
  too_large: () => "the file is larger than 64 KB; move a part of it into another workflow",
  bad_name: (name) => `${name} can't be a name; use small letters, digits, - and _`,
  missing: (key) => `${key} is missing`,
  unknown_key: (key) => `${key} has no meaning here`,
  wrong_value: (key) => `the value of ${key} isn't allowed`,
  no_kind: () => "the step does nothing; give it one of prompt, run, tool, ask and workflow",
  several_kinds: (kinds) => `a step does one thing, this one has ${kinds}`,
  repeated_id: (id) => `another step has the id ${id}`,
  bad_expression: (near) => (near === "" ? "the expression ends too early" : `the expression can't be read at ${near}`),
  unknown_name: (name) => `there is no ${name}; use inputs.NAME, steps.ID.output, or item in for_each`,
  later_step: (name) => `${name} is not done at this step`,
  expression_in_run: () => "a command takes no expressions; put the value under env",
  runs_commands: (tool) => `${tool} runs commands; use run instead of tool`,
  unknown_workflow: (name) => `there is no workflow ${name} without problems`,
  cycle: (name) => `${name} leads back to itself`,
  too_deep: (name) => `${name} is too deep; workflows run each other in four levels at most`,
  too_many: (name) => `with ${name} there are more than 200 steps`,
};

/** What is wrong in the file of a workflow, without a full stop. */
export const workflowProblemText = (kind: string, detail: string): string =>
  new Map(Object.entries(problems)).get(kind)?.(detail) ?? "correct it in the browser, under Settings > Workflows";

/** Why a step failed, without a full stop. */
export function stepErrorText(error: AgentError): string {
  const detail = printable(error.detail ?? "");
  if (error.code === "timeout") return "it took longer than its timeout; raise that, or divide the step";
  if (error.code === "too_many") return `for_each has more than ${detail} items; give it fewer`;
  if (error.code === "too_large") return "its values make its text longer than 30,000 characters; put in less of them";
  if (error.code === "bad_input") return `its value or expression ${detail} can't be used; correct the file`;
  return cliErrorText(error);
}

/** Why a workflow ended, without a full stop. */
export const workflowErrorSentence = (error: AgentError): string =>
  error.code === "too_many"
    ? `it has more than ${printable(error.detail ?? "")} steps, each item counted; divide it`
    : cliErrorText(error);

/** Names the workflows that can be run instead. */
export function unknownNameText(name: string, files: readonly Pick<WorkflowFileView, "name">[]): string {
  const names = [...new Set(files.map((file) => file.name))];
  return names.length === 0
    ? `there is no workflow ${name}, and no other one; write one in the browser, under Settings > Workflows`
    : `there is no workflow ${name}; there are ${names.join(", ")}`;
}
