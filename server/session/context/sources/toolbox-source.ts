/** The tools of other programs, in as much detail as their share of the window allows. */
import type { ContextSource } from "@/server/agent/context/context-source";
import { catalogueShare, renderCatalogue } from "@/server/tools/toolbox/catalogue-text";

const emptyText = "The toolbox has no tools now.";

export const toolboxSource: ContextSource = {
  topic: "toolbox",
  kind: "notice",
  order: { message: 5, result: 50, compaction: 5 },
  share: catalogueShare,
  resend: "when_changed",
  assumed: emptyText,
  text({ catalogue, usedTools, maxTokens }) {
    const all = catalogue();
    if (all.tools.length === 0) return emptyText;
    const used = usedTools();
    return renderCatalogue(all, maxTokens(), (name) => used.has(name)) ?? emptyText;
  },
};
