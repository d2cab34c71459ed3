/** Reads the bytes of streamed Ollama answers, line by line. */
import { parseJson } from "@/server/base/parse-json";
import type { AnswerReader } from "../wire/answer-stream";
import { makeLineReader, wireLineMaxBytes } from "../wire/line-reader";
import { brokenAnswer, extractErrorText, incompleteAnswer } from "../wire/wire-errors";
import { makeOllamaAnswer } from "./ollama-answer";
import { ollamaLineFailure } from "./ollama-errors";
import type { ModelPart } from "../provider";

/** Both throw ProviderError at the first fault, after the lines before it; `model` is included in its facts. */
export function makeOllamaLines(model: string) {
  const reader = makeLineReader(wireLineMaxBytes);

  function* parsed(lines: readonly string[]): Generator<object> {
    for (const [at, line] of lines.entries()) {
      const value = parseJson(line);
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw brokenAnswer([...lines.slice(at), ...reader.end()].join("\n"));
      const words = extractErrorText(value);
      if (words !== undefined) throw ollamaLineFailure(words, model);
      yield value;
    }
  }

  return {
    /** Yields the lines completed by these bytes. */
    take: (bytes: Uint8Array): Generator<object> => parsed(reader.push(bytes)),
    /** Yields a last line without a line end; after it the answer is incomplete, so it throws. */
    *end(): Generator<object> {
      const rest = reader.end();
      const isTorn = rest.some((line) => line.startsWith("{") && parseJson(line) === undefined);
      if (!isTorn) yield* parsed(rest);
      throw incompleteAnswer();
    },
  };
}

/** Reads a streamed answer of /api/chat; `maxChars` (UTF-16 units) bounds it, `outputTokens` were requested at most. */
export function makeOllamaReader(model: string, maxChars: number, outputTokens?: number): AnswerReader {
  const lines = makeOllamaLines(model);
  const answer = makeOllamaAnswer(maxChars, outputTokens);
  function* partsOf(found: Iterable<object>): Generator<readonly ModelPart[]> {
    for (const line of found) yield answer.take(line);
  }
  return { take: (bytes) => partsOf(lines.take(bytes)), end: () => partsOf(lines.end()) };
}
