/** The keys that are completed in the text of a workflow. */
import { workflowInputTypes } from "@/lib/workflows/workflow";
import type { YamlKey } from "../../ui/code-editor/complete-yaml-keys";

const key = (section: string, name: string, label: string): YamlKey => ({ section, name, label });

export const workflowKeys: readonly YamlKey[] = [
  key("inputs", "type", workflowInputTypes.join(", ")),
  key("inputs", "description", "text"),
  key("inputs", "default", "value"),
  key("inputs", "options", "[one, other]"),
  key("steps", "id", "name"),
  key("steps", "prompt", "text ${{ inputs.name }}"),
  key("steps", "run", 'command "$NAME"'),
  key("steps", "tool", "read"),
  key("steps", "ask", "text"),
  key("steps", "workflow", "name"),
  key("steps", "with", "{ path: … }"),
  key("steps", "env", '{ NAME: "${{ inputs.name }}" }'),
  key("steps", "options", "[Yes, No]"),
  key("steps", "when", "steps.id.exit != 0"),
  key("steps", "for_each", "${{ lines(steps.id.output) }}"),
  key("steps", "retry", "1-5"),
  key("steps", "timeout", "10m"),
  key("steps", "may_fail", "true"),
  key("steps", "outputs", "{ name: lines(output).0 }"),
];
