/** Exchange of commits between a branch and its remotes: which work is offered. Pure. */
import type { SourceBranch } from "@/lib/workspace/source-control";
import type { TerminalWork } from "@/lib/workspace/source-refs";
import type { FullMessages } from "../../messages/full-messages";

export interface BranchSync {
  readonly id: string;
  /** `publish` = the first push of a branch; `name` = its remote, if there are several. */
  readonly kind: "publish" | "push" | "pull";
  readonly name?: string;
  /** Commits that are exchanged, as far as they are fetched. */
  readonly count: number;
  readonly work: TerminalWork;
}

/** `branch` = the one that is checked out. */
export function findBranchSync(
  { name, commit, upstream, ahead, behind = 0 }: SourceBranch,
  remotes: readonly string[],
): readonly BranchSync[] {
  if (name === null || commit === null) return [];
  // An upstream that was deleted has no distance.
  if (upstream !== undefined && ahead !== undefined)
    return [
      { id: "push", kind: "push", count: ahead, work: { kind: "push" } },
      { id: "pull", kind: "pull", count: behind, work: { kind: "pull" } },
    ];
  return remotes.map((remote) => ({
    id: `publish ${remote}`,
    kind: "publish",
    ...(remotes.length > 1 ? { name: remote } : {}),
    count: 0,
    work: { kind: "push", remote },
  }));
}

/** Returns the text of its button. */
export function syncLabel({ kind, name, count }: BranchSync, { gitRefs: text }: Pick<FullMessages, "gitRefs">): string {
  if (kind !== "publish") return text[kind](count);
  return name === undefined ? text.publish : text.publishTo(name);
}
