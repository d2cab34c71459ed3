/** Detects calls whose arguments the parser of a model server lost: they arrive as an empty object. */
import type { Block } from "@/lib/events/content";
import { type MessageEntry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { requireRunModel } from "../context/prompt-size";
import type { AgentHost } from "../host";

type CallBlock = Extract<MessageEntry["blocks"][number], { type: "call" }>;

/** Whether a call that its server parsed has no arguments. */
export const arrivedEmpty = ({ input, raw }: Pick<Extract<Block, { type: "call" }>, "input" | "raw">): boolean =>
  raw === undefined && JSON.stringify(input) === "{}";

const isLost = ({ calls }: MessageEntry, block: CallBlock): boolean =>
  arrivedEmpty(block) && calls.some(({ callId, facts }) => callId === block.callId && facts.code === "bad_input");

/** Calls without the arguments that their tools require before one report. */
const reportedFrom = 2;

/** Whether enough calls were lost, and that was not reported in this session. */
function isDue(view: SessionView): boolean {
  let lost = 0;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "error" && entry.error.code === "lost_arguments") return false;
    if (entry.kind === "message")
      lost += entry.blocks.filter((block) => block.type === "call" && isLost(entry, block)).length;
  }
  return lost >= reportedFrom;
}

/** Reports once in a session that the arguments of calls get lost. To be called when such a call has ended. */
export function reportLostArguments(host: Pick<AgentHost, "view" | "commit">): void {
  const { model, toolMode } = requireRunModel(host);
  if (toolMode === "native" && isDue(host.view()))
    host.commit([{ type: "error", error: { code: "lost_arguments", facts: { model } } }]);
}
