/** What a case of the corpus is: an answer, and the blocks a person says it has. Data for call-reader.test. */
import type { Json } from "@/lib/content";
import type { ToolMode } from "../scan";

export type Expected =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Json };

export interface Case {
  readonly family: string;
  readonly says: string;
  readonly text: string;
  /** All three when absent. */
  readonly modes?: readonly ToolMode[];
  readonly blocks: readonly Expected[];
  /** The stream was cut off. */
  readonly cut?: true;
}

export const call = (name: string, input: Json): Expected => ({ type: "call", name, input });
export const text = (words: string): Expected => ({ type: "text", text: words });
export const thinking = (words: string): Expected => ({ type: "thinking", text: words });

/** An answer that is nothing but prose comes out as it is. */
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
