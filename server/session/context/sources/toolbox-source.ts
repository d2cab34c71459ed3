/** The tools of other programs, in as much detail as their share of the window allows. */
import { serverLimits } from "@/lib/settings/server-limits";
import type { ContextSource } from "@/server/agent/context/context-source";
import { catalogueShare, renderCatalogue } from "@/server/tools/toolbox/catalogue-text";

const emptyText = "The toolbox has no tools now.";

export const toolboxSource: ContextSource = {
  topic: "toolbox",
  kind: "notice",
  order: { message: 5, result: 50, compaction: 5 },
  resend: "when_changed",
  assumed: emptyText,
  // The share is of the window that is stored with the model: what a server reports or answers teach changes with every
  // request, and would change the text.
  text({ view, catalogue, usedTools }) {
    const all = catalogue();
    if (all.tools.length === 0) return emptyText;
    const used = usedTools();
    const share = catalogueShare(view.model?.numCtx ?? serverLimits.windowMinTokens);
    return renderCatalogue(all, share, (name) => used.has(name)) ?? emptyText;
  },
};
