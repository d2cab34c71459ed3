/** The steps of a model's test, each with its state and measurements. */
import { Check, CircleDashed, Minus, TriangleAlert, X } from "lucide-react";
import type { DoctorReport, DoctorStep } from "@/lib/models/models";
import { classes } from "../../../ui/theme/classes";
import { Icon } from "../../../ui/indicators/icon";
import { Spinner } from "../../../ui/indicators/spinner";
import { useFullMessages, type FullMessages } from "../../../messages/full-messages";
import { Disclosure, RawText } from "../../item-section/disclosure";
import { engineErrorText } from "../../../messages/engine-error-text";
import { joinSentences } from "../../../messages/join-sentences";
import { type DoctorFact, stepFacts } from "./doctor-view";

interface DoctorStepsProps {
  readonly steps: readonly DoctorStep[];
  /** Report of the whole test; null = no test has finished, or one is running. */
  readonly report: DoctorReport | null;
}

export function DoctorSteps({ steps, report }: DoctorStepsProps) {
  const messages = useFullMessages();
  return (
    <ol
      aria-label={messages.doctor.title}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
    >
      {steps.map((step) => (
        <li key={step.step} className="px-3.5 py-2" data-state={step.state}>
          <div className="flex items-start gap-2.5">
            <StepMark state={step.state} />
            <div className="grid min-w-0 flex-1 gap-x-4 tablet:grid-cols-[10rem_1fr]">
              <span className={step.state === "waiting" || step.state === "skipped" ? "text-ink-muted" : ""}>
                {messages.doctor.steps[step.step]}
              </span>
              <span className="text-ink-muted">{sentenceCase(stepResultText(step, report, messages))}</span>
            </div>
            {step.ms !== undefined && (
              <span className="shrink-0 py-0.5 text-small text-ink-faint tabular-nums">
                {messages.figures.duration(step.ms)}
              </span>
            )}
          </div>
          {step.error?.detail !== undefined && (
            <Disclosure title={messages.common.details} className="mt-1 pl-6.5">
              <RawText text={step.error.detail} />
            </Disclosure>
          )}
        </li>
      ))}
    </ol>
  );
}

const sentenceCase = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const stepMarks = {
  waiting: { icon: CircleDashed, look: "text-ink-faint" },
  ok: { icon: Check, look: "text-accent" },
  weak: { icon: TriangleAlert, look: "text-ask" },
  failed: { icon: X, look: "text-danger" },
  skipped: { icon: Minus, look: "text-ink-faint" },
} as const;

function StepMark({ state }: { readonly state: DoctorStep["state"] }) {
  const { doctor } = useFullMessages();
  if (state === "running")
    return (
      <span
        role="img"
        aria-label={doctor.states.running}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center"
      >
        <Spinner className="text-accent" />
      </span>
    );
  const { icon, look } = stepMarks[state];
  return <Icon of={icon} label={doctor.states[state]} className={classes("mt-0.5", look)} />;
}

/** Describes the measurements of a step, or why it failed or was skipped. */
function stepResultText(step: DoctorStep, report: DoctorReport | null, messages: FullMessages): string {
  const text = messages.doctor;
  const facts = stepFacts(step, report).map((fact) => factText(fact, messages));
  const reasons = step.error === undefined || step.state !== "failed" ? [] : [engineErrorText(step.error, messages)];
  if (step.state === "skipped" && facts.length === 0) return text.states.skipped;
  const failed = step.state === "failed" && facts.length === 0 && reasons.length === 0 ? [text.because[step.step]] : [];
  return joinSentences(messages, [...reasons, ...failed, facts.join(text.facts.comma)]);
}

function factText(fact: DoctorFact, messages: FullMessages): string {
  const { figures, doctor } = messages;
  const text = doctor.facts;
  switch (fact.fact) {
    case "gpu":
      if (fact.share >= 0.995) return messages.models.allOnGpu;
      return fact.share <= 0.005 ? messages.models.onCpu : messages.models.onGpu(figures.percent(fact.share));
    case "reads":
      return text.reads(figures.number(Math.round(fact.perSecond)));
    case "writes":
      return text.writes(figures.speed(fact.perSecond));
    case "calls":
      return text.calls[fact.mode];
    case "tries":
      return text.tries(fact.count);
    case "held":
    case "lost":
    case "smaller":
      return text[fact.fact](figures.tokens(fact.tokens));
    case "cut":
      return text.cut(figures.number(fact.read), figures.number(fact.sent));
    case "cached":
      return text.cached(figures.number(fact.cached), figures.number(fact.prompt));
    case "readAgain":
      return text.readAgain(figures.duration(fact.againMs), figures.duration(fact.firstMs));
    default:
      return text[fact.fact];
  }
}
