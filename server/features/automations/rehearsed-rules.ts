/** What the owner allowed in a rehearsal, as rules that an automation can have. */
import type { AutomationRule } from "@/lib/automations/automation";
import { iterate } from "@/lib/view/chunks";
import type { CallView, SessionView } from "@/lib/view/view";

/** One rule for each thing that was allowed, in the order of the calls. What no rule can allow is left out. */
export function rehearsedRules(view: SessionView): readonly AutomationRule[] {
  const rules = new Map<string, AutomationRule>();
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    for (const call of entry.calls) {
      const rule = ruleOf(call);
      if (rule !== null) rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}

function ruleOf({ approvals, kind, target }: CallView): AutomationRule | null {
  const approval = approvals.at(-1);
  if (approval?.response === undefined || approval.response.option === "deny" || approval.gate !== undefined)
    return null;
  if (approval.rule !== undefined) return approval.rule;
  if (/[*?[\]{}!\\]/.test(target)) return null;
  if (kind === "edit" || kind === "write") return { tool: "files", access: "write", glob: target };
  return kind === "delete" ? { tool: "files", access: "delete", glob: target } : null;
}
