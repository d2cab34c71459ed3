"use client";
/** A rule of an automation: a verb and what it may be done with. */
import type { AutomationRule } from "@/lib/automations/automation";
import { formatRulePattern } from "@/lib/permissions/policy";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";

/** Text that identifies a rule. */
export const ruleKey = (rule: AutomationRule): string =>
  `${rule.tool === "files" ? rule.access : rule.tool} ${formatRulePattern(rule)}`;

export function RuleText({ rule }: { readonly rule: AutomationRule }) {
  const { automations: text, common } = useFullMessages();
  const kind = rule.tool === "files" ? rule.access : rule.tool;
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      <span className="text-ink-muted">{text.rules.kinds[kind]}</span>{" "}
      <code className="font-mono text-code">
        <VisibleText text={formatRulePattern(rule)} names={common.hidden} />
      </code>
    </span>
  );
}
