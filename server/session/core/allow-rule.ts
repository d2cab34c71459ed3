/** The rule that "always allow" adds. */
import type { ProjectId, RuleId } from "@/lib/events/id";
import type { ProposedRule, Rule, RulePattern } from "@/lib/permissions/policy";
import { randomId } from "@/server/base/id";

/**
 * Returns a rule that allows the proposed pattern in the project; null without a proposal. `edited` = the words of a
 * command as the user changed them; ignored if a host or a tool is proposed. `createdAt` in ms epoch.
 */
export function allowRule(
  proposed: ProposedRule | undefined,
  edited: RulePattern | undefined,
  projectId: ProjectId,
  createdAt: number,
): Rule | null {
  const pattern = proposed === undefined || proposed.tool === "bash" ? (edited ?? proposed) : proposed;
  if (pattern === undefined) return null;
  return { id: randomId<RuleId>("rule"), projectId, effect: "allow", createdAt, ...pattern };
}
