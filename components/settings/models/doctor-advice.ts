/** What would make a model work better on this machine, from its test and from what fits. Pure; for doctor-panel.tsx. */
import type { DoctorReport, LoadedModel, ModelInfo, WindowPlan } from "@/lib/models";
import { preferredModels, windowSteps } from "@/lib/settings";
import { reasonOf, slowPerSecond, workingTokens } from "./doctor-view";

export type Advice =
  /** Takes less memory; a press chooses it. */
  | { readonly advice: "smallerWindow"; readonly tokens: number }
  /** The model loses track in a longer one; a press chooses it. */
  | { readonly advice: "shorterWindow"; readonly tokens: number }
  | { readonly advice: "smallerQuantization" | "kvCache" | "fasterModel" }
  | { readonly advice: "otherModel"; readonly name: string };

/** Variables of the Ollama server that halve the cache; the second needs the first. */
export const kvCacheVariables = "OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0";

const wholeShare = 0.995;

export interface AdviceInput {
  readonly report: DoctorReport;
  readonly model: ModelInfo;
  /** Absent = not in memory now. */
  readonly loaded?: LoadedModel;
  readonly plan?: WindowPlan;
  /** A connection's model: those of Ollama are none of its server's. */
  readonly isElsewhere?: boolean;
}

/** In the order of what helps most. A cloud model gets none about memory. */
export function doctorAdvice({ report, model, loaded, plan, isElsewhere = false }: AdviceInput): readonly Advice[] {
  const stepOf = (name: string) => report.steps.find((step) => step.step === name);
  const load = stepOf("load");
  const measured = load?.facts?.vramShare;
  const share = typeof measured === "number" ? measured : loaded?.vramShare;
  const isTight =
    !model.cloud && (load?.error?.code === "out_of_memory" || (share !== undefined && share < wholeShare));
  // It was tested with less than it was to have: that much fits.
  const tested = load?.state === "weak" && plan !== undefined && plan.chosen > report.numCtx ? report.numCtx : null;
  const smaller = tested ?? smallerWindow(report.numCtx, plan);
  const advice: Advice[] = [];
  if (isTight) {
    if (smaller !== null) advice.push({ advice: "smallerWindow", tokens: smaller });
    if (isLarge(model.quantization)) advice.push({ advice: "smallerQuantization" });
    advice.push({ advice: "kvCache" });
  } else if (stepOf("window")?.state === "failed" && smaller !== null) {
    advice.push({ advice: "shorterWindow", tokens: smaller });
  }
  if (!model.cloud && report.writePerSecond > 0 && report.writePerSecond < slowPerSecond)
    advice.push({ advice: "fasterModel" });
  const reason = reasonOf(report);
  const isClumsy = reason === "answer" || reason === "tools" || reason === "edit";
  const other = preferredModels.find((name) => name !== model.name);
  if (isClumsy && !isElsewhere && other !== undefined) advice.push({ advice: "otherModel", name: other });
  return advice;
}

/** The largest step below that is known to fit, else the next one below; none under what work needs. */
function smallerWindow(tokens: number, plan: WindowPlan | undefined): number | null {
  const steps = (plan?.steps ?? windowSteps.map((step) => ({ tokens: step, fits: null })))
    .filter((step) => step.tokens < tokens && step.tokens >= workingTokens)
    .sort((a, b) => b.tokens - a.tokens);
  return (steps.find((step) => step.fits === true) ?? steps[0])?.tokens ?? null;
}

/** More than about five bits a weight: q6, q8, f16, bf16, f32. */
const isLarge = (quantization: string | undefined): boolean => /^(?:q[68]|b?f(?:16|32))/i.test(quantization ?? "");
