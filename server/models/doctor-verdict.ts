/** Rates a model by its test results. Pure. */
import type { DoctorReport, DoctorStep, DoctorStepName, DoctorVerdict } from "@/lib/models/models";

/** Minimum for an agent: tokens for instructions, one file and an answer, and the slowest speed a user waits for. */
const agentMinimum = { tokens: 8_192, writePerSecond: 4 };

type VerdictInput = Pick<DoctorReport, "steps" | "numCtx" | "writePerSecond">;

/**
 * unusable = it cannot be loaded or gives no answer. chat = it calls no tools in any mode. helper = it calls tools, but
 * misses edits, loses a long prompt, or is too slow or too small for unattended runs. agent = everything passed.
 */
export function rateModel({ steps, numCtx, writePerSecond }: VerdictInput): DoctorVerdict {
  const passed = (name: DoctorStepName): boolean => hasPassed(steps.find(({ step }) => step === name));
  if (steps.some(({ step, state }) => state === "failed" && (step === "load" || step === "answer"))) return "unusable";
  if (!passed("answer")) return "unusable";
  if (!passed("tools")) return "chat";
  const isSlow = writePerSecond > 0 && writePerSecond < agentMinimum.writePerSecond;
  return passed("edit") && passed("window") && numCtx >= agentMinimum.tokens && !isSlow ? "agent" : "helper";
}

const hasPassed = (step: DoctorStep | undefined): boolean => step?.state === "ok" || step?.state === "weak";
