/**
 * Separates thinking that a server sends as text, up to the closer of the thinking. Only for models of which that was seen: the
 * text is held back until the closer, or until it is too long for thinking. Pure apart from its own state.
 */
import type { LateSplit } from "@/lib/models/models";
import type { ModelPart } from "@/server/providers/provider";
import { orphanThoughtCloser } from "../reader/grammars/thinking";

/** A part of the answer itself. */
export type OpenPart = Exclude<ModelPart, { type: "finish" | "failed" | "control" }>;
type TextPart = Extract<ModelPart, { type: "text" }>;

/** Most text that is held back, UTF-16 units: a rest of thinking is short. */
const heldMaxChars: Readonly<Record<LateSplit, number>> = { rest: 1_000, all: 32_768 };
const closerPattern = new RegExp(orphanThoughtCloser, "i");
/** Longer ends of the held text were searched for a closer before. */
const closerMaxChars = 64;

interface LateCloser {
  /** Returns the parts that are certain now. */
  take(part: OpenPart): readonly OpenPart[];
  /** Returns the text that is still held back. */
  end(): readonly OpenPart[];
}

/** `split` = what the model's server sends as text; undefined = nothing was seen. */
export function makeLateCloser(split: LateSplit | undefined): LateCloser {
  let state: "before" | "holding" | "over" = split === undefined ? "over" : "before";
  let held: { readonly text: string; readonly pieces: number } = { text: "", pieces: 0 };
  let thinking: Extract<ModelPart, { type: "thinking" }> | null = null;

  const release = (): readonly OpenPart[] => {
    const { text, pieces } = held;
    held = { text: "", pieces: 0 };
    if (state === "holding") state = "over";
    return text === "" ? [] : [{ type: "text", text, pieces }];
  };
  function hold({ text, pieces = 1 }: TextPart): readonly OpenPart[] {
    const isFirst = state === "before";
    state = "holding";
    const searched = Math.max(0, held.text.length - closerMaxChars);
    held = { text: held.text + text, pieces: held.pieces + pieces };
    const closer = closerPattern.exec(held.text.slice(searched));
    if (closer === null) {
      if (held.text.length > heldMaxChars[split ?? "rest"]) return release();
      return isFirst ? [{ type: "phase", phase: "thinking" }] : [];
    }
    const at = searched + closer.index;
    const before = held.text.slice(0, at);
    const after = held.text.slice(at + closer[0].length).trimStart();
    const count = held.pieces;
    const field = thinking?.field;
    state = "over";
    held = { text: "", pieces: 0 };
    return [
      ...(before === "" ? [] : [{ type: "thinking" as const, text: before, pieces: count, ...(field && { field }) }]),
      ...(after === "" ? [] : [{ type: "text" as const, text: after }]),
    ];
  }

  return {
    take(part) {
      if (state === "over" || part.type === "phase") return [part];
      if (part.type === "thinking") thinking = part;
      if (part.type !== "text") return [...release(), part];
      // If only the rest of thinking comes as text, the thinking has begun in its field; otherwise it never does.
      if ((split === "rest") !== (thinking !== null)) {
        state = "over";
        return [part];
      }
      return hold(part);
    },
    end: release,
  };
}
