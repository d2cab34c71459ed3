/** A corpus case: an answer and the blocks that a person assigns to it. */
import type { Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";

export type ExpectedBlock =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json };

export interface ReaderCase {
  readonly family: string;
  readonly title: string;
  readonly text: string;
  /** Default: all three. */
  readonly modes?: readonly ToolMode[];
  readonly blocks: readonly ExpectedBlock[];
  /** The stream was truncated. */
  readonly cut?: true;
}

export const callBlock = (name: string, input: Json): ExpectedBlock => ({ type: "call", name, input });
export const textBlock = (words: string): ExpectedBlock => ({ type: "text", text: words });
export const thinkingBlock = (words: string): ExpectedBlock => ({ type: "thinking", text: words });

/** An answer of prose only, returned unchanged. */
export const proseCase = (
  family: string,
  description: string,
  answer: string,
  more: Partial<ReaderCase> = {},
): ReaderCase => ({
  family,
  title: description,
  text: answer,
  blocks: [textBlock(answer)],
  ...more,
});

export const callCase = (
  family: string,
  description: string,
  answer: string,
  blocks: readonly ExpectedBlock[],
  more: Partial<ReaderCase> = {},
): ReaderCase => ({ family, title: description, text: answer, blocks, ...more });
