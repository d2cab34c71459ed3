/** Programs of repositories that the user has allowed: remembered like an external tool, by the hash of all of them. */
import type { Hash, ProjectId } from "@/lib/events/id";
import type { FeatureHost } from "../feature";

/** `tool` = where they run. */
export function makeProgramApprovals(
  { store: { approvedTools }, now }: Pick<FeatureHost, "store" | "now">,
  tool: "hooks" | "terminal",
) {
  const approved = { kind: "external", source: "git:repository", tool } as const;
  return {
    has: (projectId: ProjectId, hash: Hash): boolean =>
      approvedTools.list(projectId).get(`${approved.source}/${tool}`) === hash,
    add: (projectId: ProjectId, hash: Hash): void =>
      approvedTools.approve(projectId, { ...approved, definition: hash }, now()),
  };
}
