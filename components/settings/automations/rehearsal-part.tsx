"use client";
/** The rehearsal of an automation: its state, and the calls the owner allowed there, as rules to choose from. */
import { useState } from "react";
import type { AutomationRehearsal, AutomationRule, AutomationView } from "@/lib/automations/automation";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { ChangeError } from "../item-section/change-error";
import { ItemPart } from "../item-section/item-page";
import { useChange } from "../../state/use-change";
import { isRehearsed } from "./automation-status";
import { ruleKey, RuleText } from "./rule-text";
import { withBasePath } from "../../state/base-path";
import { useCommandQuery } from "../../state/use-command-query";

interface RehearsalPartProps {
  readonly automation: AutomationView;
}

export function RehearsalPart({ automation }: RehearsalPartProps) {
  const { automations: text } = useFullMessages();
  const rehearse = useChange("inline");
  const { id, rehearsal, mode } = automation;
  return (
    <ItemPart title={text.rehearsal.title} note={text.rehearsal.note}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        {rehearsalState(rehearsal, text.rehearsal)}
        {rehearsal !== undefined && (
          <a href={withBasePath(`/s/${rehearsal.sessionId}`)} className="text-accent hover:underline max-tablet:py-2.5">
            {text.rehearsal.open}
          </a>
        )}
      </p>
      {rehearsal?.outcome !== undefined && mode === "ask" && (
        <AllowedCalls key={rehearsal.sessionId} automation={automation} sessionId={rehearsal.sessionId} />
      )}
      <div className="mt-1.5">
        <Button
          look={isRehearsed(automation) ? "plain" : "primary"}
          busy={rehearse.isBusy}
          disabled={rehearsal !== undefined && rehearsal.outcome === undefined}
          onClick={() => void rehearse.perform("automations.rehearse", { id })}
        >
          {rehearsal === undefined ? text.rehearse : text.rehearseAgain}
        </Button>
      </div>
      <ChangeError error={rehearse.error} sentences={{ busy: text.problems.busy }} />
    </ItemPart>
  );
}

function rehearsalState(
  rehearsal: AutomationRehearsal | undefined,
  words: { readonly none: string; readonly running: string; readonly ended: string; readonly failed: string },
): string {
  if (rehearsal === undefined) return words.none;
  if (rehearsal.outcome === undefined) return words.running;
  return rehearsal.outcome === "done" ? words.ended : words.failed;
}

function AllowedCalls({ automation, sessionId }: RehearsalPartProps & { readonly sessionId: string }) {
  const { automations: text } = useFullMessages();
  const { data: allowed } = useCommandQuery(
    "automations.rehearsed_rules",
    { id: automation.id },
    { retry: false, stamp: sessionId, select: ({ rules }) => rules },
  );
  const change = useChange("inline");
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const stored = new Set(automation.rules.map(ruleKey));
  const offered = (allowed ?? []).filter((rule) => !stored.has(ruleKey(rule)));
  if (allowed === undefined) return null;
  if (allowed.length === 0) return <p className="text-ink-muted">{text.rehearsal.nothing}</p>;
  if (offered.length === 0) return null;
  const chosen = offered.filter((rule) => !leftOut.has(ruleKey(rule)));
  const toggle = (rule: AutomationRule, isChosen: boolean): void => {
    const next = new Set(leftOut);
    if (isChosen) next.delete(ruleKey(rule));
    else next.add(ruleKey(rule));
    setLeftOut(next);
  };
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5">{text.rehearsal.allowed}</legend>
      {offered.map((rule) => (
        <label key={ruleKey(rule)} className="flex min-w-0 items-baseline gap-2 max-tablet:py-1.5">
          <input
            type="checkbox"
            checked={!leftOut.has(ruleKey(rule))}
            onChange={(event) => toggle(rule, event.target.checked)}
            className="size-4 shrink-0 self-center accent-accent"
          />
          <RuleText rule={rule} />
        </label>
      ))}
      <div>
        <Button
          busy={change.isBusy}
          disabled={chosen.length === 0}
          onClick={() =>
            void change.perform("automations.set_rules", { id: automation.id, rules: [...automation.rules, ...chosen] })
          }
        >
          {text.rehearsal.use}
        </Button>
      </div>
      <ChangeError error={change.error} />
    </fieldset>
  );
}
