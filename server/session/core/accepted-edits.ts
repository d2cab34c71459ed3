/** "Accept edits" on a card: the mode it switches to, and the cards that do not offer it. */
import { type ApprovalOption, hasMoreRights } from "@/lib/permissions/policy";
import type { SessionView } from "@/lib/view/view";
import type { CallJudgement } from "@/server/agent/host";
import type { Store } from "@/server/store/open-store";

const isSubagent = ({ parent }: Pick<SessionView, "parent">): boolean => parent?.relation === "subagent";

/**
 * Returns the events of an answer that change the mode. No answer gives a subagent more rights than its parent has now, or
 * takes it out of Plan mode, in which it only looks.
 */
export function modeChangesOf(
  option: ApprovalOption,
  view: Pick<SessionView, "parent" | "mode">,
  sessions: Pick<Store["sessions"], "get">,
): readonly { readonly type: "session_update"; readonly mode: "edits" }[] {
  if (option !== "edits") return [];
  if (isSubagent(view) && view.parent !== undefined) {
    const parentMode = sessions.get(view.parent.sessionId)?.mode ?? "plan";
    if (view.mode === "plan" || hasMoreRights("edits", parentMode)) return [];
  }
  return [{ type: "session_update", mode: "edits" }];
}

/** Cards of a subagent do not offer what would change its mode: its parent has no more rights. */
export function judgeForSession(judged: CallJudgement, view: Pick<SessionView, "parent">): CallJudgement {
  const { decision } = judged;
  if (decision.kind !== "ask" || !isSubagent(view)) return judged;
  return { ...judged, decision: { ...decision, options: decision.options.filter((option) => option !== "edits") } };
}
