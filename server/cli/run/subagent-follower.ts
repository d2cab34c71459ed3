/** Follows the subagents of a session over one connection, so that their approval requests are answered like its own. */
import type { Envelope } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import type { SessionRow } from "@/lib/protocol/session-row";
import { fold } from "@/lib/view/fold";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { SessionView } from "@/lib/view/view";
import type { SessionLink } from "../session-link";
import type { ApprovalPrompter } from "./approval-prompter";

interface FollowedSubagent {
  /** Null while it is being opened; the envelopes received meanwhile are in `early`. */
  view: SessionView | null;
  early: Envelope[];
  readonly cards: ApprovalPrompter;
}

export interface SubagentFollower {
  /** Finds the subagents that wait for an approval now. */
  begin(link: SessionLink, parentId: SessionId): Promise<void>;
  push(push: Push): void;
  events(envelopes: readonly Envelope[]): void;
  /** Opens a followed subagent again, whose events were dropped. */
  resync(sessionId: SessionId): void;
  /** Cancels the open prompts. */
  close(): void;
}

/** `makeCards` answers the requests of one session; `announce` is called before those of a subagent are shown. */
export function makeSubagentFollower(
  makeCards: () => ApprovalPrompter,
  announce: (title: string) => void,
): SubagentFollower {
  const followed = new Map<SessionId, FollowedSubagent>();
  let link: SessionLink | null = null;
  let parentId: SessionId | null = null;

  const update = ({ view, cards }: FollowedSubagent): void => {
    if (view !== null && link !== null) cards.update(view, link);
  };
  const open = async (id: SessionId, subagent: FollowedSubagent): Promise<void> => {
    subagent.view = null;
    // A lost connection ends the follower; the next one finds the subagent again.
    const opened = await link?.open(id).catch(() => undefined);
    if (opened?.ok !== true) return void followed.delete(id);
    subagent.view = subagent.early.splice(0).reduce(fold, viewFromSnapshot(opened.value.snapshot));
    update(subagent);
  };
  const follow = (row: SessionRow): void => {
    if (row.status !== "waiting" || followed.has(row.id)) return;
    const subagent: FollowedSubagent = { view: null, early: [], cards: makeCards() };
    followed.set(row.id, subagent);
    announce(row.title);
    void open(row.id, subagent);
  };
  return {
    async begin(newLink, id) {
      link = newLink;
      parentId = id;
      const listed = await newLink.call("session.list", { parentId: id });
      if (listed.ok) listed.value.rows.forEach(follow);
    },
    push(push) {
      if (push.type === "session_row" && parentId !== null && push.row.parent?.sessionId === parentId) follow(push.row);
    },
    events(envelopes) {
      for (const envelope of envelopes) {
        const subagent = followed.get(envelope.sessionId);
        if (subagent === undefined) continue;
        if (subagent.view === null) subagent.early.push(envelope);
        else subagent.view = fold(subagent.view, envelope);
      }
      for (const [id, subagent] of followed) {
        if (subagent.view?.stale === true) void open(id, subagent);
        else update(subagent);
      }
    },
    resync(sessionId) {
      const subagent = followed.get(sessionId);
      if (subagent !== undefined) void open(sessionId, subagent);
    },
    close() {
      link = null;
      for (const { cards } of followed.values()) cards.close();
    },
  };
}
