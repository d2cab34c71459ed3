/** A corpus case: an answer and the blocks that a person assigns to it. */
import type { Json } from "@/lib/content";
import type { ToolMode } from "@/lib/event";

export type Expected =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json };

export interface Case {
  readonly family: string;
  readonly says: string;
  readonly text: string;
  /** Default: all three. */
  readonly modes?: readonly ToolMode[];
  readonly blocks: readonly Expected[];
  /** The stream was truncated. */
  readonly cut?: true;
}

export const call = (name: string, input: Json): Expected => ({ type: "call", name, input });
export const text = (words: string): Expected => ({ type: "text", text: words });
export const thinking = (words: string): Expected => ({ type: "thinking", text: words });

/** An answer of prose only, returned unchanged. */
export const prose = (family: string, says: string, answer: string, more: Partial<Case> = {}): Case => ({
  family,
  says,
  text: answer,
  blocks: [text(answer)],
  ...more,
});

export const calls = (
  family: string,
  says: string,
  answer: string,
  blocks: readonly Expected[],
  more: Partial<Case> = {},
): Case => ({ family, says, text: answer, blocks, ...more });
