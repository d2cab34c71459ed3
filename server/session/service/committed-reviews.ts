/** Accepts the agent's changes that a commit contains, in all sessions of its project. */
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { beginTimeSlice } from "@/server/base/steps";
import type { Store } from "@/server/store/open-store";
import type { CommittedContents } from "../review/accept-committed";
import type { Session } from "../core/session-types";

export interface CommittedReviews {
  /** Accepts what the commit contains where a session has it to decide. Never rejects. */
  acceptCommitted(projectId: ProjectId, commit: string, files: CommittedContents): Promise<void>;
}

interface CommittedReviewsParts {
  readonly store: Pick<Store, "sessions" | "fileLog">;
  /** Returns a session that is not deleted. */
  session(id: SessionId): Session | null;
  reportBug(name: string, error: unknown): void;
}

export const makeCommittedReviews = ({ store, session, reportBug }: CommittedReviewsParts): CommittedReviews => ({
  async acceptCommitted(projectId, commit, files) {
    const slice = beginTimeSlice();
    const paths = [...files.paths];
    try {
      for (const id of store.sessions.listOf(projectId)) {
        if (slice.isOver()) await slice.next();
        // What a subagent changed is in the log of its parent, too.
        const row = store.sessions.get(id);
        if (row === undefined || row.parent !== undefined || !store.fileLog.hasChanged(id, paths)) continue;
        await session(id)?.review.acceptCommitted(files, asId<CommandId>(`commit-${commit}`));
      }
    } catch (error) {
      reportBug("review", error);
    }
  },
});
