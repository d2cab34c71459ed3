/** Whether the model can call a tool that only the toolbox leads to. */
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { doctorText } from "@/server/prompts/doctor";
import { toolboxName } from "@/server/tools/toolbox/toolbox";
import { attemptTask, type DoctorSubject, type StepResult, type WrittenCall } from "./doctor-subject";
import { asId, type Hash } from "@/lib/events/id";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";

const [source, ownName] = ["shop", "find_order"];
/** A tool of the toolbox for the test of nested calls: it answers with a word, and records the inputs of its calls. */
const nestedToolName = `${source}__${ownName}`;

interface NestedTool {
  readonly catalogue: Catalogue;
  /** Inputs of the calls that ran, in order. */
  readonly inputs: readonly Json[];
}

function makeNestedTool(answer: string): NestedTool {
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

const orderNumber = "417";
const nestedTries = 2;

/** A call counts in every form in which the product finds it; `repaired` = the model wrote it in another form. */
export const nestedStep = (
  subject: DoctorSubject,
  mode: ToolMode,
  numCtx: number,
  signal: AbortSignal,
): Promise<StepResult> =>
  attemptTask(
    subject,
    { mode, numCtx, triesMax: nestedTries },
    () => {
      const { catalogue, inputs } = makeNestedTool(subject.word());
      const text = doctorText("nested", { tool: nestedToolName, number: orderNumber });
      return {
        task: { files: {}, text, catalogue },
        judge: (result) => {
          const input = inputs.find((one) => isJsonObject(one) && one.number === orderNumber);
          if (input === undefined) return null;
          return { repaired: !(result?.written ?? []).some((call) => isExactCall(call, input, mode)) };
        },
      };
    },
    signal,
  );

/** In a text mode all calls are parsed from text. */
const isExactCall = ({ name, input, isText }: WrittenCall, expected: Json, mode: ToolMode): boolean =>
  name === toolboxName &&
  (!isText || mode !== "native") &&
  isDeepStrictEqual(input, { tool: nestedToolName, input: expected });
