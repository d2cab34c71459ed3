/** What the next request of a session is made of, part by part, as the server would count it. Pure; asked by session for the screen. */
import type { ContextReport } from "@/lib/answers";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { compile, type CompileOptions, contextHead } from "./context/compile";
import type { AgentHost } from "./host";
import { countTokens, modelOf, toldTo, toolTokens } from "./request";
import { asCounted, compactAt, roomOf } from "./window";

/** All of the report but the window's other figures, which stand with the models. */
export type ContextParts = Omit<ContextReport, "window"> & {
  readonly window: Pick<ContextReport["window"], "inForce" | "asked">;
};

/** The session has a model. */
export function contextParts(host: AgentHost): ContextParts {
  const view = host.view();
  const model = modelOf(host);
  const { system, tools } = host.prompt();
  const facts = host.modelFacts();
  const room = roomOf(facts);
  const options: CompileOptions = { system, image: host.image };
  const native = compile(view, options);
  const head = contextHead(view);
  const inHead = head === null ? { snapshot: 0, summary: 0 } : headParts(head);
  const results = countTokens(native.filter((message) => message.role === "tool"));
  const told = countTokens(toldTo(model, native));
  const fixed = countTokens(native.slice(0, 1));
  const inMessages = snapshotIn(native.slice(head === null ? 1 : 2).flatMap((message) => message.text));
  const snapshot = inHead.snapshot + inMessages;
  const estimates = {
    system: fixed,
    tools: toolTokens(host),
    snapshot,
    summary: inHead.summary,
    messages: Math.max(0, told - fixed - results - snapshot - inHead.summary),
    results,
  };
  const parts = (["system", "tools", "snapshot", "summary", "messages", "results"] as const).map((part) => ({
    part,
    tokens: asCounted(estimates[part], room),
  }));
  return {
    parts,
    total: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    compactAt: Math.floor(compactAt(view, room) * room.ratio),
    window: { inForce: Math.floor(facts.window), asked: model.numCtx },
    system,
    tools:
      model.toolMode === "native"
        ? tools.map((tool) => {
            const text = JSON.stringify(tool);
            return { name: tool.name, tokens: asCounted(estimateTokens(text), room), text };
          })
        : [],
  };
}

const projectBlock = /<context about="project">\n[\s\S]*?\n<\/context>/g;
/** Context blocks about the project, as they stand in the text. */
const snapshotIn = (texts: readonly string[]): number =>
  texts.flatMap((text) => text.match(projectBlock) ?? []).reduce((sum, block) => sum + estimateTokens(block), 0);

function headParts(text: string): { readonly snapshot: number; readonly summary: number } {
  const snapshot = snapshotIn([text]);
  return { snapshot, summary: Math.max(0, countTokens([{ role: "user", text }]) - snapshot) };
}
