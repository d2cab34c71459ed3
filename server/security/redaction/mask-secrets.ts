/** Masks given secrets in what a server answers: it may repeat the request or its environment. */
import { runSteps, type Steps } from "@/lib/async/steps";
import { redactionMark } from "./redact-stream";
import { makeKnownSecretFinder, secretMinChars } from "./secret-matcher";
import type { SecretSpan } from "./secret-shapes";

/** Returns the text with marks in place of secrets; nothing that only looks like one is masked. */
export type SecretMask = (text: string) => Steps<string>;

/** Characters of one step, beside the overlap with the next piece. Text full of control characters is slow. */
export const maskPieceChars = 64_000;

/** Ranges of a text of `length`. `from` to `next` is a piece; up to `end` it overlaps the next one. */
interface TextPiece {
  readonly from: number;
  readonly next: number;
  readonly end: number;
}

export function* piecesOf(length: number, overlap = 0): Generator<TextPiece, void, void> {
  for (let from = 0; from < length; from += maskPieceChars) {
    const next = Math.min(length, from + maskPieceChars);
    yield { from, next, end: Math.min(length, next + overlap) };
  }
}

/** `whole` = more secrets, of which no part is masked alone. */
export function makeSecretMask(secrets: readonly string[], whole: readonly string[] = []): SecretMask {
  const finder = makeKnownSecretFinder(secrets, whole);
  // A short key in the middle of a word is chance.
  const shortWords = secrets
    .filter((secret) => secret !== "" && secret.length < secretMinChars)
    .map((secret) => new RegExp(`(?<!\\w)${secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "g"));
  // One character before and after a short key decides.
  const overlap = Math.max(finder.longest, secretMinChars) + 1;
  return function* (text) {
    const marks = makeMarkedText(text);
    for (const { from, next, end } of piecesOf(text.length, overlap)) {
      const begin = Math.max(0, from - 1);
      const piece = text.slice(begin, end);
      const spans = [...(yield* finder.find(piece))];
      for (const word of shortWords)
        for (const { index, 0: found } of piece.matchAll(word)) spans.push({ start: index, end: index + found.length });
      const found = spans.map(({ start, end: to }) => ({ start: start + begin, end: to + begin }));
      // A secret that begins in the overlap is found in the next piece.
      marks.add(found.filter(({ start }) => start >= from && start < next));
      yield;
    }
    return marks.end();
  };
}

export const maskSecrets = (text: string, secrets: readonly string[]): string =>
  runSteps(makeSecretMask(secrets)(text));

/** Builds a text with marks. Spans of a later piece begin after those of the earlier ones, or end within them. */
function makeMarkedText(text: string) {
  let masked = "";
  let at = 0;
  return {
    add(spans: readonly SecretSpan[]): void {
      for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
        if (end <= at) continue;
        if (start >= at) masked += text.slice(at, start) + redactionMark;
        at = end;
      }
    },
    end: (): string => (at === 0 ? text : masked + text.slice(at)),
  };
}
