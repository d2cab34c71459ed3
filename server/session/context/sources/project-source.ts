/** The project at the start of a session: environment, tree and guide. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { snapshotMaxTokens } from "@/server/agent/context/context-budget";
import type { ContextInput, ContextSource } from "@/server/agent/context/context-source";

export const projectSource: ContextSource = {
  topic: "project",
  kind: "snapshot",
  order: { message: 10, compaction: 10 },
  share: (window) => snapshotMaxTokens({ tokens: window }),
  resend: "when_absent",
  text: (input) => input.project.snapshot(snapshotTokens(input)),
};

/** If the message takes more than half of the window, the project gets at most a quarter of the rest. */
function snapshotTokens(input: ContextInput): number {
  const own = input.maxTokens();
  if (input.message === "") return own;
  const window = input.window();
  const left = window - estimateTokens(input.message);
  return left >= window / 2 ? own : Math.min(own, Math.max(0, Math.floor(left / 4)));
}
