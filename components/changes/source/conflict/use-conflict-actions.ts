"use client";
/** Resolves a path in conflict, each step with an undo. */
import type { Hash, ProjectId } from "@/lib/events/id";
import type { ConflictTake } from "@/lib/text/conflict-markers";
import type { ConflictSide, DiscardReport } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useSourceChange } from "../use-source-change";

export interface ConflictActions {
  readonly isBusy: boolean;
  /** Gives the file the content of one side. */
  takeSide(side: ConflictSide): Promise<void>;
  /** Replaces the region with that index of the file with that hash; `left` = regions after it. */
  takeRegion(hash: Hash, region: number, take: ConflictTake, left: number): Promise<void>;
  /** Resolves with false if conflict markers are left. `side` = the commit of a submodule. */
  mark(anyway: boolean, side?: ConflictSide): Promise<boolean>;
}

export function useConflictActions(projectId: ProjectId, path: string): ConflictActions {
  const { conflictView: text, files } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform, attempt, showError } = useSourceChange(projectId);
  const report = (done: DiscardReport | undefined, sentence: string): void => {
    if (done === undefined) return;
    const undo = async (): Promise<void> => {
      for (const trashId of done.saved) await perform("trash.restore", { trashId, replaces: true });
    };
    const action = done.saved.length === 0 ? undefined : { label: files.undo, onSelect: () => void undo() };
    toasts.show({ text: sentence, action });
  };
  return {
    isBusy,
    async takeSide(side) {
      report(await perform("source.take_side", { projectId, path, side }), text.now[side]);
    },
    async takeRegion(hash, region, take, left) {
      const choices = [{ region, take }];
      report(await perform("source.resolve_regions", { projectId, path, hash, choices }), text.resolvedRegion(left));
    },
    async mark(anyway, side) {
      const answer = await attempt("source.mark_resolved", { projectId, path, anyway, side });
      if (!answer.ok && answer.error.code === "conflicts_left") return false;
      if (!answer.ok) showError(answer.error);
      else {
        const reopen = (): void => void perform("source.reopen_conflict", { projectId, path });
        toasts.show({ text: text.marked(path), action: { label: files.undo, onSelect: reopen } });
      }
      return true;
    },
  };
}
