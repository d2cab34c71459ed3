/** Splits the messages of the next request into pieces with their exact text for display. Pure. */
import type { PromptPiece } from "@/lib/protocol/answers";
import type { ReferenceBlock } from "@/lib/events/content";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelMessage } from "@/server/providers/provider";
import type { ContextBlock } from "./context-source";
import { splitMessageElements } from "./message-elements";
import { renderReference } from "./render-reference";

type UncountedPiece = Omit<PromptPiece, "tokens"> & {
  /** Counted text, if it is more than the shown text. */
  readonly whole?: string;
};

/** Topics of context that are pieces of their own. */
const ownKinds = ["owner", "toolbox", "memory", "guide"] as const;

interface PromptPieceOptions {
  /** The first message is the head of a compaction. */
  readonly hasHead: boolean;
  /** Messages from this index on were not in the last request. */
  readonly newFrom: number;
  readonly scale: TokenScale;
}

/** `messages` without the system text, as sent; `pending` = what the next result and the next message will add. */
export function promptPieces(
  messages: readonly ModelMessage[],
  pending: readonly (ContextBlock | ReferenceBlock)[],
  { hasHead, newFrom, scale }: PromptPieceOptions,
): readonly PromptPiece[] {
  const pieces = [
    ...messages.flatMap((message, index) => {
      const own = splitMessage(message, hasHead && index === 0);
      return index < newFrom ? own : own.map((piece) => ({ ...piece, isNew: true as const }));
    }),
    ...pending.map(
      (block): UncountedPiece =>
        block.type === "context"
          ? { kind: "pending", text: block.text }
          : { kind: "pendingFile", name: block.label, text: block.text, whole: renderReference(block) },
    ),
  ];
  return pieces.map(({ whole, ...piece }) => ({ ...piece, tokens: estimateTokens(whole ?? piece.text, scale) }));
}

function splitMessage(message: ModelMessage, isHead: boolean): readonly UncountedPiece[] {
  const own: Pick<UncountedPiece, "kind" | "name"> = isHead
    ? { kind: "summary" }
    : message.role === "tool"
      ? { kind: "result", name: message.name }
      : { kind: message.role === "assistant" ? "answer" : "message" };
  const text = modelMessageText(message);
  if (message.role === "assistant") return text.trim() === "" ? [] : [{ ...own, text: text.trim() }];
  return splitMessageElements(text).flatMap((part): readonly UncountedPiece[] => {
    if (part.kind === "text") return [{ ...own, text: part.text }];
    if (part.kind === "file")
      return message.role === "tool"
        ? [{ ...own, text: part.whole }]
        : [{ kind: "file", name: part.name, text: part.text, whole: part.whole }];
    if (part.topic === "project") return splitSnapshot(part.text);
    return [{ kind: ownKinds.find((kind) => kind === part.topic) ?? "notice", text: part.text }];
  });
}

/** Reasoning and native calls are separate fields on the wire; here they surround the text. */
function modelMessageText(message: ModelMessage): string {
  if (message.role !== "assistant") return message.text;
  const calls = (message.calls ?? []).map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [message.reasoning?.text ?? "", message.text, ...calls].filter((part) => part !== "").join("\n\n");
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
