/** A tool of the toolbox for the test of nested calls: it answers with a word, and records the inputs of its calls. */
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import { doctorText } from "@/server/prompts/doctor";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";

const [source, ownName] = ["shop", "find_order"];
export const nestedToolName = `${source}__${ownName}`;

interface NestedTool {
  readonly catalogue: Catalogue;
  /** Inputs of the calls that ran, in order. */
  readonly inputs: readonly Json[];
}

export function makeNestedTool(answer: string): NestedTool {
  const inputs: Json[] = [];
  const description = doctorText("nested-tool");
  const parameters: Json = { type: "object", properties: { number: { type: "string" } }, required: ["number"] };
  const tool = defineExternalTool({
    name: nestedToolName,
    source,
    ownName,
    description,
    parameters,
    definition: asId<Hash>("doctor"),
    async run(input) {
      inputs.push(input);
      return { output: [{ type: "text", text: answer }], facts: {} };
    },
  });
  const listed = { name: nestedToolName, source, description, parameters, obstacle: null, isPinned: false, tool };
  return { catalogue: { sources: [{ id: source, instructions: "" }], tools: [listed] }, inputs };
}
