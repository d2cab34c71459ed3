/** Advice for running a model better on this machine, from its test report and the window plan. Pure. */
import type { ToolMode } from "@/lib/events/event";
import type { DoctorReport, LoadedModel, ModelInfo, WindowPlan } from "@/lib/models/models";
import { suggestedModels } from "@/lib/models/suggested-models";
import { windowSteps } from "@/lib/settings/model-settings";
import { verdictReason, slowPerSecond, workingTokens } from "./doctor-view";

export type DoctorAdvice =
  /** Takes less memory; can be applied with a button. */
  | { readonly advice: "smallerWindow"; readonly tokens: number }
  /** The model loses track in a longer window; can be applied with a button. */
  | { readonly advice: "shorterWindow"; readonly tokens: number }
  /** The chat template moves the native tools; can be applied with a button. */
  | { readonly advice: "textTools"; readonly mode: TextToolMode }
  | { readonly advice: "smallerQuantization" | "kvCache" | "fasterModel" }
  /** It misses calls through the toolbox; its server keeps one conversation; it reads each request from the start. */
  | { readonly advice: "fewTools" | "oneConversation" | "rereads" }
  | { readonly advice: "otherModel"; readonly name: string };

export type TextToolMode = Exclude<ToolMode, "native">;

/** Environment variables of the Ollama server that halve the KV cache; the second requires the first. */
export const kvCacheVariables = "OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0";

const fullGpuShare = 0.995;

interface DoctorAdviceInput {
  readonly report: DoctorReport;
  readonly model: ModelInfo;
  /** Absent = not loaded in memory. */
  readonly loaded?: LoadedModel;
  readonly plan?: WindowPlan;
  /** The model belongs to a connection, whose server does not have the Ollama models. */
  readonly isElsewhere?: boolean;
}

/** Returns advice, most effective first. Cloud models get no advice about memory. */
export function doctorAdvice({
  report,
  model,
  loaded,
  plan,
  isElsewhere = false,
}: DoctorAdviceInput): readonly DoctorAdvice[] {
  const stepOf = (name: string) => report.steps.find((step) => step.step === name);
  const load = stepOf("load");
  const measured = load?.facts?.vramShare;
  const share = typeof measured === "number" ? measured : loaded?.vramShare;
  const isTight =
    !model.cloud && (load?.error?.code === "out_of_memory" || (share !== undefined && share < fullGpuShare));
  // The test ran with a smaller window than planned: that size fits.
  const tested = load?.state === "weak" && plan !== undefined && plan.chosen > report.numCtx ? report.numCtx : null;
  const smaller = tested ?? smallerWindow(report.numCtx, plan);
  const advice: DoctorAdvice[] = [];
  if (isTight) {
    if (smaller !== null) advice.push({ advice: "smallerWindow", tokens: smaller });
    if (isLargeQuantization(model.quantization)) advice.push({ advice: "smallerQuantization" });
    advice.push({ advice: "kvCache" });
  } else if (stepOf("window")?.state === "failed" && smaller !== null) {
    advice.push({ advice: "shorterWindow", tokens: smaller });
  }
  if (!model.cloud && report.writePerSecond > 0 && report.writePerSecond < slowPerSecond)
    advice.push({ advice: "fasterModel" });
  advice.push(...toolAdvice(report, model));
  const reason = verdictReason(report);
  const isClumsy = reason === "answer" || reason === "tools" || reason === "edit";
  const other = suggestedModels.find(({ name }) => name !== model.name)?.name;
  if (isClumsy && !isElsewhere && other !== undefined) advice.push({ advice: "otherModel", name: other });
  return advice;
}

/** Advice on tools of other programs, subagents, and the way of calling tools. */
function toolAdvice({ steps }: DoctorReport, { note }: ModelInfo): readonly DoctorAdvice[] {
  const stepOf = (name: string) => steps.find(({ step }) => step === name);
  const template = stepOf("template")?.facts ?? {};
  const mode = textToolModes.find((one) => one === template.proposed);
  const isNative = note?.toolMode === undefined || note.toolMode.mode === "native";
  return [
    ...(template.moves === "yes" && isNative
      ? [mode === undefined ? ({ advice: "rereads" } as const) : ({ advice: "textTools", mode } as const)]
      : []),
    ...(stepOf("nested")?.state === "failed" ? [{ advice: "fewTools" } as const] : []),
    ...(stepOf("conversations")?.facts?.keeps === "no" ? [{ advice: "oneConversation" } as const] : []),
  ];
}

const textToolModes: readonly TextToolMode[] = ["react", "xml"];

/** Returns the largest smaller step that fits, else the next smaller one; null below the minimum for agent work. */
function smallerWindow(tokens: number, plan: WindowPlan | undefined): number | null {
  const steps = (plan?.steps ?? windowSteps.map((step) => ({ tokens: step, fits: null })))
    .filter((step) => step.tokens < tokens && step.tokens >= workingTokens)
    .sort((a, b) => b.tokens - a.tokens);
  return (steps.find((step) => step.fits === true) ?? steps[0])?.tokens ?? null;
}

/** Whether the quantization exceeds about five bits per weight: q6, q8, f16, bf16, f32. */
const isLargeQuantization = (quantization: string | undefined): boolean =>
  /^(?:q[68]|b?f(?:16|32))/i.test(quantization ?? "");
