/** Splits the next request of a session into parts with their token counts, as the server would count them. */
import type { ContextReport } from "@/lib/protocol/answers";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { SessionView } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import { cachedHeadInForce, compileMessages, type CompileOptions, contextEntries, contextHeadText } from "./compile";
import { splitMessageElements } from "./message-elements";
import type { AgentHost } from "../host";
import { countTokens, requireRunModel, renderForMode, countToolTokens } from "./prompt-size";
import { dueBlocks } from "./pinned-files";
import { promptPieces } from "./prompt-pieces";
import { buildRequest } from "./build-request";
import { compactionThreshold, type ContextBudget, contextBudget } from "./context-budget";

/** The context report without the window figures that the model layer supplies. */
export type ContextParts = Omit<ContextReport, "window"> & {
  readonly window: Pick<ContextReport["window"], "inForce" | "asked">;
};

/** Requires a session with a model. The total is the server's own count, where it has one for a model in memory. */
export async function measureContextParts(host: AgentHost, signal: AbortSignal): Promise<ContextParts> {
  const estimated = buildRequest(host);
  const counted = await host.countPrompt(estimated, false, signal);
  const view = host.view();
  const model = requireRunModel(host);
  const { system, tools } = host.prompt();
  const facts = host.modelFacts();
  const budget = contextBudget(facts);
  const { tokens, request } = estimated;
  const total = counted ?? tokens;
  return {
    parts: scaleParts(host, budget, total),
    total,
    ...(counted === null ? {} : { isCounted: true }),
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
    pieces: promptPieces(request.messages.slice(1), [...host.dueNotices("shell"), ...dueBlocks(host.pins())], {
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
  const shares = mapShares((share) => inHead[share] + inMessages[share]);
  const summary = Math.max(0, headTokens - sumShares(inHead));
  const estimates = {
    system: fixed,
    tools: countToolTokens(host, scale),
    ...shares,
    summary,
    messages: Math.max(0, renderedTokens - fixed - results - summary - sumShares(shares)),
    results,
  };
  const sum = Object.values(estimates).reduce((all, tokens) => all + tokens, 0);
  let passed = 0;
  let shown = 0;
  return partOrder.map((part) => {
    passed += estimates[part];
    // Cumulative sums are rounded, not parts, so that the parts add up to the total.
    const border = Math.round((passed * total) / Math.max(1, sum));
    const tokens = border - shown;
    shown = border;
    return { part, tokens };
  });
}

const partOrder = [
  "system",
  "tools",
  "toolbox",
  "memory",
  "snapshot",
  "summary",
  "files",
  "messages",
  "results",
] as const satisfies readonly ContextParts["parts"][number]["part"][];

/** Parts of the user's messages: tools of other programs, the memory, the project, and files that were added or pinned. */
const shareNames = ["toolbox", "memory", "snapshot", "files"] as const;
type Share = (typeof shareNames)[number];
type Shares = Readonly<Record<Share, number>>;

const mapShares = (work: (share: Share) => number): Shares => ({
  toolbox: work("toolbox"),
  memory: work("memory"),
  snapshot: work("snapshot"),
  files: work("files"),
});

const sumShares = (shares: Shares): number => shareNames.reduce((sum, share) => sum + shares[share], 0);

const noElements: Shares = mapShares(() => 0);

const shareOfTopic: Readonly<Record<string, Share>> = {
  project: "snapshot",
  toolbox: "toolbox",
  owner: "memory",
  memory: "memory",
};

const countElements = (texts: readonly string[], scale: TokenScale): Shares =>
  texts.flatMap(splitMessageElements).reduce((sum, part) => {
    if (part.kind === "text") return sum;
    const share = part.kind === "file" ? "files" : shareOfTopic[part.topic];
    return share === undefined ? sum : { ...sum, [share]: sum[share] + estimateTokens(part.whole, scale) };
  }, noElements);
