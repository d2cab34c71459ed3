/** Tokens an answer occupies in the next prompt, based on the server's count. */
import type { Json, Usage } from "../events/content";
import { estimateTokens } from "./estimate-tokens";

/** The fields of a block that contribute tokens. */
interface AnswerBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: Json;
}

/** Counted tokens above this multiple of the estimate were spent on text that is not stored. */
const maxTokenRatio = 6;
const frameTokens = 64;

/** Thinking is resent only in answers with calls. Dropped text, such as an incomplete call, does not count. */
export function countAnswerTokens(
  blocks: readonly AnswerBlock[],
  { outputTokens }: Pick<Usage, "outputTokens">,
): number {
  const sizeOf = (type: string): number =>
    blocks.reduce((sum, block) => sum + (block.type === type ? estimateTokens(answerBlockText(block)) : 0), 0);
  const calls = sizeOf("call");
  const thinking = sizeOf("thinking");
  const usedChars = sizeOf("text") + calls + (calls > 0 ? thinking : 0);
  if (usedChars === 0) return 0;
  const share = calls > 0 ? 1 : usedChars / (usedChars + thinking);
  const counted = outputTokens > 0 ? outputTokens * share : usedChars;
  return Math.ceil(Math.min(counted, usedChars * maxTokenRatio + frameTokens));
}

const answerBlockText = ({ text, name, input }: AnswerBlock): string =>
  text ?? `${name ?? ""}${input === undefined ? "" : JSON.stringify(input)}`;
