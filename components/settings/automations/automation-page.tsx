"use client";
/** Page of one automation: switch, facts, rehearsal, rules and last runs; or its form. */
import { useId, useState } from "react";
import { automationRunLimits, type AutomationView, isPausedAutomation } from "@/lib/automations/automation";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Switch } from "../../ui/controls/switch";
import { VisibleText } from "../../ui/text/visible-text";
import { ChangeError } from "../item-section/change-error";
import { Fact, FactTable, ItemPage, ItemPart } from "../item-section/item-page";
import { useChange, useListChange } from "../../state/use-change";
import { RemoveItem } from "../item-section/remove-item";
import { toDraft } from "./automation-draft";
import { AutomationForm } from "./automation-form";
import { AutomationRuns } from "./automation-runs";
import { AutomationStatus, isRehearsed } from "./automation-status";
import { RehearsalPart } from "./rehearsal-part";
import { DueTimes } from "./schedule-fields";
import { browserZone, formatTrigger } from "./trigger-text";
import { X } from "lucide-react";
import { formatRulePattern } from "@/lib/permissions/policy";
import { IconButton } from "../../ui/controls/icon-button";
import { ruleKey, RuleText } from "./rule-text";

/** The rules of an automation, each with a button that removes it. */
function AutomationRules({ automation: { id, rules } }: { readonly automation: AutomationView }) {
  const { automations: text } = useFullMessages();
  const change = useChange("inline");
  const { change: changeRules } = useListChange(rules, (next) =>
    change.perform("automations.set_rules", { id, rules: next }),
  );
  return (
    <ItemPart title={text.rules.title} note={text.rules.note}>
      {rules.length === 0 ? (
        <p className="text-ink-muted">{text.rules.none}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {rules.map((rule) => (
            <li key={ruleKey(rule)} className="flex items-center justify-between gap-3 py-1">
              <RuleText rule={rule} />
              <IconButton
                icon={X}
                name={text.rules.remove(formatRulePattern(rule))}
                onClick={() => void changeRules((list) => list.filter((one) => one !== rule))}
              />
            </li>
          ))}
        </ul>
      )}
      <ChangeError error={change.error} />
    </ItemPart>
  );
}

interface AutomationPageProps {
  readonly automation: AutomationView;
  readonly projects: readonly Project[];
}

export function AutomationPage({ automation, projects }: AutomationPageProps) {
  const { automations: text } = useFullMessages();
  const [isEditing, setEditing] = useState(false);
  const run = useChange("inline");
  const { id, name, failures } = automation;
  if (isEditing)
    return (
      <AutomationForm
        id={id}
        start={toDraft(automation, browserZone())}
        projects={projects}
        onSaved={() => setEditing(false)}
        onCancel={() => setEditing(false)}
      />
    );
  return (
    <ItemPage
      name={name}
      chips={<AutomationStatus automation={automation} />}
      about={isPausedAutomation(automation) && <p className="max-w-[68ch]">{text.paused(String(failures))}</p>}
      actions={
        <>
          {isRehearsed(automation) && (
            <Button busy={run.isBusy} onClick={() => void run.perform("automations.run", { id })}>
              {text.run}
            </Button>
          )}
          <Button onClick={() => setEditing(true)}>{text.edit}</Button>
          <RemoveAutomation automation={automation} />
        </>
      }
    >
      <ChangeError
        error={run.error}
        sentences={{
          busy: text.problems.busy,
          not_approved: text.problems.not_approved,
          no_change: text.problems.no_change,
        }}
      />
      <AutomationSwitch automation={automation} />
      <AutomationFacts automation={automation} project={projects.find((one) => one.id === automation.projectId)} />
      <RehearsalPart automation={automation} />
      {automation.mode === "ask" && <AutomationRules automation={automation} />}
      <AutomationRuns runs={automation.runs} skipped={automation.skipped} />
    </ItemPage>
  );
}

function AutomationSwitch({ automation }: Pick<AutomationPageProps, "automation">) {
  const { automations: text } = useFullMessages();
  const change = useChange("inline");
  const labelId = useId();
  const { id, isOn } = automation;
  const mayBeOn = isRehearsed(automation);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-4">
        <div className="min-w-0 flex-1">
          <p id={labelId} className="font-medium">
            {text.on.label}
          </p>
          <p className="text-small text-ink-muted">{mayBeOn ? text.on.note : text.on.needsRehearsal}</p>
        </div>
        <Switch
          aria-labelledby={labelId}
          on={isOn}
          disabled={!mayBeOn}
          onChange={(on) => void change.perform("automations.switch", { id, isOn: on })}
        />
      </div>
      <ChangeError error={change.error} sentences={{ not_approved: text.problems.not_approved }} />
    </div>
  );
}

function AutomationFacts({
  automation,
  project,
}: {
  readonly automation: AutomationView;
  readonly project: Project | undefined;
}) {
  const { automations: text, common, figures } = useFullMessages();
  const { trigger, next, model, mode, prompt, cardMinutes } = automation;
  const { steps, minutes, outputTokens } = automationRunLimits;
  return (
    <FactTable>
      <Fact name={text.facts.when}>
        {formatTrigger(trigger, text, browserZone())}
        {trigger.kind === "time" && (
          <span className="text-ink-muted">
            {" · "}
            {trigger.missed === "run" ? text.facts.missedRun : text.facts.missedSkip}
          </span>
        )}
      </Fact>
      {trigger.kind === "time" && (
        <>
          <Fact name={text.facts.cron}>
            <code className="font-mono text-code">{trigger.cron}</code>
            <span className="ml-2 text-ink-muted">{trigger.zone}</span>
          </Fact>
          <Fact name={text.facts.next}>
            {next.length === 0 ? (
              <span className="text-ink-muted">{text.facts.nextNone}</span>
            ) : (
              <DueTimes times={next} zone={trigger.zone} label={text.facts.next} />
            )}
          </Fact>
        </>
      )}
      <Fact name={text.facts.project}>{project?.name ?? text.removedProject}</Fact>
      <Fact name={text.facts.model}>{model ?? text.usualModel}</Fact>
      <Fact name={text.facts.mode}>{text.modes[mode]}</Fact>
      {mode === "ask" && (
        <Fact name={text.facts.cards}>
          {cardMinutes === 0 ? text.facts.cardsDeniedAtOnce : text.facts.cardsDenied(String(cardMinutes))}
        </Fact>
      )}
      {automation.looksFirst === true && <Fact name={text.facts.looksFirst}>{text.facts.looksFirstText}</Fact>}
      <Fact name={text.facts.limits}>
        {text.facts.limitsText(String(steps), String(minutes), figures.number(outputTokens))}
      </Fact>
      <Fact name={text.facts.prompt}>
        <p className="max-h-48 overflow-auto whitespace-pre-wrap">
          <VisibleText text={prompt} names={common.hidden} />
        </p>
      </Fact>
    </FactTable>
  );
}

function RemoveAutomation({ automation: { id, name } }: Pick<AutomationPageProps, "automation">) {
  const { automations: text } = useFullMessages();
  const { perform } = useChange("toast");
  return (
    <RemoveItem
      label={text.remove}
      title={text.removeTitle(name)}
      yes={text.removeYes}
      remove={async () => (await perform("automations.remove", { id })) !== undefined}
    >
      <p>{text.removeNote}</p>
    </RemoveItem>
  );
}
