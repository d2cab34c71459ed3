/** What a model is good for here, from what its test saw. Pure; called by doctor. */
import type { DoctorReport, DoctorStep, DoctorStepName, DoctorVerdict } from "@/lib/models";

/** An agent's instructions, one file and an answer need this much; below that speed nobody waits for a run. */
const needed = { tokens: 8_192, writePerSecond: 4 };

type Seen = Pick<DoctorReport, "steps" | "numCtx" | "writePerSecond">;

/**
 * unusable = it cannot be loaded or gives no answer. chat = it calls no tools in any mode. helper = it calls tools, but misses
 * edits, loses a long prompt, or is too slow or too small for runs of its own. agent = all of it.
 */
export function verdictOf({ steps, numCtx, writePerSecond }: Seen): DoctorVerdict {
  const passed = (name: DoctorStepName): boolean => hasPassed(steps.find(({ step }) => step === name));
  if (steps.some(({ step, state }) => state === "failed" && (step === "load" || step === "answer"))) return "unusable";
  if (!passed("answer")) return "unusable";
  if (!passed("tools")) return "chat";
  const isSlow = writePerSecond > 0 && writePerSecond < needed.writePerSecond;
  return passed("edit") && passed("window") && numCtx >= needed.tokens && !isSlow ? "agent" : "helper";
}

const hasPassed = (step: DoctorStep | undefined): boolean => step?.state === "ok" || step?.state === "weak";
