/** The blocks at the start of a session that its subagents share. */
import type { SessionView } from "@/lib/view/view";
import type { ContextBlock } from "@/server/agent/context/context-source";
import { cachedHeadInForce, contextEntries } from "@/server/agent/context/compile";

/** Topics of the blocks at the start of a session that are the same for its subagents. */
const sharedTopics: ReadonlySet<ContextBlock["topic"]> = new Set(["toolbox", "owner", "memory", "project", "tree"]);

/**
 * The blocks with which the session's requests begin now, up to the first one that belongs to this session alone. A session
 * whose first message begins with the same blocks shares the start of its requests with this one, byte for byte.
 */
export function startBlocks(view: SessionView): readonly ContextBlock[] {
  const blocks = cachedHeadInForce(view)?.head ?? contextEntries(view).entries[0]?.blocks ?? [];
  const shared: ContextBlock[] = [];
  for (const block of blocks) {
    if (block.type !== "context" || !sharedTopics.has(block.topic)) break;
    shared.push(block);
  }
  return shared;
}
