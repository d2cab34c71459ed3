/** The notice for a model whose run is continued after a guard stopped it. Pure. */
import type { Block } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import { type Entry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { compactionText } from "@/server/prompts/compaction";

/** Returns the notice for the last run; null = it was not stopped by its own behavior. */
export function guardNotice(view: SessionView): Extract<Block, { type: "context" }> | null {
  const error = findLastError(view);
  const reason = error === null ? null : guardReason(error);
  return reason === null
    ? null
    : { type: "context", kind: "notice", topic: "guard", text: compactionText("guard", { why: reason }) };
}

function findLastError(view: SessionView): AgentError | null {
  let ended = false;
  for (const entry of pathEntriesBackward(view)) {
    if (isRunEnd(entry)) {
      if (ended || entry.reason !== "limit") return null;
      ended = true;
    } else if (entry.kind === "error") return entry.error;
    else if (entry.kind === "run_start") return null;
  }
  return null;
}

const isRunEnd = (entry: Entry): entry is Extract<Entry, { kind: "run_end" }> => entry.kind === "run_end";

function guardReason(error: AgentError): string | null {
  const { code } = error;
  if (code === "loop_detected") {
    const { times = "", period = "", tool = "", target = "" } = error.facts ?? {};
    const values = { times: `${times}`, period: `${period}`, call: [tool, target].filter(Boolean).join(" ") };
    return compactionText(period === 1 ? "loop_detected" : "loop_period", values);
  }
  return code === "repeated_text" || code === "think_limit" ? compactionText(code) : null;
}
