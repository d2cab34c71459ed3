/** Whether the model can call a tool that only the toolbox leads to. */
import { isDeepStrictEqual } from "node:util";
import type { AgentError } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { doctorText } from "@/server/prompts/doctor";
import { isArgumentsObject } from "@/server/tools/arguments/parameter-shapes";
import { toolboxName } from "@/server/tools/toolbox/toolbox";
import { type DoctorSubject, finalErrors, runLimitedTask, type StepResult, type WrittenCall } from "./doctor-subject";
import { makeNestedTool, nestedToolName } from "./nested-tool";

const orderNumber = "417";
const nestedTries = 2;

/** A call counts in every form in which the product finds it; `repaired` = the model wrote it in another form. */
export async function nestedStep(
  subject: DoctorSubject,
  mode: ToolMode,
  numCtx: number,
  signal: AbortSignal,
): Promise<StepResult> {
  let error: AgentError | undefined;
  for (let tries = 1; tries <= nestedTries; tries += 1) {
    const { catalogue, inputs } = makeNestedTool(subject.word());
    const text = doctorText("nested", { tool: nestedToolName, number: orderNumber });
    const { seen, result } = await runLimitedTask(
      subject,
      { mode, numCtx, task: { files: {}, text, catalogue } },
      signal,
    );
    const input = inputs.find((one) => isArgumentsObject(one) && one.number === orderNumber);
    if (input !== undefined) {
      const repaired = !(result?.written ?? []).some((call) => isExactCall(call, input, mode));
      return { state: tries === 1 ? "ok" : "weak", facts: { tries, repaired } };
    }
    error = seen.error ?? result?.error ?? error;
    if (error !== undefined && finalErrors.has(error.code)) return { state: "failed", facts: { tries }, error };
  }
  return { state: "failed", facts: { tries: nestedTries }, error };
}

/** In a text mode all calls are parsed from text. */
const isExactCall = ({ name, input, isText }: WrittenCall, expected: Json, mode: ToolMode): boolean =>
  name === toolboxName &&
  (!isText || mode !== "native") &&
  isDeepStrictEqual(input, { tool: nestedToolName, input: expected });
