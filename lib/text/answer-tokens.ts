/**
 * What an answer takes of the next prompt, as its server counted it. Used by the server for the size of the next request and by the
 * status bar, so that both say the same.
 */
import type { Json, Usage } from "../content";
import { estimateTokens } from "./estimate-tokens";

/** The parts of a block that count. */
export interface AnswerBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: Json;
}

/** More of the counted tokens than this for one estimated were spent on words that are not kept. */
const mostRatio = 6;
const frameTokens = 64;

/** Thinking is told again only beside calls. Words that were dropped, such as a call that was cut off, do not count. */
export function answerTokens(blocks: readonly AnswerBlock[], { outputTokens }: Pick<Usage, "outputTokens">): number {
  const sizeOf = (type: string): number =>
    blocks.reduce((sum, block) => sum + (block.type === type ? estimateTokens(textOf(block)) : 0), 0);
  const calls = sizeOf("call");
  const thinking = sizeOf("thinking");
  const kept = sizeOf("text") + calls + (calls > 0 ? thinking : 0);
  if (kept === 0) return 0;
  const share = calls > 0 ? 1 : kept / (kept + thinking);
  const counted = outputTokens > 0 ? outputTokens * share : kept;
  return Math.ceil(Math.min(counted, kept * mostRatio + frameTokens));
}

const textOf = ({ text, name, input }: AnswerBlock): string =>
  text ?? `${name ?? ""}${input === undefined ? "" : JSON.stringify(input)}`;
