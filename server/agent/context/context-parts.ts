/** Splits the next request of a session into parts with their token counts, as the server would count them. Pure. */
import type { ContextReport } from "@/lib/protocol/answers";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { compileMessages, type CompileOptions, contextHeadText } from "./compile";
import type { AgentHost } from "../host";
import { countTokens, requireRunModel, renderForMode, countToolTokens } from "./prompt-size";
import { promptPieces } from "./prompt-pieces";
import { buildRequest } from "./build-request";
import { compactionThreshold, type ContextBudget, contextBudget } from "./context-budget";

/** The context report without the window figures that the model layer supplies. */
export type ContextParts = Omit<ContextReport, "window"> & {
  readonly window: Pick<ContextReport["window"], "inForce" | "asked">;
};

/** Requires a session with a model. */
export function measureContextParts(host: AgentHost): ContextParts {
  const view = host.view();
  const model = requireRunModel(host);
  const { system, tools } = host.prompt();
  const facts = host.modelFacts();
  const budget = contextBudget(facts);
  const { tokens: total, request } = buildRequest(host);
  return {
    parts: scaleParts(host, budget, total),
    total,
    compactAt: Math.floor(compactionThreshold(view, budget, host.settings().compactionPercent)),
    window: { inForce: Math.floor(facts.window), asked: model.numCtx },
    system,
    tools:
      model.toolMode === "native"
        ? tools.map((tool) => {
            const text = JSON.stringify(tool);
            return { name: tool.name, tokens: estimateTokens(text, budget.scale), text };
          })
        : [],
    pieces: promptPieces(request.messages.slice(1), host.dueNotices("shell"), {
      hasHead: contextHeadText(view) !== null,
      scale: budget.scale,
    }),
  };
}

/** Scales the estimated parts so that their sum is the size of the request. */
function scaleParts(host: AgentHost, budget: ContextBudget, total: number): ContextParts["parts"] {
  const view = host.view();
  const { scale } = budget;
  const options: CompileOptions = { system: host.prompt().system, image: host.image };
  const native = compileMessages(view, options);
  const head = contextHeadText(view);
  const inHead = head === null ? { snapshot: 0, summary: 0 } : measureHeadParts(head, scale);
  const results = countTokens(
    native.filter((message) => message.role === "tool"),
    scale,
  );
  const renderedTokens = countTokens(renderForMode(requireRunModel(host), native), scale);
  const fixed = countTokens(native.slice(0, 1), scale);
  const inMessages = countSnapshotTokens(
    native.slice(head === null ? 1 : 2).flatMap((message) => message.text),
    scale,
  );
  const snapshot = inHead.snapshot + inMessages;
  const estimates = {
    system: fixed,
    tools: countToolTokens(host, scale),
    snapshot,
    summary: inHead.summary,
    messages: Math.max(0, renderedTokens - fixed - results - snapshot - inHead.summary),
    results,
  };
  const sum = Object.values(estimates).reduce((all, tokens) => all + tokens, 0);
  let passed = 0;
  let shown = 0;
  return (["system", "tools", "snapshot", "summary", "messages", "results"] as const).map((part) => {
    passed += estimates[part];
    // Cumulative sums are rounded, not parts, so that the parts add up to the total.
    const border = Math.round((passed * total) / Math.max(1, sum));
    const tokens = border - shown;
    shown = border;
    return { part, tokens };
  });
}

const projectBlock = /<context about="project">\n[\s\S]*?\n<\/context>/g;
/** Tokens of the context blocks about the project. */
const countSnapshotTokens = (texts: readonly string[], scale: TokenScale): number =>
  texts.flatMap((text) => text.match(projectBlock) ?? []).reduce((sum, block) => sum + estimateTokens(block, scale), 0);

function measureHeadParts(text: string, scale: TokenScale): { readonly snapshot: number; readonly summary: number } {
  const snapshot = countSnapshotTokens([text], scale);
  return { snapshot, summary: Math.max(0, countTokens([{ role: "user", text }], scale) - snapshot) };
}
