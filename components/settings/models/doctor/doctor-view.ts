/** State and measurements of a model's test for display. Pure. */
import { isSameModelName } from "@/lib/models/model-names";
import type { ToolMode } from "@/lib/events/event";
import {
  type DoctorReport,
  type DoctorRun,
  type DoctorStep,
  doctorSteps,
  type ModelNote,
  ratedDoctorSteps,
} from "@/lib/models/models";

export interface DoctorView {
  readonly state: "never" | "running" | "stopped" | "done";
  /** In order; of a running test, those not started are `waiting`. Older reports lack some. Empty = never tested. */
  readonly steps: readonly DoctorStep[];
  /** Report of the last complete test; while a test runs, the previous one. */
  readonly report: DoctorReport | null;
  /** Name of another model whose test is running. */
  readonly other: string | null;
}

/** Tokens per second below which a run takes unacceptably long. */
export const slowPerSecond = 4;
/** Minimum context window in tokens for the agent's instructions, one file and an answer. */
export const workingTokens = 8_192;

const isDoctorRunning = (run: DoctorRun): boolean => run.report === undefined && run.cancelled !== true;

/** Combines the last run received, of any model, with this model's stored note, which has its last report. */
export function doctorView(model: string, note: ModelNote | undefined, run: DoctorRun | null): DoctorView {
  const ownRun = run !== null && isSameModelName(run.model, model) ? run : null;
  const stored = note?.doctor ?? null;
  const report = newerReport(ownRun?.report ?? null, stored);
  const other = run !== null && ownRun === null && isDoctorRunning(run) ? run.model : null;
  if (ownRun !== null && isDoctorRunning(ownRun))
    return { state: "running", steps: allSteps(ownRun.steps), report, other };
  if (ownRun?.cancelled === true && (report === null || report === stored))
    return { state: "stopped", steps: report?.steps ?? allSteps(ownRun.steps), report, other };
  if (report === null) return { state: "never", steps: [], report, other };
  return { state: "done", steps: report.steps, report, other };
}

function newerReport(one: DoctorReport | null, two: DoctorReport | null): DoctorReport | null {
  if (one === null || two === null) return one ?? two;
  return one.at > two.at ? one : two;
}

function allSteps(reported: readonly DoctorStep[]): readonly DoctorStep[] {
  return doctorSteps.map((step) => reported.find((one) => one.step === step) ?? { step, state: "waiting" });
}

/**
 * Returns the main reason for the verdict: the first failed step, else low speed or a small window; null = best
 * verdict.
 */
export function verdictReason(report: DoctorReport): (typeof ratedDoctorSteps)[number] | "slow" | "small" | null {
  const failed = ratedDoctorSteps.find((name) =>
    report.steps.some(({ step, state }) => step === name && state === "failed"),
  );
  if (failed !== undefined) return failed;
  if (report.verdict === "agent") return null;
  if (report.writePerSecond > 0 && report.writePerSecond < slowPerSecond) return "slow";
  return report.numCtx < workingTokens ? "small" : null;
}

type KeptFact = "keepsTwo" | "keepsOne" | "keepsUnknown";
type MovedFact = "toolsStay" | "toolsMove" | "toolsUnknown";

/** A measured fact; the component formats it. */
export type DoctorFact =
  | { readonly fact: "gpu"; readonly share: number }
  | { readonly fact: "reads" | "writes"; readonly perSecond: number }
  | { readonly fact: "calls"; readonly mode: ToolMode }
  | { readonly fact: "repaired" | "edited" | "nested" | "rewritten" | KeptFact | MovedFact }
  | { readonly fact: "tries"; readonly count: number }
  | { readonly fact: "held" | "lost" | "smaller"; readonly tokens: number }
  | { readonly fact: "cut"; readonly sent: number; readonly read: number }
  | { readonly fact: "cached"; readonly cached: number; readonly prompt: number }
  | { readonly fact: "readAgain"; readonly firstMs: number; readonly againMs: number };

/** Returns a step's measurements in display order. Facts with unknown names are omitted. */
export function stepFacts(step: DoctorStep, report: DoctorReport | null): readonly DoctorFact[] {
  const facts = step.facts ?? {};
  const number = (name: string): number | null => (typeof facts[name] === "number" ? facts[name] : null);
  if (step.state === "waiting" || step.state === "running") return [];
  const tries = number("tries");
  const tried: readonly DoctorFact[] =
    tries !== null && tries > 1 && step.state !== "failed" ? [{ fact: "tries", count: tries }] : [];
  switch (step.step) {
    case "load": {
      const share = number("vramShare");
      const tokens = number("numCtx");
      if (!hasPassed(step)) return [];
      return [
        // The planned window did not fit into memory.
        ...(step.state === "weak" && tokens !== null ? [{ fact: "smaller" as const, tokens }] : []),
        ...(share === null ? [] : [{ fact: "gpu" as const, share }]),
      ];
    }
    case "answer":
      if (step.state === "skipped") return [];
      return [
        ...speedFacts("reads", report?.readPerSecond),
        ...speedFacts("writes", number("writePerSecond") ?? report?.writePerSecond),
      ];
    case "tools": {
      const mode = parseToolMode(facts.mode) ?? report?.toolMode ?? null;
      if (!hasPassed(step) || mode === null) return [];
      const repaired: readonly DoctorFact[] = facts.repaired === true ? [{ fact: "repaired" }] : [];
      return [{ fact: "calls", mode }, ...repaired, ...tried];
    }
    case "edit":
      return hasPassed(step) ? [{ fact: "edited" }, ...tried] : [];
    case "nested": {
      const rewritten: readonly DoctorFact[] = facts.repaired === true ? [{ fact: "rewritten" }] : [];
      return hasPassed(step) ? [{ fact: "nested" }, ...rewritten, ...tried] : [];
    }
    case "window":
      return step.state === "skipped" ? [] : windowFacts(step, number, report);
    case "conversations":
      return outcomeFacts(keptFacts[`${facts.keeps}`], number);
    case "template":
      return outcomeFacts(movedFacts[`${facts.moves}`], number);
  }
}

const hasPassed = ({ state }: DoctorStep): boolean => state === "ok" || state === "weak";

/** By the value of `keeps`, and of `moves`. */
const keptFacts: Readonly<Record<string, KeptFact>> = { yes: "keepsTwo", no: "keepsOne", unknown: "keepsUnknown" };
const movedFacts: Readonly<Record<string, MovedFact>> = { yes: "toolsMove", no: "toolsStay", unknown: "toolsUnknown" };

/** The outcome, and the figures behind it. */
function outcomeFacts(
  outcome: KeptFact | MovedFact | undefined,
  number: (name: string) => number | null,
): readonly DoctorFact[] {
  if (outcome === undefined) return [];
  const [cached, prompt] = [number("cached"), number("prompt")];
  const [firstMs, againMs] = [number("firstMs"), number("againMs")];
  if (cached !== null && prompt !== null) return [{ fact: outcome }, { fact: "cached", cached, prompt }];
  if (firstMs === null || againMs === null) return [{ fact: outcome }];
  return [{ fact: outcome }, { fact: "readAgain", firstMs, againMs }];
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
  // Reading speed is measured in this step; after the test it is shown beside the writing speed in the answer step.
  const reads = report === null ? speedFacts("reads", number("readPerSecond") ?? undefined) : [];
  if (step.error !== undefined || tokens === null) return reads;
  return [{ fact: step.state === "failed" ? "lost" : "held", tokens }, ...reads];
}

const speedFacts = (fact: "reads" | "writes", perSecond: number | undefined): readonly DoctorFact[] =>
  perSecond === undefined || perSecond <= 0 ? [] : [{ fact, perSecond }];

const reportedToolModes: readonly ToolMode[] = ["native", "react", "xml"];
const parseToolMode = (value: unknown): ToolMode | null => reportedToolModes.find((mode) => mode === value) ?? null;
