/** The fields of a form for the inputs of a workflow. Pure. */
import type { ElicitationField } from "@/lib/tools/elicitation";
import { type WorkflowInput, workflowLimits } from "@/lib/workflows/workflow";

/** `fileNote` describes a path of the project. */
export const inputField = (input: WorkflowInput, fileNote: string): ElicitationField => {
  const { name, type, description, options, default: preset } = input;
  const base = { name, title: name, isRequired: preset === undefined, isSecret: false };
  const text = typeof preset === "string" ? preset : "";
  switch (type) {
    case "number":
      return {
        ...base,
        description,
        kind: "number",
        isInteger: false,
        minimum: null,
        maximum: null,
        initial: typeof preset === "number" ? preset : null,
      };
    case "boolean":
      return { ...base, description, kind: "boolean", initial: preset === true };
    case "choice":
      return {
        ...base,
        description,
        kind: "choice",
        options: options.map((value) => ({ value, label: value })),
        initial: text,
      };
    case "file":
    case "text":
      return {
        ...base,
        description: description === "" && type === "file" ? fileNote : description,
        kind: "text",
        format: null,
        minLength: 0,
        maxLength: workflowLimits.textChars,
        initial: text,
      };
  }
};
