"use client";
/** The rules of an automation, each with a button that removes it. */
import { X } from "lucide-react";
import type { AutomationView } from "@/lib/automations/automation";
import { formatRulePattern } from "@/lib/permissions/policy";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { ChangeError } from "../item-section/change-error";
import { ItemPart } from "../item-section/item-page";
import { useChange } from "../use-change";
import { ruleKey, RuleText } from "./rule-text";

export function AutomationRules({ automation: { id, rules } }: { readonly automation: AutomationView }) {
  const { automations: text } = useFullMessages();
  const change = useChange("inline");
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
                onClick={() =>
                  void change.perform("automations.set_rules", { id, rules: rules.filter((one) => one !== rule) })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <ChangeError error={change.error} />
    </ItemPart>
  );
}
