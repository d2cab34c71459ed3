/** Reads an answer that is a short text and no part of a conversation. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelPart } from "@/server/providers/provider";
import { type ReadOptions, readAnswer } from "../reader/read-answer";

export interface SideAnswer {
  /** Without the thinking. */
  readonly text: string;
  /** It ended at the limit of its length. */
  readonly isCut: boolean;
}

/** A server may not keep to the limit of tokens; what is longer is cut. */
const maxChars = 100_000;

/**
 * Fails with empty_answer, also for an answer with a call, aborted, incomplete, and with the error of the stream. The end of the
 * thinking is requested at its start, where the server can do that.
 */
export async function readSideAnswer(
  parts: AsyncIterable<ModelPart>,
  reading: ReadOptions,
  signal: AbortSignal,
): Promise<Result<SideAnswer>> {
  let text = "";
  for await (const part of parts) {
    if (signal.aborted) break;
    if (part.type === "failed") return { ok: false, error: part.error };
    if (part.type === "call" || part.type === "input") return fail("empty_answer");
    if (part.type === "control") void part.endThinking(signal);
    if (part.type === "text") text += part.text;
    const isFull = text.length > maxChars;
    if (part.type !== "finish" && !isFull) continue;
    const blocks = readAnswer(text, reading, true);
    if (blocks.some(({ type }) => type === "call")) return fail("empty_answer");
    const answer = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return answer.trim() === ""
      ? fail("empty_answer")
      : ok({ text: answer, isCut: isFull || part.type !== "finish" || part.stop === "length" });
  }
  return fail(signal.aborted ? "aborted" : "incomplete");
}
