/** Takes all rights from the tools of a source that is removed: another one of its name begins without any. */
import type { ProjectId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { parseToolPattern } from "@/server/security/rules/remote-rules";
import type { Store } from "@/server/store/open-store";

/** `owner` = the only project that has it; null = all. Throws StoreError. */
export function forgetToolSource(
  { approvedTools, rules }: Pick<Store, "approvedTools" | "rules">,
  push: (push: Push) => void,
  source: string,
  owner: ProjectId | null = null,
): void {
  approvedTools.forget(source, owner);
  const allowing = rules
    .all()
    .filter(
      (rule) =>
        (owner === null || rule.projectId === owner) &&
        rule.effect === "allow" &&
        rule.tool === "external" &&
        parseToolPattern(rule.pattern)?.source === source,
    );
  for (const { id } of allowing) rules.remove(id);
  for (const projectId of new Set<ProjectId>(allowing.map((rule) => rule.projectId)))
    push({ type: "rules", projectId, rules: rules.list(projectId) });
}
