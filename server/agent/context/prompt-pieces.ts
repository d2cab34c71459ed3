/** Splits the messages of the next request into pieces with their exact text for display. Pure. */
import type { PromptPiece } from "@/lib/protocol/answers";
import type { Block } from "@/lib/events/content";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelMessage } from "@/server/providers/provider";

type UncountedPiece = Omit<PromptPiece, "tokens">;

/** `messages` without the system text, as sent; `hasHead`: the first one is the head of a compaction. */
export function promptPieces(
  messages: readonly ModelMessage[],
  pending: readonly Extract<Block, { type: "context" }>[],
  { hasHead, scale }: { readonly hasHead: boolean; readonly scale: TokenScale },
): readonly PromptPiece[] {
  const pieces = [
    ...messages.flatMap((message, index) => splitMessage(message, hasHead && index === 0)),
    ...pending.map((block): UncountedPiece => ({ kind: "pending", text: block.text })),
  ];
  return pieces.map((piece) => ({ ...piece, tokens: estimateTokens(piece.text, scale) }));
}

const contextBlock = /<context about="([a-z]+)">\n([\s\S]*?)\n<\/context>/g;

function splitMessage(message: ModelMessage, isHead: boolean): readonly UncountedPiece[] {
  const own: Pick<UncountedPiece, "kind" | "name"> = isHead
    ? { kind: "summary" }
    : message.role === "tool"
      ? { kind: "result", name: message.name }
      : { kind: message.role === "assistant" ? "answer" : "message" };
  const pieces: UncountedPiece[] = [];
  const addOwn = (text: string): void => {
    if (text.trim() !== "") pieces.push({ ...own, text: text.trim() });
  };
  const text = modelMessageText(message);
  let from = 0;
  for (const match of message.role === "assistant" ? [] : text.matchAll(contextBlock)) {
    const [all, topic = "", inner = ""] = match;
    addOwn(text.slice(from, match.index));
    pieces.push(...(topic === "project" ? splitSnapshot(inner) : [{ kind: "notice" as const, text: inner }]));
    from = match.index + all.length;
  }
  addOwn(text.slice(from));
  return pieces;
}

/** Thinking and native calls are separate fields on the wire; here they surround the text. */
function modelMessageText(message: ModelMessage): string {
  if (message.role !== "assistant") return message.text;
  const calls = (message.calls ?? []).map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [message.thinking ?? "", message.text, ...calls].filter((part) => part !== "").join("\n\n");
}

/** Splits a snapshot (agent/context/snapshot): environment, tree under its heading, guide. */
function splitSnapshot(text: string): readonly UncountedPiece[] {
  const [environment = "", ...rest] = text.split("\n\n");
  const tree = rest[0]?.startsWith("Files:\n") === true ? rest[0] : "";
  const guide = (tree === "" ? rest : rest.slice(1)).join("\n\n");
  const pieces: readonly UncountedPiece[] = [
    { kind: "environment", text: environment },
    { kind: "tree", text: tree },
    { kind: "guide", text: guide },
  ];
  return pieces.filter((piece) => piece.text !== "");
}
