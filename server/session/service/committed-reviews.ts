/** Accepts the agent's changes that a commit contains, in all sessions of its project. */
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { beginTimeSlice } from "@/server/base/steps";
import { type CommittedContents, hasToDecide } from "../review/accept-committed";
import type { SessionServices } from "../core/services";
import type { Session } from "../core/session-types";

export interface CommittedReviews {
  /** Accepts what the commit contains where a session has it to decide. Never rejects. */
  acceptCommitted(projectId: ProjectId, commit: string, files: CommittedContents): Promise<void>;
}

/** `session` returns a session that is not deleted. */
export const makeCommittedReviews = (
  services: SessionServices,
  session: (id: SessionId) => Session | null,
): CommittedReviews => ({
  async acceptCommitted(projectId, commit, files) {
    const { store } = services;
    const slice = beginTimeSlice();
    const paths = [...files.paths];
    try {
      for (const id of store.sessions.listOf(projectId)) {
        if (slice.isOver()) await slice.next();
        // The changes of a subagent are in the log of its parent, too.
        const row = store.sessions.get(id);
        if (row === undefined || row.parent !== undefined || row.deletedAt !== undefined) continue;
        // A session is loaded as a whole; in most of them nothing is left to decide.
        if (store.fileLog.hasChanged(id, paths) && (await hasToDecide(services, row, files)))
          await session(id)?.review.acceptCommitted(files, asId<CommandId>(`commit-${commit}`));
      }
    } catch (error) {
      services.reportBug("review", error);
    }
  },
});
