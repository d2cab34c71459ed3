/** Masks given secrets in what a server answers: it may repeat the request or its environment. */
import { runSteps, type Steps } from "@/lib/async/steps";
import { redactionMark } from "./redact-stream";
import { makeKnownSecretFinder, secretMinChars } from "./secret-matcher";
import type { SecretSpan } from "./secret-shapes";

/** Returns the text with marks in place of secrets; nothing that only looks like one is masked. */
export type SecretMask = (text: string) => Steps<string>;

/** `whole` = more secrets, of which no part is masked alone. */
export function makeSecretMask(secrets: readonly string[], whole: readonly string[] = []): SecretMask {
  const find = makeKnownSecretFinder(secrets, whole);
  // A short key in the middle of a word is chance.
  const shortWords = secrets
    .filter((secret) => secret !== "" && secret.length < secretMinChars)
    .map((secret) => new RegExp(`(?<!\\w)${secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "g"));
  return function* (text) {
    const spans = [...(yield* find(text))];
    for (const word of shortWords)
      for (const { index, 0: found } of text.matchAll(word)) spans.push({ start: index, end: index + found.length });
    return renderMarks(text, spans);
  };
}

export const maskSecrets = (text: string, secrets: readonly string[]): string =>
  runSteps(makeSecretMask(secrets)(text));

function renderMarks(text: string, spans: readonly SecretSpan[]): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    if (start >= at) masked += text.slice(at, start) + redactionMark;
    at = end;
  }
  return masked + text.slice(at);
}
