/** Splits the next request of a session into parts with their token counts, as the server would count them. Pure. */
import type { ContextReport } from "@/lib/protocol/answers";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { SessionView } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import { cachedHeadInForce, compileMessages, type CompileOptions, contextEntries, contextHeadText } from "./compile";
import { splitMessageElements } from "./message-elements";
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
    pieces: promptPieces(request.messages.slice(1), [...host.dueNotices("shell"), ...host.duePins()], {
      hasHead: contextHeadText(view) !== null,
      newFrom: firstNewMessage(view, request.messages.slice(1)),
      scale: budget.scale,
    }),
  };
}

/** Index of the first message that was not in the last request, nor is the answer to it. */
function firstNewMessage(view: SessionView, messages: readonly ModelMessage[]): number {
  const answer = contextEntries(view).entries.findLast(({ role }) => role === "assistant");
  const head = cachedHeadInForce(view);
  // A compaction replaced what the model server has read.
  if (answer === undefined || (head !== null && head.seq > answer.seq)) return 0;
  return messages.findLastIndex(({ role }) => role === "assistant") + 1;
}

/** Scales the estimated parts so that their sum is the size of the request. */
function scaleParts(host: AgentHost, budget: ContextBudget, total: number): ContextParts["parts"] {
  const view = host.view();
  const { scale } = budget;
  const options: CompileOptions = { system: host.prompt().system, image: host.image };
  const native = compileMessages(view, options);
  const head = contextHeadText(view);
  const inHead = head === null ? noElements : countElements([head], scale);
  const headTokens = head === null ? 0 : countTokens([{ role: "user", text: head }], scale);
  const results = countTokens(
    native.filter((message) => message.role === "tool"),
    scale,
  );
  const renderedTokens = countTokens(renderForMode(requireRunModel(host), native), scale);
  const fixed = countTokens(native.slice(0, 1), scale);
  const bodies = native.slice(head === null ? 1 : 2).filter((message) => message.role === "user");
  const inMessages = countElements(
    bodies.map((message) => message.text),
    scale,
  );
  const snapshot = inHead.snapshot + inMessages.snapshot;
  const files = inHead.files + inMessages.files;
  const summary = Math.max(0, headTokens - inHead.snapshot - inHead.files);
  const estimates = {
    system: fixed,
    tools: countToolTokens(host, scale),
    snapshot,
    summary,
    files,
    messages: Math.max(0, renderedTokens - fixed - results - snapshot - summary - files),
    results,
  };
  const sum = Object.values(estimates).reduce((all, tokens) => all + tokens, 0);
  let passed = 0;
  let shown = 0;
  return (["system", "tools", "snapshot", "summary", "files", "messages", "results"] as const).map((part) => {
    passed += estimates[part];
    // Cumulative sums are rounded, not parts, so that the parts add up to the total.
    const border = Math.round((passed * total) / Math.max(1, sum));
    const tokens = border - shown;
    shown = border;
    return { part, tokens };
  });
}

interface ElementTokens {
  /** Context blocks about the project. */
  readonly snapshot: number;
  /** Files, folders and texts that the user added or pinned. */
  readonly files: number;
}

const noElements: ElementTokens = { snapshot: 0, files: 0 };

const countElements = (texts: readonly string[], scale: TokenScale): ElementTokens =>
  texts.flatMap(splitMessageElements).reduce((sum, part) => {
    if (part.kind === "text") return sum;
    const tokens = estimateTokens(part.whole, scale);
    if (part.kind === "file") return { ...sum, files: sum.files + tokens };
    return part.topic === "project" ? { ...sum, snapshot: sum.snapshot + tokens } : sum;
  }, noElements);
