/** The tree of a project that was not yet listed when the session began, once it is. */
import { snapshotMaxTokens } from "@/server/agent/context/context-budget";
import type { ContextSource } from "@/server/agent/context/context-source";

const pendingText = "The files of the project are still being listed; the list follows. Until then use ls and find.";
const emptyText = "The project has no files to list.";

export const treeSource: ContextSource = {
  topic: "tree",
  kind: "notice",
  order: { message: 20, result: 40 },
  share: (window) => Math.floor(snapshotMaxTokens({ tokens: window }) / 2),
  resend: "when_due",
  text(input) {
    if (input.before.includes("project")) return input.project.isTreePending() ? pendingText : null;
    if (input.last() !== pendingText) return null;
    const text = input.project.tree(input.maxTokens());
    return text === "" ? emptyText : text;
  },
};
