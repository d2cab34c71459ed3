/** Finds the codes whose general sentence does not fit a call of a tool of another program. */
import { presentationOf } from "@/lib/events/tool-presentations";
import type { CallView } from "@/lib/view/view";
import type { ConversationMessages } from "../../../messages/conversation-messages";

export type ToolFailureCode = keyof ConversationMessages["toolFailures"];

const toolFailureCodes = [
  "gone",
  "not_found",
  "not_allowed",
  "blocked",
  "changed_meanwhile",
  "too_large",
  "too_many",
  "timeout",
  "exists",
  "busy",
  "unreadable_file",
  "no_permission",
] as const satisfies readonly ToolFailureCode[];

/** Null = the general sentence fits, or the call did not fail with a code. */
export function findToolFailure({ state, kind, facts }: CallView): ToolFailureCode | null {
  if (state !== "error" || facts.refusedBy !== undefined || facts.rule !== undefined) return null;
  return (presentationOf(kind).icon === "wrench" && toolFailureCodes.find((code) => code === facts.code)) || null;
}
