/** The rule that "always allow" adds. */
import type { ProjectId, RuleId } from "@/lib/events/id";
import type { Rule, RulePattern } from "@/lib/permissions/policy";
import { randomId } from "@/server/base/id";

/** Returns a rule that allows the pattern in the project; null without a pattern. `createdAt` in ms epoch. */
export const allowRule = (pattern: RulePattern | undefined, projectId: ProjectId, createdAt: number): Rule | null =>
  pattern === undefined
    ? null
    : {
        id: randomId<RuleId>("rule"),
        projectId,
        effect: "allow",
        tool: "bash",
        words: pattern.words,
        rest: pattern.rest,
        createdAt,
      };
