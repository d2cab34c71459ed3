/** Splits the next request of a session into parts with their token counts, as the server would count them. Pure. */
import type { ContextReport } from "@/lib/answers";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { compile, type CompileOptions, contextHead } from "./context/compile";
import type { AgentHost } from "./host";
import { countTokens, modelOf, toldTo, toolTokens } from "./prompt-size";
import { promptPieces } from "./prompt-pieces";
import { requestOf } from "./request";
import { compactAt, type Room, roomOf } from "./window";

/** The context report without the window figures that the model layer supplies. */
export type ContextParts = Omit<ContextReport, "window"> & {
  readonly window: Pick<ContextReport["window"], "inForce" | "asked">;
};

/** Requires a session with a model. */
export function contextParts(host: AgentHost): ContextParts {
  const view = host.view();
  const model = modelOf(host);
  const { system, tools } = host.prompt();
  const facts = host.modelFacts();
  const budget = roomOf(facts);
  const { tokens: total, request } = requestOf(host);
  return {
    parts: partsWithin(host, budget, total),
    total,
    compactAt: Math.floor(compactAt(view, budget, host.settings().compactionPercent)),
    window: { inForce: Math.floor(facts.window), asked: model.numCtx },
    system,
    tools:
      model.toolMode === "native"
        ? tools.map((tool) => {
            const text = JSON.stringify(tool);
            return { name: tool.name, tokens: estimateTokens(text, budget.scale), text };
          })
        : [],
    pieces: promptPieces(request.messages.slice(1), host.notices("shell"), {
      hasHead: contextHead(view) !== null,
      scale: budget.scale,
    }),
  };
}

/** Scales the estimated parts so that their sum is the size of the request. */
function partsWithin(host: AgentHost, budget: Room, total: number): ContextParts["parts"] {
  const view = host.view();
  const { scale } = budget;
  const options: CompileOptions = { system: host.prompt().system, image: host.image };
  const native = compile(view, options);
  const head = contextHead(view);
  const inHead = head === null ? { snapshot: 0, summary: 0 } : headParts(head, scale);
  const results = countTokens(
    native.filter((message) => message.role === "tool"),
    scale,
  );
  const renderedTokens = countTokens(toldTo(modelOf(host), native), scale);
  const fixed = countTokens(native.slice(0, 1), scale);
  const inMessages = snapshotIn(
    native.slice(head === null ? 1 : 2).flatMap((message) => message.text),
    scale,
  );
  const snapshot = inHead.snapshot + inMessages;
  const estimates = {
    system: fixed,
    tools: toolTokens(host, scale),
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
const snapshotIn = (texts: readonly string[], scale: TokenScale): number =>
  texts.flatMap((text) => text.match(projectBlock) ?? []).reduce((sum, block) => sum + estimateTokens(block, scale), 0);

function headParts(text: string, scale: TokenScale): { readonly snapshot: number; readonly summary: number } {
  const snapshot = snapshotIn([text], scale);
  return { snapshot, summary: Math.max(0, countTokens([{ role: "user", text }], scale) - snapshot) };
}
