/** Tokens an answer occupies in the next prompt, based on the server's count. */
import type { Json, Usage } from "../events/content";
import { estimateTokens } from "./estimate-tokens";

/** The fields of a block that contribute tokens. */
interface AnswerBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: Json;
  /** Only in thinking: the server sent it apart from the text. */
  readonly from?: object;
}

/** Counted tokens above this multiple of the estimate were spent on text that is not stored. */
const maxTokenRatio = 6;
const frameTokens = 64;

/** Thinking is resent if the server sent it apart from the text, or in answers with calls. Dropped text, such as an incomplete call, does not count. */
export function countAnswerTokens(
  blocks: readonly AnswerBlock[],
  { outputTokens }: Pick<Usage, "outputTokens">,
): number {
  const hasCalls = blocks.some(({ type }) => type === "call");
  const isSent = ({ type, from }: AnswerBlock): boolean => type !== "thinking" || hasCalls || from !== undefined;
  const sizeOf = (some: readonly AnswerBlock[]): number =>
    some.reduce((sum, block) => sum + estimateTokens(answerBlockText(block)), 0);
  const usedChars = sizeOf(blocks.filter(isSent));
  if (usedChars === 0) return 0;
  const share = usedChars / sizeOf(blocks);
  const counted = outputTokens > 0 ? outputTokens * share : usedChars;
  return Math.ceil(Math.min(counted, usedChars * maxTokenRatio + frameTokens));
}

const answerBlockText = ({ text, name, input }: AnswerBlock): string =>
  text ?? `${name ?? ""}${input === undefined ? "" : JSON.stringify(input)}`;
