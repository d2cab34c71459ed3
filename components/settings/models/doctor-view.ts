/** What the screen shows of a model's test: how far it is, what each step measured. Pure; for doctor-panel.tsx. */
import type { ToolMode } from "@/lib/event";
import {
  type DoctorReport,
  type DoctorRun,
  type DoctorStep,
  type DoctorStepName,
  doctorSteps,
  type ModelNote,
} from "@/lib/models";

export interface DoctorView {
  readonly state: "never" | "running" | "stopped" | "done";
  /** All five, in their order; those not begun wait. Empty = never tested. */
  readonly steps: readonly DoctorStep[];
  /** The last whole test; while one runs, the one before. */
  readonly report: DoctorReport | null;
  /** Another model whose test runs now. */
  readonly other: string | null;
}

/** Tokens a second below which nobody waits for a run. */
export const slowPerSecond = 4;
/** An agent's instructions, one file and an answer need this much. */
export const workingTokens = 8_192;

const isRunning = (run: DoctorRun): boolean => run.report === undefined && run.cancelled !== true;

/** `run` is the last one told of, of whatever model; the note keeps this model's last report. */
export function doctorView(model: string, note: ModelNote | undefined, run: DoctorRun | null): DoctorView {
  const mine = run !== null && run.model === model ? run : null;
  const kept = note?.doctor ?? null;
  const report = newer(mine?.report ?? null, kept);
  const other = run !== null && mine === null && isRunning(run) ? run.model : null;
  if (mine !== null && isRunning(mine)) return { state: "running", steps: allSteps(mine.steps), report, other };
  if (mine?.cancelled === true && (report === null || report === kept))
    return { state: "stopped", steps: allSteps(report?.steps ?? mine.steps), report, other };
  if (report === null) return { state: "never", steps: [], report, other };
  return { state: "done", steps: allSteps(report.steps), report, other };
}

function newer(one: DoctorReport | null, two: DoctorReport | null): DoctorReport | null {
  if (one === null || two === null) return one ?? two;
  return one.at > two.at ? one : two;
}

function allSteps(told: readonly DoctorStep[]): readonly DoctorStep[] {
  return doctorSteps.map((step) => told.find((one) => one.step === step) ?? { step, state: "waiting" });
}

/** Why the verdict is no better: the first step that failed, else what the speed or the window leaves out; null = it is the best. */
export function reasonOf(report: DoctorReport): DoctorStepName | "slow" | "small" | null {
  const failed = report.steps.find((step) => step.state === "failed");
  if (failed !== undefined) return failed.step;
  if (report.verdict === "agent") return null;
  if (report.writePerSecond > 0 && report.writePerSecond < slowPerSecond) return "slow";
  return report.numCtx < workingTokens ? "small" : null;
}

/** One measured fact; the component puts it into words. */
export type DoctorFact =
  | { readonly fact: "gpu"; readonly share: number }
  | { readonly fact: "reads" | "writes"; readonly perSecond: number }
  | { readonly fact: "calls"; readonly mode: ToolMode }
  | { readonly fact: "repaired" | "edited" }
  | { readonly fact: "tries"; readonly count: number }
  | { readonly fact: "held" | "lost" | "smaller"; readonly tokens: number }
  | { readonly fact: "cut"; readonly sent: number; readonly read: number };

/** What a step measured, in the order it is told. Facts with other names are left out. */
export function factsOf(step: DoctorStep, report: DoctorReport | null): readonly DoctorFact[] {
  const facts = step.facts ?? {};
  const number = (name: string): number | null => (typeof facts[name] === "number" ? facts[name] : null);
  const isOver = step.state === "ok" || step.state === "weak" || step.state === "failed";
  if (!isOver) return [];
  const tries = number("tries");
  const tried: readonly DoctorFact[] =
    tries !== null && tries > 1 && step.state !== "failed" ? [{ fact: "tries", count: tries }] : [];
  switch (step.step) {
    case "load": {
      const share = number("vramShare");
      const tokens = number("numCtx");
      if (step.state === "failed") return [];
      return [
        // The window it was to have did not fit into memory.
        ...(step.state === "weak" && tokens !== null ? [{ fact: "smaller" as const, tokens }] : []),
        ...(share === null ? [] : [{ fact: "gpu" as const, share }]),
      ];
    }
    case "answer":
      return [
        ...speed("reads", report?.readPerSecond),
        ...speed("writes", number("writePerSecond") ?? report?.writePerSecond),
      ];
    case "tools": {
      const mode = toolModeOf(facts.mode) ?? report?.toolMode ?? null;
      if (step.state === "failed" || mode === null) return [];
      const repaired: readonly DoctorFact[] = facts.repaired === true ? [{ fact: "repaired" }] : [];
      return [{ fact: "calls", mode }, ...repaired, ...tried];
    }
    case "edit":
      return step.state === "failed" ? [] : [{ fact: "edited" }, ...tried];
    case "window":
      return windowFacts(step, number, report);
  }
}

function windowFacts(
  step: DoctorStep,
  number: (name: string) => number | null,
  report: DoctorReport | null,
): readonly DoctorFact[] {
  const tokens = number("numCtx") ?? report?.numCtx ?? null;
  const sent = number("sent");
  const read = number("read");
  if (step.error?.code === "prompt_cut") return sent === null || read === null ? [] : [{ fact: "cut", sent, read }];
  // How fast it reads is measured here; once the test is over it stands with how fast it writes.
  const reads = report === null ? speed("reads", number("readPerSecond") ?? undefined) : [];
  if (step.error !== undefined || tokens === null) return reads;
  return [{ fact: step.state === "failed" ? "lost" : "held", tokens }, ...reads];
}

const speed = (fact: "reads" | "writes", perSecond: number | undefined): readonly DoctorFact[] =>
  perSecond === undefined || perSecond <= 0 ? [] : [{ fact, perSecond }];

const toolModes: readonly ToolMode[] = ["native", "react", "xml"];
const toolModeOf = (value: unknown): ToolMode | null => toolModes.find((mode) => mode === value) ?? null;
