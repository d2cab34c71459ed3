"use client";
/** Second level of the model menu: tool calls, window with memory cost, prompt and thinking of the session's model. */
import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { WindowPlan } from "@/lib/models/models";
import { Segmented } from "../../ui/controls/segmented";
import { Skeleton } from "../../ui/indicators/skeleton";
import { IconButton } from "../../ui/controls/icon-button";
import { type WindowStep, windowSteps } from "./window-steps";
import type { ModelUse, ModelUseChange } from "./model-menu";

interface ModelUsePanelProps {
  readonly model: string;
  readonly use: ModelUse;
  readonly isLocked: boolean;
  readonly onBack: () => void;
}

const toolModeChoices = ["auto", "native", "react", "xml"] as const;
const profileChoices = ["auto", "small", "default", "full"] as const;

export function ModelUsePanel({ model, use, isLocked, onBack }: ModelUsePanelProps) {
  const { models, modelUse } = useFullMessages();
  const { state, note } = use;
  // Shows a choice immediately and reverts it on refusal; the server state supplies the rest.
  const [chosen, setChosen] = useState<ModelUseChange>({});
  const change = (next: ModelUseChange): void => {
    setChosen((before) => ({ ...before, ...next }));
    void use.onChange(next).then((isAccepted) => {
      if (!isAccepted) setChosen({});
    });
  };
  const { refresh } = use;
  useEffect(refresh, [refresh]);
  const toolMode = chosen.toolMode ?? (note?.toolMode?.by === "user" ? note.toolMode.mode : "auto");
  const profile = chosen.profile ?? note?.profile ?? "auto";
  return (
    <div className="p-3 pt-1.5">
      <div className="-ml-2 flex items-center gap-1">
        <IconButton autoFocus icon={ChevronLeft} name={modelUse.back} size="small" onClick={onBack} />
        <h3 className="min-w-0 flex-1 cut font-medium">{models.useTitle}</h3>
      </div>
      <p className="pt-0.5 text-small text-ink-muted [overflow-wrap:anywhere]">
        {isLocked ? models.lockedNote : modelUse.note(model)}
      </p>
      <fieldset disabled={isLocked} className="grid gap-4 pt-3 disabled:opacity-50">
        <SettingSection
          label={modelUse.toolCalls}
          note={toolMode === "auto" ? modelUse.autoMode(models.modes[state.toolMode]) : models.modeNotes[toolMode]}
        >
          <Segmented
            name={modelUse.toolCalls}
            value={toolMode}
            options={toolModeChoices.map((value) => ({
              value,
              label: value === "auto" ? modelUse.auto : models.modes[value],
            }))}
            onChange={(next) => change({ toolMode: next })}
          />
        </SettingSection>
        <WindowChoices
          use={use}
          chosen={chosen.numCtx ?? note?.numCtx ?? 0}
          onChange={(numCtx) => change({ numCtx })}
        />
        <SettingSection
          label={modelUse.prompt}
          note={modelUse.promptNotes[profile === "auto" ? state.profile : profile]}
        >
          <Segmented
            name={modelUse.prompt}
            value={profile}
            options={profileChoices.map((value) => ({ value, label: modelUse.profiles[value] }))}
            onChange={(next) => change({ profile: next })}
          />
        </SettingSection>
        {use.thinkChoices.length > 0 && (
          <SettingSection label={modelUse.think} note={modelUse.thinkNote}>
            <Segmented
              name={modelUse.think}
              value={`${chosen.think ?? state.think}`}
              options={use.thinkChoices.map((value) => ({
                value: `${value}` as const,
                label: modelUse.thinkChoices[`${value}`],
              }))}
              onChange={(next) => change({ think: next === "true" || (next === "false" ? false : next) })}
            />
          </SettingSection>
        )}
      </fieldset>
    </div>
  );
}

interface SettingSectionProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

const SettingSection = ({ label, note, children }: SettingSectionProps) => (
  <div className="grid justify-items-start gap-1">
    <p>{label}</p>
    {children}
    <p className="text-small text-ink-muted">{note}</p>
  </div>
);

interface WindowChoicesProps {
  readonly use: ModelUse;
  /** tokens; 0 = automatic */
  readonly chosen: number;
  readonly onChange: (tokens: number) => void;
}

function WindowChoices({ use, chosen, onChange }: WindowChoicesProps) {
  const messages = useFullMessages();
  const group = useId();
  const [plan, setPlan] = useState<WindowPlan | null | undefined>(undefined);
  const { loadWindow, state } = use;
  const { modelUse: labels } = messages;
  useEffect(() => {
    let wanted = true;
    void loadWindow().then((answer) => {
      if (wanted) setPlan(answer);
    });
    return () => {
      wanted = false;
    };
  }, [loadWindow]);
  if (plan === undefined) return <Skeleton label={messages.common.loading} className="h-28" />;
  if (plan === null) return null;
  const auto = plan.by === "user" ? labels.auto : labels.autoWindow(messages.figures.tokens(plan.chosen));
  const rows = [
    { tokens: 0, label: auto, cost: plan.by === "user" ? "" : labels.windowBy[plan.by], isTooLarge: false },
    ...windowSteps(plan, state.numCtx).map((step) => ({
      tokens: step.tokens,
      label: messages.figures.tokens(step.tokens),
      cost: step.tokens === state.numCtx ? labels.inUse : formatWindowCost(step, messages),
      isTooLarge: step.fits === false,
    })),
  ];
  return (
    <div role="radiogroup" aria-label={labels.window}>
      <p className="pb-1">{labels.window}</p>
      {rows.map((row) => (
        <label
          key={row.tokens}
          className="-mx-2 flex min-h-7 items-center gap-2 rounded-control px-2 tabular-nums hover:bg-hover has-focus-visible:bg-hover max-tablet:min-h-11"
        >
          <input
            type="radio"
            name={group}
            checked={chosen === row.tokens}
            onChange={() => onChange(row.tokens)}
            className="size-3.5 accent-accent"
          />
          <span className="flex-1">{row.label}</span>
          <span className={row.isTooLarge ? "text-small text-danger" : "text-small text-ink-muted"}>{row.cost}</span>
        </label>
      ))}
    </div>
  );
}

function formatWindowCost({ moreBytes, fits }: WindowStep, { modelUse, figures }: FullMessages): string {
  if (fits === false) return modelUse.noFit;
  if (moreBytes === null) return "";
  return moreBytes >= 0 ? modelUse.more(figures.bytes(moreBytes)) : modelUse.less(figures.bytes(-moreBytes));
}
