/** Reads the bytes of one streamed answer, up to its last event; also an answer that was not streamed. */
import { parseJson } from "@/server/base/parse-json";
import { makeWholeBody, type StallLimit } from "../../wire/answer-bytes";
import { incompleteAnswer } from "../../wire/wire-errors";
import { type ErrorContext, validValue } from "../openai-errors";
import type { ModelPart } from "../../provider";
import { makeOpenAiAnswer, type OpenAiAnswerOptions } from "./openai-answer";
import { makeEventReader, type ServerEvent } from "./openai-sse";

/** Time to wait for the usage counts after the finish reason, ms. */
export const answerEndMs = 5_000;

/** Out-parameter for a fact that the parts do not carry. */
export interface AnswerObservation {
  /** The answer came in one piece although a stream was requested. */
  whole?: boolean;
}

const whitespaceBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
/** A body that starts as JSON is a whole answer, or an error under status 200; one that starts as markup is an error. */
const wholeStarts: ReadonlySet<number> = new Set([..."{[<"].map((start) => start.charCodeAt(0)));

/** Returns an AnswerReader that also limits silence. */
export function makeOpenAiReader(options: OpenAiAnswerOptions, context: ErrorContext, seen: AnswerObservation) {
  const { now } = options;
  const answer = makeOpenAiAnswer(options);
  const events = makeEventReader();
  const whole = makeWholeBody();
  let kind: "unknown" | "whole" | "events" = "unknown";

  function* partsOf(found: Iterable<ServerEvent>): Generator<readonly ModelPart[]> {
    try {
      for (const event of found) {
        if (event.type === "done") return yield answer.end();
        if (event.type === "comment") yield answer.takeComment(event.text);
        else yield answer.take(validValue(event.value, "", context, event.error));
      }
    } catch (cause) {
      if (answer.progress.endedAt === undefined) throw cause;
      yield answer.end();
    }
  }

  return {
    /** The end of the answer was read; only counts follow. */
    isComplete: (): boolean => answer.progress.endedAt !== undefined,
    /** The server's name of the answer; undefined = none arrived. */
    answerId: (): string | undefined => answer.progress.id,
    /** Allowed silence now: `stall` after the first token, little after the finish reason. */
    stallLimit(stall: StallLimit): StallLimit | undefined {
      if (answer.progress.endedAt !== undefined) return { stallMs: answerEndMs };
      return answer.progress.begun ? stall : undefined;
    },
    /** Yields the chunks; a connection that breaks after the finish reason ends them, since only counts are lost. */
    async *untilComplete(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (cause) {
        if (answer.progress.endedAt === undefined) throw cause;
      }
    },
    *take(bytes: Uint8Array): Generator<readonly ModelPart[]> {
      if (kind === "unknown") {
        const first = bytes.find((byte) => !whitespaceBytes.has(byte));
        if (first === undefined) return;
        kind = wholeStarts.has(first) ? "whole" : "events";
      }
      if (kind === "whole") return void whole.add(bytes);
      yield* partsOf(events.push(bytes));
      if (now() - (answer.progress.endedAt ?? Number.POSITIVE_INFINITY) > answerEndMs) yield answer.end();
    },
    *end(): Generator<readonly ModelPart[]> {
      if (kind === "whole") {
        const text = whole.text();
        const value = validValue(parseJson(text), text, context);
        seen.whole = true;
        yield answer.take(value);
        return yield answer.end();
      }
      yield* partsOf(events.end());
      if (answer.progress.endedAt === undefined) throw incompleteAnswer();
      yield answer.end();
    },
  };
}
