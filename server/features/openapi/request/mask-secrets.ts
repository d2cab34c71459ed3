/** Masks keys in what a server answers: it may echo the request. */
import { redactionMark } from "@/server/security/redaction/redact-stream";
import { findKnownSecrets, secretMinChars } from "@/server/security/redaction/secret-matcher";

export function maskSecrets(text: string, secrets: readonly string[]): string {
  // A short key in the middle of a word is chance.
  const short = secrets.filter((secret) => secret !== "" && secret.length < secretMinChars);
  const spans = [
    ...findKnownSecrets(text, secrets),
    ...short.flatMap((secret) =>
      Array.from(
        text.matchAll(new RegExp(`(?<!\\w)${secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "g")),
        ({ index }) => ({
          start: index,
          end: index + secret.length,
        }),
      ),
    ),
  ].toSorted((a, b) => a.start - b.start);
  let masked = "";
  let at = 0;
  for (const { start, end } of spans) {
    if (end <= at) continue;
    if (start >= at) masked += text.slice(at, start) + redactionMark;
    at = end;
  }
  return masked + text.slice(at);
}
