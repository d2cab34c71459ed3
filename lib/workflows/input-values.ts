/** The values of a workflow's inputs: from a form, from flags, or from a step of another workflow. Pure. */
import type { Json } from "../events/content";
import { textOfValue } from "./expression/evaluate-expression";
import { type WorkflowInput, workflowLimits } from "./workflow";

export interface WorkflowValues {
  readonly [name: string]: string | number | boolean;
}

/** Why the values do not fit. */
export interface InputFault {
  readonly input: string;
  readonly why: "missing" | "unknown" | "number" | "boolean" | "choice" | "file" | "too_long";
}

type ReadInputs =
  | { readonly ok: true; readonly values: WorkflowValues }
  | { readonly ok: false; readonly fault: InputFault };

/** Reads the values as what the inputs are, and adds the defaults. A text is read as the type of its input. */
export function readWorkflowInputs(
  inputs: readonly WorkflowInput[],
  values: { readonly [name: string]: Json },
): ReadInputs {
  const unknown = Object.keys(values).find((name) => !inputs.some((input) => input.name === name));
  if (unknown !== undefined) return { ok: false, fault: { input: unknown, why: "unknown" } };
  const entries: [string, string | number | boolean][] = [];
  for (const input of inputs) {
    const written = Object.hasOwn(values, input.name) ? (values[input.name] ?? "") : input.default;
    if (written === undefined) return { ok: false, fault: { input: input.name, why: "missing" } };
    const value = readValue(input, written);
    if (typeof value === "object") return { ok: false, fault: { input: input.name, why: value.why } };
    entries.push([input.name, value]);
  }
  return { ok: true, values: Object.fromEntries(entries) };
}

/** The place of a file in the project: relative, without a way out of it. */
export const isProjectFile = (path: string): boolean =>
  path !== "" && !/^(?:[/~\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes("..");

function readValue({ type, options }: WorkflowInput, input: Json): string | number | boolean | Pick<InputFault, "why"> {
  const text = textOfValue(input);
  if (text.length > workflowLimits.textChars || text.includes("\0")) return { why: "too_long" };
  switch (type) {
    case "text":
      return text;
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : { why: "number" };
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : { why: "boolean" };
    case "choice":
      return options.includes(text) ? text : { why: "choice" };
    case "file":
      return isProjectFile(text) ? text : { why: "file" };
  }
}
